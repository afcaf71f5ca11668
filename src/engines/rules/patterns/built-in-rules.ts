/** The built-in pattern rules as a review uses them: read and checked when the program was built, without their examples. */
import type { PatternRule } from "./pattern-rule.ts";
import { readMatchers } from "./read-catalogue.ts" with { type: "macro" };

export function builtInRules(): readonly PatternRule[] {
  const compressed = Buffer.from(readMatchers(), "base64");
  return JSON.parse(Bun.zstdDecompressSync(compressed).toString());
}
