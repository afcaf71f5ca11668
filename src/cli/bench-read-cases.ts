/** Runs while the program is built (a Bun macro), so that the cases become part of it. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The case files, `{ path, text }[]` as JSON, compressed (Zstandard) and in base64. */
export function readCases(): string {
  const folder = join(import.meta.dir, "../../test/engines/cases");
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".case"))
    .sort()
    .map((name) => ({ path: name.replaceAll("\\", "/"), text: readFileSync(join(folder, name), "utf8") }));
  return Bun.zstdCompressSync(JSON.stringify(files), { level: 19 }).toString("base64");
}
