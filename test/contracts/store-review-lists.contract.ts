import { describe, expect, test } from "bun:test";
import type { ReviewFilter, Store } from "../../src/domain/store.ts";
import { after, anOutcome, aRepository, aReview, noon, type OpenTestStore, settleIn } from "./store-world.ts";

export function reviewListsContract(open: OpenTestStore): void {
  describe("the list of reviews", () => {
    test("shows the newest first, and of the same moment the higher id", async () => {
      await using world = await open();
      await settleIn(world.store);
      await world.store.reviews.insert(aReview("b", { createdAt: after(1) }));
      await world.store.reviews.insert(aReview("c", { createdAt: after(1) }));
      await world.store.reviews.insert(aReview("a", { createdAt: after(2) }));
      expect(await ids(world.store)).toEqual(["rev_a", "rev_c", "rev_b"]);
    });

    test("pages without a gap or a repetition, and is empty past the end", async () => {
      await using world = await open();
      await settleIn(world.store);
      for (let n = 1; n <= 7; n++)
        await world.store.reviews.insert(aReview(String(n), { createdAt: after(n) }));
      expect(await ids(world.store, {}, { offset: 0, limit: 3 })).toEqual(["rev_7", "rev_6", "rev_5"]);
      expect(await ids(world.store, {}, { offset: 6, limit: 3 })).toEqual(["rev_1"]);
      const past = await world.store.reviews.list("org_acme", {}, { offset: 9, limit: 3 });
      expect(past).toEqual({ items: [], total: 7 });
    });

    test("filters by status and repository, with the total of what matches", async () => {
      await using world = await open();
      await settleIn(world.store);
      await world.store.repositories.insert(aRepository("acme/api"));
      await world.store.reviews.insert(aReview("1", { createdAt: after(1) }));
      await world.store.reviews.insert(aReview("2", { createdAt: after(2), repository: "acme/api" }));
      await world.store.reviews.insert(aReview("3", { createdAt: after(3), status: "pending" }));
      await world.store.reviews.insert(aReview("4", { createdAt: after(4) }));
      await world.store.reviews.complete("rev_1", anOutcome(), after(5));
      await world.store.reviews.complete("rev_2", anOutcome(), after(5));
      await world.store.reviews.fail("rev_4", { code: "timed_out", message: "Too slow." }, after(5));

      const found = async (filter: ReviewFilter) => {
        const { items, total } = await world.store.reviews.list("org_acme", filter, { offset: 0, limit: 9 });
        expect(total).toBe(items.length);
        return items.map(({ id }) => id);
      };
      expect(await found({})).toEqual(["rev_4", "rev_3", "rev_2", "rev_1"]);
      expect(await found({ status: "completed" })).toEqual(["rev_2", "rev_1"]);
      expect(await found({ status: "pending" })).toEqual(["rev_3"]);
      expect(await found({ status: "processing" })).toEqual([]);
      expect(await found({ repository: "acme/shop" })).toEqual(["rev_4", "rev_3", "rev_1"]);
      expect(await found({ repository: "acme/shop", status: "failed" })).toEqual(["rev_4"]);
      expect(await found({ repository: "acme/nothing" })).toEqual([]);
    });

    test("shows one organization's reviews only", async () => {
      await using world = await open();
      await settleIn(world.store);
      await settleIn(world.store, "other/shop");
      await world.store.reviews.insert(aReview("1"));
      await world.store.reviews.insert(aReview("2", { repository: "other/shop" }));
      expect(await ids(world.store)).toEqual(["rev_1"]);
    });

    test("says of each review what a list shows", async () => {
      await using world = await open();
      await settleIn(world.store);
      await world.store.reviews.insert(aReview("1", { pullRequest: 2_147_483_647, origin: "event" }));
      await world.store.reviews.start("rev_1", after(1));
      await world.store.reviews.fail("rev_1", { code: "timed_out", message: "Too slow." }, after(5));
      const { items } = await world.store.reviews.list("org_acme", {}, { offset: 0, limit: 1 });
      const { id, repository, commentsCount, createdAt } = aReview("1");
      const moved = { pullRequest: 2_147_483_647, status: "failed", completedAt: after(5) } as const;
      expect(items).toEqual([{ id, repository, commentsCount, createdAt, ...moved }]);
    });

    test("reads the same inside a transaction, with what that has changed", async () => {
      await using world = await open();
      await settleIn(world.store);
      await world.store.transaction(async (tx) => {
        await tx.reviews.insert(aReview("1"));
        expect(await ids(tx)).toEqual(["rev_1"]);
      });
      expect(await ids(world.store)).toEqual(["rev_1"]);
    });

    test("keeps its totals right whatever happens at once", async () => {
      await using world = await open();
      await settleIn(world.store);
      const numbers = Array.from({ length: 60 }, (_, index) => String(index));
      await Promise.all(numbers.map((id) => world.store.reviews.insert(aReview(id, { status: "pending" }))));
      await Promise.all(
        numbers.map(async (id, index) => {
          await world.store.reviews.start(`rev_${id}`, noon);
          if (index % 3 === 0) await world.store.reviews.complete(`rev_${id}`, anOutcome(), noon);
          if (index % 3 === 1)
            await world.store.reviews.fail(`rev_${id}`, { code: "internal", message: "?" }, noon);
        }),
      );
      const total = async (filter: ReviewFilter) =>
        (await world.store.reviews.list("org_acme", filter, { offset: 0, limit: 1 })).total;
      expect(await total({})).toBe(60);
      expect(await total({ status: "pending" })).toBe(0);
      for (const status of ["processing", "completed", "failed"] as const)
        expect(await total({ status })).toBe(20);
      expect(await total({ repository: "acme/shop", status: "completed" })).toBe(20);
    });
  });

  describe("the version of an organization's reviews", () => {
    test("changes with everything a list could show, and stays while nothing happens", async () => {
      await using world = await open();
      await settleIn(world.store);
      const { reviews } = world.store;
      const steps = [
        () => reviews.insert(aReview("1", { status: "pending" })),
        () => reviews.start("rev_1", after(1)),
        () =>
          reviews.setPullRequest("rev_1", { pullRequestUrl: null, headSha: "a".repeat(40), baseSha: null }),
        () => reviews.complete("rev_1", anOutcome(), after(2)),
      ];
      const versions = [await reviews.version("org_acme")];
      for (const step of steps) {
        await step();
        versions.push(await reviews.version("org_acme"));
        expect(await reviews.version("org_acme")).toBe(versions.at(-1) ?? Number.NaN);
      }
      expect(new Set(versions).size).toBe(steps.length + 1);
    });

    test("is an organization's own", async () => {
      await using world = await open();
      await settleIn(world.store);
      await settleIn(world.store, "other/shop");
      const before = await world.store.reviews.version("org_other");
      await world.store.reviews.insert(aReview("1"));
      expect(await world.store.reviews.version("org_other")).toBe(before);
    });
  });
}

async function ids(
  store: Store,
  filter: ReviewFilter = {},
  page = { offset: 0, limit: 20 },
): Promise<string[]> {
  const { items } = await store.reviews.list("org_acme", filter, page);
  return items.map(({ id }) => id);
}
