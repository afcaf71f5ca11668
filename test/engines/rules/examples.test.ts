/** Every rule's examples are its tests: what is `bad` is reported by that rule, what is `ok` is not. */
import { describe, expect, test } from "bun:test";
import { lineRules } from "../../../src/engines/rules/line-rules.ts";
import type { Example } from "../../../src/engines/rules/rule.ts";
import { createRulesEngine } from "../../../src/engines/rules/rules.ts";
import { scanners } from "../../../src/engines/rules/scanners/all.ts";
import { aPullRequest } from "../a-pull-request.ts";
import { silentLogger } from "../silent-logger.ts";

const engine = createRulesEngine({ logger: silentLogger });

async function rulesReporting({ path, before, after }: Example): Promise<readonly string[]> {
  const { candidates } = await engine.review(aPullRequest({ [path]: { before, after } }));
  return candidates.map((candidate) => candidate.rule);
}

for (const rule of [...scanners.flatMap((scanner) => scanner.rules), ...lineRules]) {
  describe(rule.id, () => {
    test.each(rule.bad.map((example) => [firstLine(example), example] as const))(
      "reports %s",
      async (_, example) => {
        expect(await rulesReporting(example)).toContain(rule.id);
      },
    );
    test.each(rule.ok.map((example) => [firstLine(example), example] as const))(
      "accepts %s",
      async (_, example) => {
        expect(await rulesReporting(example)).not.toContain(rule.id);
      },
    );
  });
}

function firstLine(example: Example): string {
  return JSON.stringify(example.after.trimStart().split("\n")[0]);
}
