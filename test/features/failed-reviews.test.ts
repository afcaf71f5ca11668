import { describe, expect, test } from "bun:test";
import { startTestApp } from "../support/app.ts";
import { anEngine, aPullRequest } from "../support/builders.ts";

const cart = aPullRequest().adding("src/cart.ts", "eval(input);\n");

describe("a review that fails", () => {
  test("says at once that there is no such pull request, and returns the credit", async () => {
    await using app = await startTestApp();
    const review = await app.asks({ pullRequest: 404 });
    await app.work();
    expect(await app.review(review)).toMatchObject({
      status: "failed",
      failure: { code: "pull_request_not_found", message: "There is no pull request acme/shop#404." },
      completedAt: app.clock.now(),
      ...{ summary: null, comments: [], metrics: null },
    });
    expect(await app.credits()).toMatchObject({ used: 0, reserved: 0 });
    expect(await app.announced()).toEqual([`review.started ${review.id}`, `review.failed ${review.id}`]);
  });

  test("passes on what the code host says about access", async () => {
    await using app = await startTestApp();
    app.git.refuses("access_denied", "The token of the host local may not read acme/shop.");
    const review = await app.asks();
    await app.work();
    expect((await app.review(review)).failure).toEqual({
      code: "access_denied",
      message: "The token of the host local may not read acme/shop.",
    });
  });

  test("tries again while the code host is away, and completes when it is back", async () => {
    await using app = await startTestApp();
    app.git.opens(cart);
    app.git.goesAway();
    const review = await app.asks();
    await app.work();
    expect((await app.review(review)).status).toBe("processing");
    app.git.comesBack();
    await app.passes("4 seconds");
    await app.work();
    expect((await app.review(review)).status).toBe("processing");
    await app.passes("3 seconds");
    await app.work();
    expect((await app.review(review)).status).toBe("completed");
    expect(await app.credits()).toMatchObject({ used: 1, reserved: 0 });
  });

  test("waits as long as the code host asks for", async () => {
    await using app = await startTestApp();
    app.git.opens(cart);
    app.git.goesAway(20 * 60_000);
    const review = await app.asks();
    await app.work();
    app.git.comesBack();
    await app.passes("19 minutes");
    await app.work();
    expect((await app.review(review)).status).toBe("processing");
    await app.passes("1 minute");
    await app.work();
    expect((await app.review(review)).status).toBe("completed");
  });

  test("gives up on a code host that stays away, and says so", async () => {
    await using app = await startTestApp();
    app.git.goesAway();
    const review = await app.asks();
    await app.settles();
    expect((await app.review(review)).failure).toEqual({
      code: "repository_unreachable",
      message: "The code host local cannot be reached. The review was tried 5 times.",
    });
    expect(app.git.questions).toHaveLength(5);
    expect(await app.credits()).toMatchObject({ used: 0, reserved: 0 });
  });

  test("takes no longer than a review may, even when the code host never answers", async () => {
    await using app = await startTestApp({ limits: { reviewMs: 30 } });
    app.git.opens(cart);
    app.git.hesitates();
    const review = await app.asks();
    await app.work();
    expect((await app.review(review)).failure).toEqual({
      code: "timed_out",
      message: "The review took longer than 30 ms.",
    });
  });

  test("fails when every engine failed, without showing what only an administrator may see", async () => {
    const broken = anEngine(async () => {
      throw new TypeError("undefined is not a function at /srv/secret");
    });
    await using app = await startTestApp({ engines: [broken] });
    app.git.opens(cart);
    const review = await app.asks();
    await app.settles();
    expect((await app.review(review)).failure).toEqual({
      code: "internal",
      message: `The review ran into a fault of Plumbline. An administrator finds it in the log under ${review.id}.`,
    });
    expect(app.log).toContain("error review failed TypeError: undefined is not a function at /srv/secret");
  });

  test("completes in part when one engine of two failed, and says so", async () => {
    const broken = anEngine(async () => {
      throw new Error("boom");
    }, "llm");
    await using app = await startTestApp({ engines: [anEngine(), broken] });
    app.git.opens(cart);
    const review = await app.asks();
    await app.work();
    const { status, summary } = await app.review(review);
    expect(status).toBe("completed");
    expect(summary).toContain("Note:\n- the engine llm failed, so what it would have found is missing");
    expect(app.log).toContain("warn engine failed Error: boom");
  });

  test("fails when its repository was disabled while it waited", async () => {
    await using app = await startTestApp();
    app.git.opens(cart);
    const review = await app.asks();
    await app.store.repositories.update("repo_acme", { disabledAt: app.clock.now() });
    await app.work();
    expect((await app.review(review)).failure?.code).toBe("repository_disabled");
  });
});
