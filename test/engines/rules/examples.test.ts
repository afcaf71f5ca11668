/**
 * Every rule's examples are its tests: what is `bad` is reported by that rule, what is `ok` is not.
 * One language or rule at a time: `bun test test/engines/rules/examples.test.ts -t js/`.
 */
import { afterAll, describe, expect, test } from "bun:test";
import type { Logger } from "../../../src/domain/runtime.ts";
import { describeRules } from "../../../src/engines/rules/describe-rules.ts";
import { builtInSources } from "../../../src/engines/rules/patterns/built-in-sources.ts";
import { readRules } from "../../../src/engines/rules/patterns/catalogue.ts";
import { describeProblem } from "../../../src/engines/rules/patterns/pattern-rule.ts";
import type { Example } from "../../../src/engines/rules/rule.ts";
import { createRulesEngine } from "../../../src/engines/rules/rules.ts";
import { aPullRequest } from "../a-pull-request.ts";

/** Faults of built-in rules are told to the log alone. */
const faults: string[] = [];
const logger: Logger = {
  debug() {},
  info() {},
  warn() {},
  error: (message, fields) => void faults.push(`${message} ${JSON.stringify(fields)}`),
};
const engine = createRulesEngine({ logger });
afterAll(() => engine.close());

/** Whether the rule reports the example, and what is wrong with the rule itself. */
async function reviewOf({ path, before, after, alongside }: Example, rule: string) {
  faults.length = 0;
  const { candidates } = await engine.review(aPullRequest({ [path]: { before, after }, ...alongside }));
  return {
    found: candidates.some((candidate) => candidate.rule === rule),
    faults: [...faults],
  };
}

test("every rule file of the catalogue can be read", () => {
  expect(readRules(builtInSources()).problems.map(describeProblem)).toEqual([]);
});

test("only a rule's message shows what was found", () => {
  const naming = describeRules().filter(({ why, advice }) => /(?<!\$)\{\w+\}/.test(why + advice));
  expect(naming.map(({ id }) => id)).toEqual([]);
});

test("a rule file is named after its rule", () => {
  const misnamed = readRules(builtInSources()).rules.filter(
    ({ id, source }) => !source.path.endsWith(`/${id.slice(id.indexOf("/") + 1)}.yml`),
  );
  expect(misnamed.map(({ id, source }) => `${id} in ${source.path}`)).toEqual([]);
});

for (const rule of describeRules()) {
  describe(rule.id, () => {
    test.each(named(rule.bad))("reports %s", async (_name, example) => {
      expect(await reviewOf(example, rule.id)).toEqual({ found: true, faults: [] });
    });

    test.each(named(rule.ok))("accepts %s", async (_name, example) => {
      expect(await reviewOf(example, rule.id)).toEqual({ found: false, faults: [] });
    });

    test("has both kinds of examples and a comment in whole sentences", () => {
      expect(rule.bad.length).toBeGreaterThan(0);
      expect(rule.ok.length).toBeGreaterThan(0);
      for (const sentence of [rule.message, rule.why, rule.advice])
        expect(sentence).toMatch(/^[A-Z`{].*[.?]$/s);
    });
  });
}

function named(examples: readonly Example[]): [string, Example][] {
  return examples.map((example) => [
    `${example.path}: ${JSON.stringify(example.after.trim().slice(0, 60))}`,
    example,
  ]);
}
