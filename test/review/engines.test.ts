/** A review with engines that fail, hang or stop short. */
import { describe, expect, test } from "bun:test";
import { aFinding, anEngine, aPullRequest } from "../support/builders.ts";
import { reviewing, said } from "./reviewing.ts";

const cart = aPullRequest().adding("src/cart.ts", "eval(input);\n");
const works = anEngine([aFinding()], "works");
const broken = anEngine(async () => {
  throw new Error("secret detail: /srv/x");
}, "broken");
const hangs = anEngine(() => new Promise(() => {}), "hangs");

describe("reviewing with several engines", () => {
  test("goes on without an engine that fails, and says so without repeating its error", async () => {
    const review = await reviewing(cart, { engines: [broken, works] });
    expect(said(review)).toHaveLength(1);
    expect(review.summary).toContain("- the engine broken failed, so what it would have found is missing");
    expect(review.summary).not.toContain("secret detail");
    expect(review.engineFailures).toMatchObject([
      { engine: "broken", error: { message: "secret detail: /srv/x" } },
    ]);
  });

  test("goes on without an engine that hangs, and says so", async () => {
    const review = await reviewing(cart, { engines: [hangs, works], limits: { engineMs: 20 } });
    expect(said(review)).toHaveLength(1);
    expect(review.summary).toContain(
      "- the engine hangs took longer than 20 ms, so what it would have found is missing",
    );
  });

  test("tells an engine that its time is over", async () => {
    const told = Promise.withResolvers<unknown>();
    const listens = anEngine(
      ({ signal }) =>
        new Promise((_, reject) => {
          signal.addEventListener("abort", () => {
            told.resolve(signal.reason);
            reject(signal.reason);
          });
        }),
    );
    await reviewing(cart, { engines: [listens, works], limits: { engineMs: 20 } });
    expect(String(await told.promise)).toContain("took longer than 20 ms");
  });

  test("fails when no engine is left", async () => {
    expect(reviewing(cart, { engines: [broken, broken] })).rejects.toThrow("secret detail");
  });

  test("stops when it is told to, whatever the engines do", async () => {
    const stop = new AbortController();
    const review = reviewing(cart, { engines: [hangs, works], signal: stop.signal });
    stop.abort(new Error("superseded"));
    expect(review).rejects.toThrow("superseded");
  });

  test("counts a file as read when any engine read it, and says so of one that none read", async () => {
    const skips = anEngine(async ({ diff }) => ({
      coverage: diff.files.map(({ path }) => ({ path, read: "not" as const, reason: "larger than 1 MB" })),
    }));
    const both = await reviewing(cart, { engines: [skips, works] });
    expect(both.metrics.filesAnalyzed).toBe(1);
    expect(both.summary).not.toContain("Not read");

    const alone = await reviewing(cart, { engines: [skips] });
    expect(alone.metrics.filesAnalyzed).toBe(0);
    expect(alone.summary).toContain("Not read (1 file):\n- larger than 1 MB: `src/cart.ts`");
  });

  test("adds up the tokens that the engines used", async () => {
    const uses = (tokensUsed: number) => anEngine(async () => ({ tokensUsed }));
    const review = await reviewing(cart, { engines: [uses(1_000), uses(234)] });
    expect(review.metrics.tokensUsed).toBe(1_234);
  });

  test("needs no engine to have read what is gone", async () => {
    const gone = aPullRequest().deleting("src/old.ts", "x\n").adding("src/cart.ts", "y\n");
    const onlyHead = anEngine(async () => ({
      coverage: [{ path: "src/cart.ts", read: "whole" as const, reason: null }],
    }));
    expect((await reviewing(gone, { engines: [onlyHead] })).summary).not.toContain("Not read");
  });
});
