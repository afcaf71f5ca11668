/** Rules that an organization or a repository keeps for itself, in a review. */
import { afterAll, describe, expect, test } from "bun:test";
import { setOrganizationRules } from "../../src/domain/rule.ts";
import { createRulesEngine } from "../../src/engines/rules/rules.ts";
import { ownRules } from "../../src/review/own-rules.ts";
import { reviewDiff } from "../../src/review/review-diff.ts";
import { aPullRequest, type FileSides } from "../engines/a-pull-request.ts";
import { silentLogger } from "../engines/silent-logger.ts";
import { openTestMemoryStore } from "../support/databases.ts";
import { createFakeClock } from "../support/fake-clock.ts";

const database = await openTestMemoryStore();
const { settings } = database.store;
const engine = createRulesEngine({ logger: silentLogger, ownRules: ownRules(settings) });
afterAll(async () => {
  await engine.close();
  await database[Symbol.asyncDispose]();
});

const rule = (id: string, call: string) => `id: ${id}
title: ${call} used directly
languages: [javascript]
category: maintainability
severity: low
message: "\`${call}\` is called directly."
why: Our client adds the trace header.
advice: Use our client.
rule:
  pattern: ${call}($URL)
bad: [${call}(url)]
ok: [client.${call}(url)]
`;

const code = {
  "src/shop.js": { before: null, after: "const page = fetch(home);\nconst page = load(home);\n" },
};
const path = ".plumbline/rules/load.yml";

async function review(files: FileSides) {
  const input = aPullRequest({ ...code, ...files });
  const { comments, summary } = await reviewDiff({ ...input, engines: [engine], clock: createFakeClock() });
  return { said: comments.map((comment) => `${comment.line} ${comment.rule}`), summary };
}

describe("a repository's own rules", () => {
  test("hold as they are on the base branch", async () => {
    const kept = rule("shop/load", "load");
    expect((await review({ [path]: { before: kept, after: kept } })).said).toEqual(["2 shop/load"]);
  });

  test("cannot be brought or switched off by the pull request itself", async () => {
    const kept = rule("shop/load", "load");
    expect((await review({ [path]: { before: null, after: kept } })).said).toEqual([]);
    expect((await review({ [path]: { before: kept, after: null } })).said).toEqual(["2 shop/load"]);
  });

  test("that are broken are named in the summary and disable nothing else", async () => {
    const broken = rule("shop/broken", "load").replace("severity: low", "severity: urgent");
    const kept = rule("shop/load", "load");
    const { said, summary } = await review({
      ".plumbline/rules/broken.yml": { before: broken, after: broken },
      [path]: { before: kept, after: kept },
    });
    expect(said).toEqual(["2 shop/load"]);
    expect(summary).toContain("rule shop/broken is not in use");
    expect(summary).toContain("(.plumbline/rules/broken.yml:5)");
  });
});

describe("an organization's own rules", () => {
  test("hold for its reviews and for nobody else's", async () => {
    await setOrganizationRules(settings, "org_1", [
      { id: "acme/no-fetch", path: "no-fetch.yml", text: rule("acme/no-fetch", "fetch") },
    ]);
    await setOrganizationRules(settings, "org_2", [
      { id: "other/no-load", path: "no-load.yml", text: rule("other/no-load", "load") },
    ]);
    expect((await review({})).said).toEqual(["1 acme/no-fetch"]);
  });
});
