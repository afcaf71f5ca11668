/** The built-in pattern rules, and any others in the same format. */
import { isProblem, parseRule } from "./parse-rule.ts";
import type { PatternRule, RuleProblem, RuleSource } from "./pattern-rule.ts";
import { readCatalogue } from "./read-catalogue.ts" with { type: "macro" };

export interface Catalogue {
  rules: readonly PatternRule[];
  problems: readonly RuleProblem[];
}

/** One bad file never disables the others; of two rules with one id the first stays. */
export function readRules(sources: readonly RuleSource[]): Catalogue {
  const rules = new Map<string, PatternRule>();
  const problems: RuleProblem[] = [];
  for (const source of sources) {
    const parsed = parseRule(source);
    if (isProblem(parsed)) {
      problems.push(parsed);
      continue;
    }
    const first = rules.get(parsed.id);
    if (first === undefined) rules.set(parsed.id, parsed);
    else
      problems.push({
        path: source.path,
        line: 1,
        rule: parsed.id,
        message: `${first.source.path} has its id`,
      });
  }
  return { rules: [...rules.values()], problems };
}

export function builtInSources(): readonly RuleSource[] {
  const compressed = Buffer.from(readCatalogue(), "base64");
  return JSON.parse(Bun.zstdDecompressSync(compressed).toString());
}
