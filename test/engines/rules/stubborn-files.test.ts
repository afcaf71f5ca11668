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
  // Needs no grammar, so that a good file computes for a few milliseconds and only a hanging one uses up its budget.
  const secret = `const key = "${["AKIA", "Q3EGRZ5TXK7BWN2M"].join("")}";\n`;

  test("costs the other files nothing and is named with the reason", async () => {
    const added = (after: string) => ({ before: null, after });
    const { candidates, coverage } = await engine.review(
      aPullRequest({
        "crashes.js": added(secret),
        "good.txt": added(secret),
        "always-hangs.js": added(secret),
        "hangs.js": added(secret),
        "last.txt": added(secret),
      }),
    );
    expect(candidates.map(({ path, rule }) => `${path} ${rule}`)).toEqual([
      "good.txt any/committed-secret",
      "hangs.js any/committed-secret",
      "last.txt any/committed-secret",
    ]);
    expect(coverage.map(({ path, read, reason }) => `${path} ${read}: ${reason}`)).toEqual([
      "crashes.js not: its analysis ended early",
      "good.txt whole: null",
      "always-hangs.js not: its analysis took longer than 1 s",
      "hangs.js partly: read as text alone, because its analysis took longer than 1 s",
      "last.txt whole: null",
    ]);
  }, 120_000);

  test("does not keep a review that is called off from ending at once", async () => {
    const calledOff = new AbortController();
    const input = aPullRequest({ "always-hangs.js": { before: null, after: secret } }, calledOff.signal);
    const review = engine.review(input);
    setTimeout(() => calledOff.abort(new Error("superseded")), 50);
    expect(review).rejects.toThrow("superseded");
    await review.catch(() => null);
  });
});
