/** Runs while the program is built (a Bun macro), so that the rule files become part of it and are never stale. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export function readCatalogue(): { path: string; text: string }[] {
  const folder = join(import.meta.dir, "..", "catalogue");
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".yml"))
    .sort()
    .map((name) => ({
      path: name.replaceAll("\\", "/"),
      text: readFileSync(join(folder, name), "utf8"),
    }));
}
