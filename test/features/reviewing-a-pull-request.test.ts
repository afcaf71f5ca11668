import { describe, expect, test } from "bun:test";
import { startTestApp } from "../support/app.ts";
import { anEngine, aPullRequest } from "../support/builders.ts";

const cart = aPullRequest().changing(
  "src/cart.ts",
  `
    const total = 1;
  + eval(input);
    done();
  `,
);

describe("reviewing a pull request", () => {
  test("comments on the line that the pull request added", async () => {
    await using app = await startTestApp();
    app.git.opens(cart);
    await app.asks();
    await app.work();
    expect(await app.comments()).toEqual(["src/cart.ts:2 high bug Runs its input."]);
  });

  test("is processing from its creation, and completed with a summary and metrics", async () => {
    await using app = await startTestApp({
      engines: [
        anEngine(async () => {
          app.clock.passes("2 seconds");
          return { tokensUsed: 120 };
        }),
      ],
    });
    app.git.opens(cart);
    const review = await app.asks();
    expect(await app.review(review)).toMatchObject({
      ...{
        status: "processing",
        summary: null,
        comments: [],
        metrics: null,
        startedAt: null,
        completedAt: null,
      },
    });
    await app.passes("1 minute");
    await app.work();
    expect(await app.review(review)).toMatchObject({
      status: "completed",
      summary: "1 file changed (+1 −0): `src/cart.ts`.\n\nNo comments of severity low or above.",
      metrics: { filesAnalyzed: 1, tokensUsed: 120, durationSeconds: 2 },
      createdAt: new Date("2026-11-21T06:00:00.000Z"),
      startedAt: new Date("2026-11-21T06:01:00.000Z"),
      completedAt: new Date("2026-11-21T06:01:02.000Z"),
    });
  });

  test("records which commits it looked at, and the pull request's page", async () => {
    await using app = await startTestApp();
    app.git.opens(cart);
    const review = await app.asks();
    await app.work();
    const [{ headSha } = { headSha: null }] = await app.git.listPullRequests(
      "acme/shop",
      new AbortController().signal,
    );
    expect(await app.review(review)).toMatchObject({
      headSha,
      pullRequestUrl: "https://git.test/acme/shop/pulls/7",
    });
  });

  test("announces its start once and its completion once", async () => {
    await using app = await startTestApp();
    app.git.opens(cart);
    const { id } = await app.asks();
    expect(await app.announced()).toEqual([]);
    app.git.goesAway();
    await app.work();
    app.git.comesBack();
    await app.settles();
    expect(await app.announced()).toEqual([`review.started ${id}`, `review.completed ${id}`]);
  });

  test("does not ask the code host anything when the review is asked for", async () => {
    await using app = await startTestApp();
    await app.asks({ pullRequest: 404 });
    expect(app.git.questions).toEqual([]);
  });

  test("refuses a repository on which it is not enabled", async () => {
    await using app = await startTestApp();
    expect(app.asks({ repository: "acme/other" })).rejects.toMatchObject({ kind: "repository_not_enabled" });
    await app.store.repositories.update("repo_acme", { disabledAt: app.clock.now() });
    expect(app.asks()).rejects.toMatchObject({ kind: "repository_not_enabled" });
    expect(await app.reviews()).toEqual([]);
  });

  test("honours the focus areas and the severity threshold of the request", async () => {
    await using app = await startTestApp();
    app.git.opens(cart);
    for (const asked of [{ focusAreas: ["security"] }, { severityThreshold: "critical" }] as const) {
      await app.asks(asked);
      await app.work();
      expect(await app.comments()).toEqual([]);
    }
  });

  test("finishes on the head it fetched when the branch is pushed to meanwhile", async () => {
    await using app = await startTestApp();
    app.git.opens(cart);
    app.git.hesitates();
    await app.asks();
    const work = app.work();
    await app.git.isAskedBy(1);
    app.git.pushes(aPullRequest().adding("src/other.ts", "eval(x);\n"));
    app.git.answers();
    await work;
    expect(await app.comments()).toEqual(["src/cart.ts:2 high bug Runs its input."]);
  });

  test("reviews an empty pull request and says that it is empty", async () => {
    await using app = await startTestApp();
    app.git.opens(aPullRequest());
    const review = await app.asks();
    await app.work();
    expect(await app.review(review)).toMatchObject({
      status: "completed",
      summary: "Nothing changed: the head has nothing that the base lacks.",
      commentsCount: 0,
    });
  });

  test("reviews ten thousand files in part and says so", async () => {
    await using app = await startTestApp();
    const head = Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [`src/${n}.ts`, "eval(x);\n"]));
    app.git.opens({ ...aPullRequest(), base: {}, head });
    const review = await app.asks();
    await app.work();
    const { status, summary, commentsCount } = await app.review(review);
    expect({ status, commentsCount }).toEqual({ status: "completed", commentsCount: 50 });
    expect(summary).toContain("Not read (7000 files):\n- beyond the first 3000 files: ");
    expect(summary).toContain("A review has at most 50; 2950 more were left out: 2950 high.");
  });
});
