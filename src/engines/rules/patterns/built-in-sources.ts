/** The built-in pattern rules as they are written, with their examples: for those who read about them, and for tests. */
import type { RuleSource } from "./pattern-rule.ts";
import { readCatalogue } from "./read-catalogue.ts" with { type: "macro" };

export function builtInSources(): readonly RuleSource[] {
  const compressed = Buffer.from(readCatalogue(), "base64");
  return JSON.parse(Bun.zstdDecompressSync(compressed).toString());
}
