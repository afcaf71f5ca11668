import { describe, expect, test } from "bun:test";
import { aComment, after, anOutcome, aReview, noon, type OpenTestStore, settleIn } from "./store-world.ts";

const unreachable = { code: "repository_unreachable", message: "The server does not answer." } as const;

export function reviewsContract(open: OpenTestStore): void {
  describe("a review", () => {
    test("comes back as it was stored", async () => {
      await using world = await open();
      await settleIn(world.store);
      const review = aReview("1", { options: { focusAreas: ["security"], severityThreshold: "high" } });
      await world.store.reviews.insert(review);
      expect(await world.store.reviews.get("org_acme", "rev_1")).toEqual({ ...review, comments: [] });
    });

    test("is nobody else's", async () => {
      await using world = await open();
      await settleIn(world.store);
      await settleIn(world.store, "other/shop");
      await world.store.reviews.insert(aReview("1"));
      expect(await world.store.reviews.get("org_other", "rev_1")).toBeNull();
    });

    test("starts once", async () => {
      await using world = await open();
      await settleIn(world.store);
      await world.store.reviews.insert(aReview("1", { status: "pending", origin: "event" }));
      expect(await world.store.reviews.start("rev_1", after(1))).toBe(true);
      expect(await world.store.reviews.start("rev_1", after(2))).toBe(false);
      const started = { status: "processing", startedAt: after(1) };
      expect(await world.store.reviews.get("org_acme", "rev_1")).toMatchObject(started);
    });

    test("starts once too when it was processing from its creation", async () => {
      await using world = await open();
      await settleIn(world.store);
      await world.store.reviews.insert(aReview("1"));
      const answers = await Promise.all([1, 2, 3].map((n) => world.store.reviews.start("rev_1", after(n))));
      expect(answers.filter((isFirst) => isFirst)).toHaveLength(1);
    });

    test("remembers what the host said of the pull request", async () => {
      await using world = await open();
      await settleIn(world.store);
      await world.store.reviews.insert(aReview("1"));
      const known = {
        pullRequestUrl: "https://git.example/7",
        headSha: "b".repeat(40),
        baseSha: "a".repeat(40),
      };
      await world.store.reviews.setPullRequest("rev_1", known);
      expect(await world.store.reviews.get("org_acme", "rev_1")).toMatchObject(known);
    });

    test("completes with its comments, in their order", async () => {
      await using world = await open();
      await settleIn(world.store);
      await world.store.reviews.insert(aReview("1"));
      const comments = [
        aComment(30),
        aComment(10),
        { ...aComment(20), startLine: 18, suggestion: "run()\n", cwe: null },
      ];
      const outcome = anOutcome(comments);
      expect(await world.store.reviews.complete("rev_1", outcome, after(9))).toBe(true);
      expect(await world.store.reviews.get("org_acme", "rev_1")).toMatchObject({
        status: "completed",
        summary: outcome.summary,
        metrics: outcome.metrics,
        commentsCount: 3,
        completedAt: after(9),
        comments,
      });
    });

    test("holds more comments than one statement takes", async () => {
      await using world = await open();
      await settleIn(world.store);
      await world.store.reviews.insert(aReview("1"));
      const comments = Array.from({ length: 1201 }, (_, index) => aComment(index + 1));
      await world.store.reviews.complete("rev_1", anOutcome(comments), after(9));
      const stored = await world.store.reviews.get("org_acme", "rev_1");
      expect(stored?.comments.map(({ line }) => line)).toEqual(comments.map(({ line }) => line));
    });

    test("fails with its cause", async () => {
      await using world = await open();
      await settleIn(world.store);
      await world.store.reviews.insert(aReview("1"));
      expect(await world.store.reviews.fail("rev_1", unreachable, after(3))).toBe(true);
      const failed = {
        status: "failed",
        failure: unreachable,
        completedAt: after(3),
        comments: [],
        metrics: null,
      };
      expect(await world.store.reviews.get("org_acme", "rev_1")).toMatchObject(failed);
    });

    test("never goes back once it has ended", async () => {
      await using world = await open();
      await settleIn(world.store);
      for (const id of ["1", "2"]) await world.store.reviews.insert(aReview(id));
      await world.store.reviews.complete("rev_1", anOutcome(), after(1));
      await world.store.reviews.fail("rev_2", unreachable, after(1));
      for (const id of ["rev_1", "rev_2"]) {
        expect(await world.store.reviews.start(id, after(2))).toBe(false);
        expect(await world.store.reviews.complete(id, anOutcome([aComment(1)]), after(2))).toBe(false);
        expect(await world.store.reviews.fail(id, unreachable, after(2))).toBe(false);
      }
      expect(await world.store.reviews.get("org_acme", "rev_1")).toMatchObject({
        status: "completed",
        comments: [],
      });
      expect(await world.store.reviews.get("org_acme", "rev_2")).toMatchObject({
        status: "failed",
        completedAt: after(1),
      });
    });

    test("ends once, whoever ends it at the same time", async () => {
      await using world = await open();
      await settleIn(world.store);
      await world.store.reviews.insert(aReview("1", { status: "pending" }));
      const ends = await Promise.all([
        world.store.reviews.start("rev_1", after(1)),
        world.store.reviews.complete("rev_1", anOutcome(), after(2)),
        world.store.reviews.fail("rev_1", unreachable, after(2)),
        world.store.reviews.complete("rev_1", anOutcome(), after(2)),
      ]);
      expect(ends.slice(1).filter((ended) => ended)).toHaveLength(1);
      const { items } = await world.store.reviews.list(
        "org_acme",
        { status: "processing" },
        { offset: 0, limit: 9 },
      );
      expect(items).toEqual([]);
    });
  });

  describe("usage of a month", () => {
    test("is nothing before the first review", async () => {
      await using world = await open();
      await settleIn(world.store);
      const nothing = { reviews: 0, tokensUsed: 0, averageSeconds: 0 };
      expect(await world.store.reviews.usage("org_acme", "2026-11")).toEqual(nothing);
      expect(await world.store.reviews.recentDurationSeconds("org_acme")).toBeNull();
    });

    test("counts the month's reviews without superseded ones, and averages the completed", async () => {
      await using world = await open();
      await settleIn(world.store);
      for (const id of ["1", "2", "3", "4"])
        await world.store.reviews.insert(aReview(id, { createdAt: noon }));
      await world.store.reviews.insert(aReview("5", { createdAt: new Date("2026-12-01T00:00:00.000Z") }));
      await world.store.reviews.complete("rev_1", anOutcome(), after(9));
      const slow = { filesAnalyzed: 1, tokensUsed: 3_000_000_000, durationSeconds: 30 };
      await world.store.reviews.complete("rev_2", { ...anOutcome(), metrics: slow }, after(9));
      await world.store.reviews.fail("rev_3", { code: "superseded", message: "A newer push." }, after(9));
      await world.store.reviews.fail("rev_4", unreachable, after(9));
      expect(await world.store.reviews.usage("org_acme", "2026-11")).toEqual({
        reviews: 3,
        tokensUsed: 3_000_000_120,
        averageSeconds: 20,
      });
      expect(await world.store.reviews.usage("org_acme", "2026-12")).toMatchObject({ reviews: 1 });
      expect(await world.store.reviews.recentDurationSeconds("org_acme")).toBe(20);
    });
  });
}
