/** Runs while the program is built (a Bun macro), so that the rule files become part of it and are never stale. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The rule files, `{ path, text }[]` as JSON, compressed (Zstandard) and in base64: a fifteenth as constants. */
export function readCatalogue(): string {
  const folder = join(import.meta.dir, "..", "catalogue");
  const sources = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".yml"))
    .sort()
    .map((name) => ({
      path: name.replaceAll("\\", "/"),
      text: readFileSync(join(folder, name), "utf8"),
    }));
  return Bun.zstdCompressSync(JSON.stringify(sources), { level: 19 }).toString("base64");
}
