import { afterAll, describe, expect, test } from "bun:test";
import { createRulesEngine } from "../../../src/engines/rules/rules.ts";
import { aPullRequest } from "../a-pull-request.ts";
import { silentLogger } from "../silent-logger.ts";

describe("a file on which the analysis hangs or crashes", () => {
  const engine = createRulesEngine({
    logger: silentLogger,
    workerScript: new URL("./stubborn-worker.ts", import.meta.url).href,
    fileBudgetMs: 1_000,
  });
  afterAll(() => engine.close());
  const secret = `const key = "${["AKIA", "Q3EGRZ5TXK7BWN2M"].join("")}";\n`;

  test("costs the other files nothing and is named with the reason", async () => {
    const added = (after: string) => ({ before: null, after });
    const { candidates, coverage } = await engine.review(
      aPullRequest({
        "crashes.js": added(secret),
        "good.js": added("eval(input);\n"),
        "always-hangs.js": added(secret),
        "hangs.js": added(secret),
        "last.js": added("eval(input);\n"),
      }),
    );
    expect(candidates.map(({ path, rule }) => `${path} ${rule}`)).toEqual([
      "good.js js/eval",
      "hangs.js any/committed-secret",
      "last.js js/eval",
    ]);
    expect(coverage.map(({ path, read, reason }) => `${path} ${read}: ${reason}`)).toEqual([
      "crashes.js not: its analysis ended early",
      "good.js whole: null",
      "always-hangs.js not: its analysis took longer than 1 s",
      "hangs.js partly: read as text alone, because its analysis took longer than 1 s",
      "last.js whole: null",
    ]);
  }, 30_000);

  test("does not keep a review that is called off from ending at once", async () => {
    const calledOff = new AbortController();
    const input = aPullRequest({ "always-hangs.js": { before: null, after: secret } }, calledOff.signal);
    const review = engine.review(input);
    setTimeout(() => calledOff.abort(new Error("superseded")), 50);
    expect(review).rejects.toThrow("superseded");
    await review.catch(() => null);
  });
});
