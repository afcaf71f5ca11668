import { describe, expect, test } from "bun:test";
import { startTestApp, type TestApp } from "../support/app.ts";
import { aPullRequest } from "../support/builders.ts";
import { storeKinds } from "../support/databases.ts";

const cart = aPullRequest().adding("src/cart.ts", "eval(input);\n");

const asked = (app: TestApp) => app.git.questions.filter((question) => question.startsWith("getDiff"));

describe.each([...storeKinds()])("reviews that wait their turn, on %s", (_, open) => {
  test("run one after another on one pull request, each of them completing", async () => {
    await using app = await startTestApp({ open });
    app.git.opens(cart);
    app.git.hesitates();
    const [first, second] = [await app.asks(), await app.asks()];
    const work = app.work();
    await app.git.isAskedBy(1);
    expect((await app.review(second)).startedAt).toBeNull();
    app.git.answers();
    await work;
    expect((await app.review(first)).status).toBe("completed");
    expect((await app.review(second)).status).toBe("completed");
    expect(await app.credits()).toMatchObject({ used: 2, reserved: 0 });
  });

  test("run beside each other on different pull requests, up to three of an organization", async () => {
    await using app = await startTestApp({ open, reviewsAtOnce: 8 });
    app.git.hesitates();
    for (const pullRequest of [1, 2, 3, 4, 5]) {
      app.git.opens(cart.numbered(pullRequest));
      await app.asks({ pullRequest });
    }
    const work = app.work();
    await app.git.isAskedBy(3);
    const started = (await app.reviews()).filter((review) => review.startedAt !== null);
    expect(started.map((review) => review.pullRequest).sort()).toEqual([1, 2, 3]);
    app.git.answers();
    await work;
    expect(asked(app)).toHaveLength(5);
  });

  test("of a quiet organization do not wait behind those of a busy one", async () => {
    await using app = await startTestApp({ open, reviewsAtOnce: 1 });
    await app.hires("quiet");
    for (let pullRequest = 1; pullRequest <= 20; pullRequest += 1) {
      app.git.opens(cart.numbered(pullRequest));
      await app.asks({ pullRequest });
    }
    app.git.opens(cart.numbered(99));
    await app.asks({ organization: "quiet", pullRequest: 99 });
    await app.work();
    expect(asked(app).indexOf("getDiff acme/shop#99")).toBeLessThanOrEqual(1);
    expect(asked(app)).toHaveLength(21);
  });

  test("keep the order in which they were asked for", async () => {
    await using app = await startTestApp({ open, reviewsAtOnce: 1 });
    for (const pullRequest of [3, 1, 2]) {
      app.git.opens(cart.numbered(pullRequest));
      await app.asks({ pullRequest });
    }
    await app.work();
    expect(asked(app)).toEqual(["getDiff acme/shop#3", "getDiff acme/shop#1", "getDiff acme/shop#2"]);
  });

  test("are not held up by one that is tried again later", async () => {
    await using app = await startTestApp({ open, reviewsAtOnce: 1 });
    app.git.opens(cart.numbered(2));
    app.git.goesAway();
    const first = await app.asks({ pullRequest: 1 });
    await app.work();
    app.git.comesBack();
    const second = await app.asks({ pullRequest: 2 });
    await app.work();
    expect((await app.review(first)).status).toBe("processing");
    expect((await app.review(second)).status).toBe("completed");
  });
});
