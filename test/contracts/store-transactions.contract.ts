import { describe, expect, test } from "bun:test";
import { anOrganization, aPlanNamed, failureOf, type OpenTestStore, settleIn } from "./store-world.ts";

export function transactionsContract(open: OpenTestStore): void {
  describe("a transaction", () => {
    test("shows its work to itself at once and to others once it has ended", async () => {
      await using world = await open();
      await world.store.transaction(async (tx) => {
        await tx.plans.put(aPlanNamed("small"));
        expect(await tx.plans.get("small")).not.toBeNull();
      });
      expect(await world.store.plans.get("small")).not.toBeNull();
    });

    test("answers what its work answers", async () => {
      await using world = await open();
      expect(await world.store.transaction(async () => "done")).toBe("done");
    });

    test("is undone whole when its work throws, and throws the same", async () => {
      await using world = await open();
      const failure = new Error("no");
      const work = world.store.transaction(async (tx) => {
        await tx.plans.put(aPlanNamed("small"));
        await tx.organizations.insert(anOrganization());
        throw failure;
      });
      expect(await failureOf(work)).toBe(failure);
      expect(await world.store.plans.list()).toEqual([]);
      expect(await world.store.organizations.list()).toEqual([]);
    });

    test("is lost with its first failed statement, though its work goes on", async () => {
      await using world = await open();
      await world.store.organizations.insert(anOrganization());
      const work = world.store.transaction(async (tx) => {
        await tx.plans.put(aPlanNamed("small"));
        await tx.organizations.insert(anOrganization()).catch(() => "never mind");
      });
      expect(await failureOf(work)).toMatchObject({ kind: "conflict" });
      expect(await world.store.plans.list()).toEqual([]);
    });

    test("takes nothing of the others down with it", async () => {
      await using world = await open();
      const outcomes = await Promise.allSettled(
        Array.from({ length: 40 }, (_, n) =>
          world.store.transaction(async (tx) => {
            await tx.plans.put(aPlanNamed(`plan-${n}`));
            if (n % 4 === 0) throw new Error("no");
          }),
        ),
      );
      expect(outcomes.filter(({ status }) => status === "rejected")).toHaveLength(10);
      expect(await world.store.plans.list()).toHaveLength(30);
    });

    test("is joined by a transaction inside of it", async () => {
      await using world = await open();
      const work = world.store.transaction(async (tx) => {
        await tx.transaction(async (inner) => inner.plans.put(aPlanNamed("small")));
        expect(await tx.plans.get("small")).not.toBeNull();
        throw new Error("no");
      });
      expect(await failureOf(work)).toMatchObject({ message: "no" });
      expect(await world.store.plans.list()).toEqual([]);
    });

    test("refuses the store itself inside of it, reads, writes and transactions alike", async () => {
      await using world = await open();
      const outside = { message: expect.stringContaining("inside a transaction use its tx") };
      await world.store.transaction(async (tx) => {
        expect(await failureOf(world.store.plans.list())).toMatchObject(outside);
        const page = { offset: 0, limit: 1 };
        expect(await failureOf(world.store.reviews.list("org_acme", {}, page))).toMatchObject(outside);
        expect(await failureOf(world.store.plans.put(aPlanNamed("small")))).toMatchObject(outside);
        expect(await failureOf(world.store.transaction(async () => undefined))).toMatchObject(outside);
        await tx.plans.put(aPlanNamed("fine"));
      });
      expect(await world.store.plans.list()).toMatchObject([{ name: "fine" }]);
    });

    test("is over for its tx once it has ended", async () => {
      await using world = await open();
      const kept = await world.store.transaction(async (tx) => ({ tx }));
      expect(await failureOf(kept.tx.plans.put(aPlanNamed("late")))).toMatchObject({
        message: expect.stringMatching(/ended|committed/),
      });
      expect(await world.store.plans.list()).toEqual([]);
    });

    test("reads and then writes without losing a count, 50 times at once", async () => {
      await using world = await open();
      await world.store.settings.put("count", 0);
      await Promise.all(
        Array.from({ length: 50 }, () =>
          world.store.transaction(async (tx) => {
            await tx.rates.add("org_acme", "2026-11-21T12", 1);
            const before = Number(await tx.settings.get("count"));
            await tx.settings.put("count", before + 1);
          }),
        ),
      );
      expect(await world.store.settings.get("count")).toBe(50);
    });
  });

  describe("a write", () => {
    test("is seen by every read after its answer", async () => {
      await using world = await open();
      for (let n = 1; n <= 50; n++) {
        await world.store.settings.put("n", n);
        expect(await world.store.settings.get("n")).toBe(n);
      }
    });

    test("of many at once is answered for each, conflicts included", async () => {
      await using world = await open();
      const answers = await Promise.allSettled(
        Array.from({ length: 60 }, (_, n) =>
          world.store.organizations.insert(anOrganization(`org${n % 30}`)),
        ),
      );
      expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(30);
      for (const answer of answers) {
        if (answer.status === "rejected") expect(answer.reason).toMatchObject({ kind: "conflict" });
      }
      expect(await world.store.organizations.list()).toHaveLength(30);
    });

    test("that points at nothing is a conflict", async () => {
      await using world = await open();
      await settleIn(world.store);
      const moved = world.store.repositories.update("repo_acme/shop", { codeHostId: "host_nobody" });
      expect(await failureOf(moved)).toMatchObject({ kind: "conflict" });
    });
  });

  describe("the store", () => {
    test("answers when it is asked whether it is there", async () => {
      await using world = await open();
      expect(await world.store.ping()).toBeUndefined();
    });
  });
}
