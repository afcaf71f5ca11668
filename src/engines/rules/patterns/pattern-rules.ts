/** The built-in rules and a review's own as one detector, kept for as long as they stay the same. */
import { builtInSources, readRules } from "./catalogue.ts";
import { PatternMatcher } from "./match.ts";
import type { RuleSource } from "./pattern-rule.ts";

let kept: { key: string; matcher: PatternMatcher } | null = null;

export function patternRules(ownRules: readonly RuleSource[]): PatternMatcher {
  const key = JSON.stringify(ownRules);
  if (kept?.key !== key) {
    kept = { key, matcher: new PatternMatcher(readRules([...builtInSources(), ...ownRules])) };
  }
  return kept.matcher;
}
