import { describe, expect, test } from "bun:test";
import { sql } from "kysely";
import type { TestStore } from "../support/databases.ts";
import { anOrganization, aReview, failureOf, noon, type OpenTestStore, settleIn } from "./store-world.ts";

const period = "2026-11";

export function creditsContract(open: OpenTestStore): void {
  describe("credits", () => {
    test("are granted once a period", async () => {
      await using world = await open();
      const { credits } = await started(world, null);
      expect(await credits.balance("org_acme", period)).toBeNull();
      expect(await credits.grant("org_acme", period, 100, noon)).toBe(true);
      expect(await credits.grant("org_acme", period, 500, noon)).toBe(false);
      expect(await credits.grant("org_acme", "2026-12", 70, noon)).toBe(true);
      expect(await credits.balance("org_acme", period)).toEqual({
        period,
        total: 100,
        used: 0,
        reserved: 0,
        remaining: 100,
      });
    });

    test("are granted once, however many processes notice the new month", async () => {
      await using world = await open();
      const { credits } = await started(world, null);
      const grants = await Promise.all(
        Array.from({ length: 8 }, () => credits.grant("org_acme", period, 100, noon)),
      );
      expect(grants.filter((isFirst) => isFirst)).toHaveLength(1);
      expect(await credits.balance("org_acme", period)).toMatchObject({ total: 100 });
    });

    test("of 100 are reserved exactly 100 times by 500 reviews at once", async () => {
      await using world = await open();
      const { credits } = await started(world, 100);
      const answers = await Promise.all(
        Array.from({ length: 500 }, (_, n) => credits.reserve("org_acme", period, `rev_${n}`, 1, noon)),
      );
      expect(answers.filter((answer) => answer === "reserved")).toHaveLength(100);
      expect(await credits.balance("org_acme", period)).toMatchObject({ reserved: 100, remaining: 0 });
      await expectLedgerAgrees(world);
    });

    test("are not there before the period's grant", async () => {
      await using world = await open();
      const { credits } = await started(world, null);
      expect(await credits.reserve("org_acme", period, "rev_1", 1, noon)).toBe("insufficient");
    });

    test("are taken once for a review that asks again", async () => {
      await using world = await open();
      const { credits } = await started(world, 1);
      expect(await credits.reserve("org_acme", period, "rev_1", 1, noon)).toBe("reserved");
      expect(await credits.reserve("org_acme", period, "rev_1", 1, noon)).toBe("reserved");
      expect(await credits.balance("org_acme", period)).toMatchObject({ reserved: 1, remaining: 0 });
    });

    test("are used when settled and come back when released, each once", async () => {
      await using world = await open();
      const { credits } = await started(world, 10);
      for (const id of ["rev_1", "rev_2"]) await credits.reserve("org_acme", period, id, 1, noon);
      await Promise.all([1, 2, 3].map(() => credits.settle("rev_1", noon)));
      await Promise.all([1, 2, 3].map(() => credits.release("rev_2", noon)));
      await credits.release("rev_1", noon);
      await credits.settle("rev_2", noon);
      const balance = { total: 10, used: 1, reserved: 0, remaining: 9 };
      expect(await credits.balance("org_acme", period)).toMatchObject(balance);
      await expectLedgerAgrees(world);
    });

    test("are either used or returned when both happen at once", async () => {
      await using world = await open();
      const { credits } = await started(world, 10);
      await credits.reserve("org_acme", period, "rev_1", 1, noon);
      await Promise.all([credits.settle("rev_1", noon), credits.release("rev_1", noon)]);
      const balance = await credits.balance("org_acme", period);
      expect(balance?.reserved).toBe(0);
      expect((balance?.used ?? 0) + (balance?.remaining ?? 0)).toBe(10);
      await expectLedgerAgrees(world);
    });

    test("of a review that has none are neither used nor returned", async () => {
      await using world = await open();
      const { credits } = await started(world, 10);
      await credits.settle("rev_9", noon);
      await credits.release("rev_9", noon);
      expect(await credits.balance("org_acme", period)).toMatchObject({ total: 10, remaining: 10 });
    });

    test("follow a change of plan, down to no less than what is used and reserved", async () => {
      await using world = await open();
      const { credits } = await started(world, 10);
      for (const id of ["rev_1", "rev_2", "rev_3"]) await credits.reserve("org_acme", period, id, 1, noon);
      await credits.settle("rev_1", noon);
      await credits.adjustTotal("org_acme", period, 50, noon);
      expect(await credits.balance("org_acme", period)).toMatchObject({ total: 50, remaining: 47 });
      await credits.adjustTotal("org_acme", period, 1, noon);
      expect(await credits.balance("org_acme", period)).toMatchObject({ total: 3, remaining: 0 });
      await credits.release("rev_2", noon);
      expect(await credits.balance("org_acme", period)).toMatchObject({ total: 3, used: 1, remaining: 1 });
      await credits.adjustTotal("org_acme", "2026-12", 5, noon);
      expect(await credits.balance("org_acme", "2026-12")).toBeNull();
      await expectLedgerAgrees(world);
    });

    test("stay right when plans change while reviews take credits", async () => {
      await using world = await open();
      const { credits } = await started(world, 20);
      await Promise.all(
        Array.from({ length: 60 }, (_, n) =>
          n % 6 === 0
            ? credits.adjustTotal("org_acme", period, n, noon)
            : credits.reserve("org_acme", period, `rev_${n}`, 1, noon),
        ),
      );
      const balance = await credits.balance("org_acme", period);
      expect(balance?.remaining).toBeGreaterThanOrEqual(0);
      await expectLedgerAgrees(world);
    });

    test("come back whole when the transaction that took them fails", async () => {
      await using world = await open();
      await settleIn(world.store);
      await world.store.credits.grant("org_acme", period, 5, noon);
      const accepted = world.store.transaction(async (tx) => {
        await tx.credits.reserve("org_acme", period, "rev_1", 1, noon);
        await tx.reviews.insert(aReview("1", { repositoryId: "repo_nobody" }));
      });
      expect(await failureOf(accepted)).toMatchObject({ kind: "conflict" });
      expect(await world.store.credits.balance("org_acme", period)).toMatchObject({
        reserved: 0,
        remaining: 5,
      });
    });
  });
}

async function started(world: TestStore, grant: number | null) {
  await world.store.organizations.insert(anOrganization());
  if (grant !== null) await world.store.credits.grant("org_acme", period, grant, noon);
  return world.store;
}

/** What remains is the sum of the ledger's entries, to the credit. */
async function expectLedgerAgrees(world: TestStore): Promise<void> {
  const { rows } = await sql<{ sum: number }>`
    SELECT cast(coalesce(sum(amount), 0) AS integer) AS sum FROM credit_entries WHERE period = ${period}`.execute(
    world.kysely,
  );
  const balance = await world.store.credits.balance("org_acme", period);
  expect(rows[0]?.sum).toBe(balance?.remaining ?? Number.NaN);
}
