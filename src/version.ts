/** Of Plumbline, from package.json; embedded in the binary. */
import manifest from "../package.json" with { type: "json" };

export const version: string = manifest.version;

/** Put in by scripts/build.ts. */
declare const BUILD_COMMIT: string | undefined;

/** What the executable was built from; null from source, and where there was no Git. */
export const commit: string | null = (typeof BUILD_COMMIT === "undefined" ? "" : BUILD_COMMIT) || null;
