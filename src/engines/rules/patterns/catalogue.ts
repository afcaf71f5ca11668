/** Rule files, the built-in ones and any others, as rules. */
import { isProblem, parseRule } from "./parse-rule.ts";
import type { PatternRule, RuleProblem, RuleSource } from "./pattern-rule.ts";

export interface Catalogue {
  rules: readonly PatternRule[];
  problems: readonly RuleProblem[];
}

/** One bad file never disables the others; of two rules with one id the first stays, and those in use before come first. */
export function readRules(sources: readonly RuleSource[], inUse: readonly PatternRule[] = []): Catalogue {
  const rules = new Map(inUse.map((rule) => [rule.id, rule]));
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
  return { rules: [...rules.values()].filter((rule) => !inUse.includes(rule)), problems };
}
