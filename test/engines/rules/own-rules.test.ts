/** Rules that an organization writes itself, in the catalogue's format. */
import { afterAll, describe, expect, test } from "bun:test";
import type { RuleSource } from "../../../src/engines/rules/patterns/pattern-rule.ts";
import { createRulesEngine } from "../../../src/engines/rules/rules.ts";
import { aPullRequest } from "../a-pull-request.ts";
import { silentLogger } from "../silent-logger.ts";

const ruleFile = `id: acme/no-fetch
title: fetch used directly
category: maintainability
severity: low
message: "\`{URL}\` is fetched directly."
why: Our client adds the trace header.
advice: Use \`client.get\`.
rule:
  pattern: fetch($URL)
fix: client.get($URL)
bad:
  - fetch(url)
ok:
  - client.get(url)
`;

const javascript = (text: string): RuleSource => ({ path: ".plumbline/javascript/no-fetch.yml", text });
const engines = new Set<ReturnType<typeof createRulesEngine>>();
afterAll(async () => {
  for (const engine of engines) await engine.close();
});

async function reviewWith(ownRules: readonly RuleSource[], code: string) {
  const engine = createRulesEngine({ logger: silentLogger, ownRules: async () => ownRules });
  engines.add(engine);
  return engine.review(aPullRequest({ "src/a.js": { before: null, after: code } }));
}

describe("an organization's own rule", () => {
  test("comments like a built-in one, with its suggestion", async () => {
    const { candidates } = await reviewWith([javascript(ruleFile)], "const x = await fetch(home);\n");
    expect(candidates.map(({ rule, message, suggestion }) => ({ rule, message, suggestion }))).toEqual([
      {
        rule: "acme/no-fetch",
        message: "`home` is fetched directly. Our client adds the trace header. Use `client.get`.",
        suggestion: "const x = await client.get(home);",
      },
    ]);
  });

  test("makes no suggestion that would break the file", async () => {
    const breaking = ruleFile.replace("fix: client.get($URL)", "fix: client.get($URL))");
    const { candidates } = await reviewWith([javascript(breaking)], "const x = await fetch(home);\n");
    expect(candidates.map(({ suggestion }) => suggestion)).toEqual([null]);
  });

  test.each([
    ["a value that is not allowed", "severity: low", "severity: urgent", 4],
    ["a key that nobody knows", "fix: client", "fixx: client", 10],
    ["a missing key", "why: Our client adds the trace header.\n", "", 1],
    ["a pattern of an unknown kind", "pattern: fetch($URL)", "kind: fetch_call", 8],
    ["a regular expression that does not compile", "pattern: fetch($URL)", "regex: (", 8],
    ["a key written twice", "title: fetch used directly", "title: a\ntitle: b", 3],
  ])("with %s is named with its line and disables nothing else", async (_what, good, bad, line) => {
    const broken = javascript(ruleFile.replace(good, bad).replace("acme/no-fetch", "acme/broken"));
    const { candidates, problems } = await reviewWith([broken, javascript(ruleFile)], "eval(fetch(home));\n");
    expect(candidates.map(({ rule }) => rule)).toEqual(["acme/no-fetch", "js/eval"]);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toStartWith("rule acme/broken is not in use: ");
    expect(problems[0]).toEndWith(`(.plumbline/javascript/no-fetch.yml:${line})`);
  });

  test("that is no YAML at all is named with its line", async () => {
    const { problems } = await reviewWith([javascript("id: a/b\ntitle: [\nrule: }")], "fetch(home);\n");
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(
      /^rule without an id is not in use: it is not valid YAML: .*no-fetch\.yml:2\)$/,
    );
  });

  test("cannot take the id of a built-in one", async () => {
    const taking = javascript(ruleFile.replace("acme/no-fetch", "js/eval"));
    const { problems } = await reviewWith([taking], "fetch(home);\n");
    expect(problems).toEqual([
      "rule js/eval is not in use: javascript/eval.yml has its id (.plumbline/javascript/no-fetch.yml:1)",
    ]);
  });
});
