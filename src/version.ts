/** Of Plumbline, from package.json; embedded in the binary. */
import manifest from "../package.json" with { type: "json" };

export const version: string = manifest.version;
