import { describe, expect, test } from "bun:test";
import { after, aReview, noon, type OpenTestStore, settleIn } from "./store-world.ts";

const acmeShop = "repo_acme/shop";

export function pullRequestHeadsContract(open: OpenTestStore): void {
  describe("the heads of pull requests", () => {
    test("are unknown until a baseline is recorded, be it empty", async () => {
      await using world = await open();
      await settleIn(world.store);
      expect(await world.store.pullRequestHeads.known(acmeShop)).toBeNull();
      await world.store.pullRequestHeads.record(acmeShop, [], noon);
      expect(await world.store.pullRequestHeads.known(acmeShop)).toEqual([]);
    });

    test("are those of the last listing, and of that repository alone", async () => {
      await using world = await open();
      await settleIn(world.store);
      await settleIn(world.store, "beta/shop");
      await world.store.pullRequestHeads.record(acmeShop, [{ number: 1, headSha: "a" }], noon);
      await world.store.pullRequestHeads.record("repo_beta/shop", [{ number: 1, headSha: "b" }], noon);
      await world.store.pullRequestHeads.record(acmeShop, [{ number: 2, headSha: "c" }], after(60));
      expect(await world.store.pullRequestHeads.known(acmeShop)).toEqual([{ number: 2, headSha: "c" }]);
      expect(await world.store.pullRequestHeads.known("repo_beta/shop")).toEqual([
        { number: 1, headSha: "b" },
      ]);
    });

    test("may be thousands", async () => {
      await using world = await open();
      await settleIn(world.store);
      const heads = Array.from({ length: 2_500 }, (_, number) => ({ number, headSha: `sha${number}` }));
      await world.store.pullRequestHeads.record(acmeShop, heads, noon);
      expect(await world.store.pullRequestHeads.known(acmeShop)).toHaveLength(2_500);
    });

    test("are forgotten with the baseline", async () => {
      await using world = await open();
      await settleIn(world.store);
      await world.store.pullRequestHeads.record(acmeShop, [{ number: 1, headSha: "a" }], noon);
      await world.store.pullRequestHeads.forget(acmeShop);
      expect(await world.store.pullRequestHeads.known(acmeShop)).toBeNull();
    });
  });

  describe("the unfinished reviews of a pull request", () => {
    test("are the pending and the processing ones, oldest first", async () => {
      await using world = await open();
      await settleIn(world.store);
      await world.store.reviews.insert(aReview("1", { status: "pending", origin: "event" }));
      await world.store.reviews.insert(aReview("2", { createdAt: after(1) }));
      await world.store.reviews.insert(aReview("3", { createdAt: after(2) }));
      await world.store.reviews.insert(aReview("4", { pullRequest: 8 }));
      await world.store.reviews.fail("rev_3", { code: "internal", message: "It broke." }, after(3));
      const unfinished = await world.store.reviews.unfinished(acmeShop, 7);
      expect(unfinished.map(({ id }) => id)).toEqual(["rev_1", "rev_2"]);
    });
  });
}
