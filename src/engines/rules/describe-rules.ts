/** Every built-in rule as people see it: for lists, for a rule's page, and for the tests of its examples. */
import { diffChecks, pullRequestChecks } from "./diff-checks/all.ts";
import { builtInSources } from "./patterns/built-in-sources.ts";
import { readRules } from "./patterns/catalogue.ts";
import type { Rule } from "./rule.ts";
import { scanners } from "./scanners/all.ts";
import { taintDetectors } from "./taint/all.ts";
import { treeChecks } from "./tree-checks/all.ts";

/** Sorted by id. */
export function describeRules(): readonly Rule[] {
  const detectors = [...scanners, ...treeChecks, ...taintDetectors, ...diffChecks, ...pullRequestChecks];
  return [...readRules(builtInSources()).rules, ...detectors.flatMap((detector) => detector.rules)].sort(
    (a, b) => (a.id < b.id ? -1 : Number(a.id > b.id)),
  );
}
