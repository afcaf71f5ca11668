import { describe, expect, test } from "bun:test";
import { startTestApp } from "../support/app.ts";
import { aPullRequest } from "../support/builders.ts";
import { storeKinds } from "../support/databases.ts";

const cart = aPullRequest().adding("src/cart.ts", "eval(input);\n");

describe.each([...storeKinds()])("a process that crashes, on %s", (_, open) => {
  test("loses no review: the next process completes it, once", async () => {
    await using app = await startTestApp({ open });
    app.git.opens(cart);
    app.git.hesitates();
    const review = await app.asks();
    void app.work();
    await app.git.isAskedBy(1);
    await app.crashesAndRestarts();
    app.git.answers();
    await app.work();
    expect((await app.review(review)).status).toBe("completed");
    expect(await app.credits()).toMatchObject({ used: 1, reserved: 0 });
    expect(await app.announced()).toEqual([`review.started ${review.id}`, `review.completed ${review.id}`]);
  });

  test("gives up a review that takes the process down every time", async () => {
    await using app = await startTestApp({ open });
    app.git.opens(cart);
    app.git.hesitates();
    const review = await app.asks();
    for (let crash = 1; crash <= 5; crash += 1) {
      void app.work();
      await app.git.isAskedBy(crash);
      await app.crashesAndRestarts();
      await app.passes("1 hour");
    }
    expect((await app.review(review)).failure).toEqual({
      code: "interrupted",
      message: "The review was given up. The process ended during each of 5 attempts.",
    });
    expect(await app.credits()).toMatchObject({ used: 0, reserved: 0 });
    expect((await app.announced()).at(-1)).toBe(`review.failed ${review.id}`);
  });

  test("stores nothing once another process has its job", async () => {
    await using app = await startTestApp({ open, timing: { heartbeatMs: 5 } });
    app.git.opens(cart);
    app.git.hesitates();
    const review = await app.asks();
    const work = app.work();
    await app.git.isAskedBy(1);
    await app.isTakenForDead();
    // It notices that its lease is gone, and takes the job up again like any other.
    await app.git.isAskedBy(2);
    expect(app.log).toContainEqual(expect.stringContaining("info job given up LeaseLost"));
    expect(await app.review(review)).toMatchObject({ status: "processing", commentsCount: 0 });
    app.git.answers();
    await work;
    expect(await app.review(review)).toMatchObject({ status: "completed", commentsCount: 1 });
    expect(await app.credits()).toMatchObject({ used: 1, reserved: 0 });
    expect(await app.announced()).toEqual([`review.started ${review.id}`, `review.completed ${review.id}`]);
  });
});

test("a process may crash after any statement: its review completes once, charged once and announced once", async () => {
  let crashes = 0;
  for (let crashed = true; crashed; crashes += 1) {
    await using app = await startTestApp();
    app.git.opens(cart);
    const review = await app.asks();
    crashed = await app.crashesAfter(crashes + 1);
    await app.work();
    expect(await app.review(review)).toMatchObject({ status: "completed", commentsCount: 1 });
    expect(await app.credits()).toMatchObject({ used: 1, reserved: 0 });
    expect(await app.announced()).toEqual([`review.started ${review.id}`, `review.completed ${review.id}`]);
  }
  expect(crashes).toBeGreaterThan(20);
});
