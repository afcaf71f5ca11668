/** Runs while the program is built (Bun macros), so that the rule files become part of it and are never stale. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isProblem, parseRule } from "./parse-rule.ts";
import { describeProblem, type RuleSource } from "./pattern-rule.ts";

/** The rule files, `{ path, text }[]` as JSON, compressed (Zstandard) and in base64: a fifteenth as constants. */
export function readCatalogue(): string {
  return compressed(readSources());
}

/** The rules themselves without their examples, in the same form: what a review needs, and nothing left to read or check. */
export function readMatchers(): string {
  return compressed(
    readSources().map((source) => {
      const rule = parseRule(source);
      if (isProblem(rule)) throw new Error(describeProblem(rule));
      return { ...rule, bad: [], ok: [] };
    }),
  );
}

function readSources(): RuleSource[] {
  const folder = join(import.meta.dir, "..", "catalogue");
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".yml"))
    .sort()
    .map((name) => ({
      path: name.replaceAll("\\", "/"),
      text: readFileSync(join(folder, name), "utf8"),
    }));
}

/** Level 9: a level that packs one percent better takes ten times as long at every start from source. */
function compressed(value: unknown): string {
  return Bun.zstdCompressSync(JSON.stringify(value), { level: 9 }).toString("base64");
}
