import { describe, expect, test } from "bun:test";
import { startTestApp, type TestApp } from "../support/app.ts";
import { aPullRequest } from "../support/builders.ts";
import { storeKinds } from "../support/databases.ts";

const first = aPullRequest().adding("src/cart.ts", "eval(first);\n");
const second = aPullRequest().adding("src/cart.ts", "eval(second);\n");
const third = aPullRequest().adding("src/cart.ts", "eval(third);\n");

/** A minute passes, heads are listed, and what was found is reviewed. */
async function aMinutePasses(app: TestApp): Promise<void> {
  await app.passes("1 minute");
  await app.work();
}

async function watched(options: Parameters<typeof startTestApp>[0] = {}): Promise<TestApp> {
  const app = await startTestApp(options);
  await app.store.repositories.update("repo_acme", { autoReview: true });
  return app;
}

const causes = async (app: TestApp) =>
  (await app.reviews()).map((review) => review.failure?.code ?? review.status);

describe.each([...storeKinds()])("auto-review on a host without webhooks, on %s", (_, open) => {
  test("leaves the heads that were there when it was turned on", async () => {
    await using app = await watched({ open });
    app.git.opens(first);
    await aMinutePasses(app);
    await aMinutePasses(app);
    expect(await app.reviews()).toEqual([]);
  });

  test("reviews a pull request that is opened afterwards, once", async () => {
    await using app = await watched({ open });
    await aMinutePasses(app);
    app.git.opens(first);
    await aMinutePasses(app);
    await aMinutePasses(app);
    const reviews = await app.reviews();
    expect(reviews).toHaveLength(1);
    expect(reviews[0]).toMatchObject({ origin: "event", status: "completed", commentsCount: 1 });
    expect(await app.credits()).toMatchObject({ used: 1, reserved: 0 });
  });

  test("reviews each push", async () => {
    await using app = await watched({ open });
    app.git.opens(first);
    await aMinutePasses(app);
    app.git.pushes(second);
    await aMinutePasses(app);
    app.git.pushes(third);
    await aMinutePasses(app);
    expect(await causes(app)).toEqual(["completed", "completed"]);
  });
});

describe("auto-review", () => {
  test("does nothing where it is not turned on", async () => {
    await using app = await startTestApp();
    await aMinutePasses(app);
    app.git.opens(first);
    await aMinutePasses(app);
    expect(await app.reviews()).toEqual([]);
  });

  test("fails the review of an older head that still waits, and announces that", async () => {
    await using app = await watched({ creditsPerMonth: 0 });
    await aMinutePasses(app);
    app.git.opens(first);
    await aMinutePasses(app);
    expect(await causes(app)).toEqual(["pending"]);
    app.git.pushes(second);
    await aMinutePasses(app);
    expect(await causes(app)).toEqual(["pending", "superseded"]);
    const [newer, older] = await app.reviews();
    expect(newer?.status).toBe("pending");
    expect(await app.announced()).toEqual([`review.failed ${older?.id}`]);
  });

  test("fails a running review whose head has moved, stores nothing of it and returns its credit", async () => {
    await using app = await watched();
    await aMinutePasses(app);
    app.git.opens(first);
    await app.passes("1 minute");
    app.git.hesitates();
    const work = app.work();
    await app.git.isAskedBy(1);
    app.git.pushes(second);
    await app.passes("1 minute");
    const polling = app.work();
    while ((await app.reviews()).length < 2) await Bun.sleep(1);
    app.git.answers();
    await Promise.all([work, polling]);
    await app.work();
    const [newer, older] = await app.reviews();
    expect(older).toMatchObject({ status: "failed", failure: { code: "superseded" }, comments: [] });
    expect(newer?.status).toBe("completed");
    expect(await app.credits()).toMatchObject({ used: 1, reserved: 0 });
  });

  test("leaves a review that was asked for by API alone", async () => {
    await using app = await watched({ creditsPerMonth: 1 });
    app.git.opens(first);
    await aMinutePasses(app);
    app.git.hesitates();
    const asked = await app.asks();
    const work = app.work();
    await app.git.isAskedBy(1);
    app.git.pushes(second);
    await app.passes("1 minute");
    const polling = app.work();
    while ((await app.reviews()).length < 2) await Bun.sleep(1);
    app.git.answers();
    await Promise.all([work, polling]);
    expect((await app.review(asked)).status).toBe("completed");
  });

  test("keeps to the heads it has seen over a crash", async () => {
    await using app = await watched();
    await aMinutePasses(app);
    app.git.opens(first);
    await aMinutePasses(app);
    await app.crashesAndRestarts();
    await aMinutePasses(app);
    expect(await app.reviews()).toHaveLength(1);
  });

  test("looks again after a server that was away", async () => {
    await using app = await watched();
    await aMinutePasses(app);
    app.git.opens(first);
    app.git.goesAway();
    await aMinutePasses(app);
    expect(await app.reviews()).toEqual([]);
    app.git.comesBack();
    await aMinutePasses(app);
    expect(await app.reviews()).toHaveLength(1);
  });

  test("forgets a pull request that was closed, and reviews it when it is opened again", async () => {
    await using app = await watched();
    await aMinutePasses(app);
    app.git.opens(first);
    await aMinutePasses(app);
    app.git.closes({ repository: "acme/shop", number: 7 });
    await aMinutePasses(app);
    app.git.opens(first);
    await aMinutePasses(app);
    expect(await app.reviews()).toHaveLength(2);
  });
});
