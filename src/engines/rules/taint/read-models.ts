/** Runs while the program is built (a Bun macro), so that the models become part of it and are never stale. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export function readModels(): Record<string, string> {
  const folder = join(import.meta.dir, "models");
  const names = readdirSync(folder).filter((name) => name.endsWith(".yml"));
  return Object.fromEntries(
    names.sort().map((name) => [name.replace(/\.yml$/, ""), readFileSync(join(folder, name), "utf8")]),
  );
}
