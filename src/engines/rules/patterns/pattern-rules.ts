/** The built-in rules and a review's own as one detector, kept for as long as they stay the same. */
import { builtInRules } from "./built-in-rules.ts";
import { readRules } from "./catalogue.ts";
import { PatternMatcher } from "./match.ts";
import type { RuleSource } from "./pattern-rule.ts";

let kept: { key: string; matcher: PatternMatcher } | null = null;

export function patternRules(ownRules: readonly RuleSource[]): PatternMatcher {
  const key = JSON.stringify(ownRules);
  if (kept?.key !== key) {
    const builtIn = builtInRules();
    kept = { key, matcher: new PatternMatcher(builtIn, readRules(ownRules, builtIn)) };
  }
  return kept.matcher;
}
