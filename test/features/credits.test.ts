import { describe, expect, test } from "bun:test";
import { startTestApp } from "../support/app.ts";
import { aPullRequest } from "../support/builders.ts";

const cart = aPullRequest().adding("src/cart.ts", "eval(input);\n");

describe("review credits", () => {
  test("are granted by the plan at the first use of a month", async () => {
    await using app = await startTestApp();
    await app.asks();
    expect(await app.credits()).toEqual({ total: 1_000, used: 0, reserved: 1, remaining: 999 });
  });

  test("are an organization's own number when it has one", async () => {
    await using app = await startTestApp({ creditsPerMonth: 3 });
    await app.asks();
    expect(await app.credits()).toMatchObject({ total: 3, remaining: 2 });
  });

  test("are used by a review that completes and returned by one that fails", async () => {
    await using app = await startTestApp();
    app.git.opens(cart);
    await app.asks();
    await app.asks({ pullRequest: 404 });
    expect(await app.credits()).toMatchObject({ used: 0, reserved: 2 });
    await app.work();
    expect(await app.credits()).toMatchObject({ used: 1, reserved: 0 });
  });

  test("refuse a review once they are spent, and leave no trace of it", async () => {
    await using app = await startTestApp({ creditsPerMonth: 1 });
    await app.asks();
    expect(app.asks()).rejects.toMatchObject({ kind: "insufficient_credits" });
    expect(await app.reviews()).toHaveLength(1);
    expect(await app.credits()).toEqual({ total: 1, used: 0, reserved: 1, remaining: 0 });
  });

  test("never go below zero, however many ask at once", async () => {
    await using app = await startTestApp({ creditsPerMonth: 10 });
    const answers = await Promise.allSettled(Array.from({ length: 50 }, () => app.asks()));
    expect(answers.filter((answer) => answer.status === "fulfilled")).toHaveLength(10);
    expect(await app.credits()).toEqual({ total: 10, used: 0, reserved: 10, remaining: 0 });
  });

  test("begin anew on the first of the month, whether or not anything ran at midnight", async () => {
    await using app = await startTestApp({ creditsPerMonth: 1 });
    app.git.opens(cart);
    await app.asks();
    await app.work();
    app.clock.set("2026-12-01T00:00:00.000Z");
    await app.asks();
    expect(await app.credits()).toEqual({ total: 1, used: 0, reserved: 1, remaining: 0 });
  });

  test("are there on the first of the month before anybody asks", async () => {
    await using app = await startTestApp();
    app.clock.set("2026-11-30T23:59:00.000Z");
    await app.passes("2 minutes");
    await app.work();
    expect(await app.credits()).toEqual({ total: 1_000, used: 0, reserved: 0, remaining: 1_000 });
  });

  test("are returned to the month they were reserved in", async () => {
    await using app = await startTestApp({ creditsPerMonth: 1 });
    app.clock.set("2026-11-30T23:59:59.000Z");
    await app.asks({ pullRequest: 404 });
    app.clock.set("2026-12-01T00:00:01.000Z");
    await app.asks({ pullRequest: 405 });
    await app.work();
    expect(await app.credits()).toEqual({ total: 1, used: 0, reserved: 0, remaining: 1 });
    expect(await app.store.credits.balance("org_acme", "2026-11")).toMatchObject({
      reserved: 0,
      remaining: 1,
    });
  });
});

describe("a review made by an event", () => {
  test("is pending and free until it is taken up", async () => {
    await using app = await startTestApp();
    app.git.opens(cart);
    const review = await app.asks({ origin: "event" });
    expect((await app.review(review)).status).toBe("pending");
    expect(await app.store.credits.balance("org_acme", "2026-11")).toBeNull();
    await app.work();
    expect((await app.review(review)).status).toBe("completed");
    expect(await app.credits()).toMatchObject({ used: 1, reserved: 0 });
  });

  test("waits as pending until there are credits again", async () => {
    await using app = await startTestApp({ creditsPerMonth: 1 });
    app.git.opens(cart);
    app.clock.set("2026-11-30T12:00:00.000Z");
    await app.asks();
    const review = await app.asks({ origin: "event" });
    await app.work();
    for (let look = 0; look < 20; look += 1) {
      await app.passes("10 minutes");
      await app.work();
    }
    expect((await app.review(review)).status).toBe("pending");
    app.clock.set("2026-12-01T00:00:01.000Z");
    await app.work();
    expect((await app.review(review)).status).toBe("completed");
    expect((await app.announced()).filter((event) => event.endsWith(review.id))).toEqual([
      `review.started ${review.id}`,
      `review.completed ${review.id}`,
    ]);
  });
});
