import { describe, expect, test } from "bun:test";
import { createPrune } from "../../src/worker/housekeeping.ts";
import { openWorkshop } from "./workshop.ts";

describe("pruning", () => {
  test("forgets ended jobs after a week, idempotency keys after a day and counted requests after their hour", async () => {
    await using shop = await openWorkshop({
      handlers: {
        work: { run: async () => {} },
        prune: { run: (run) => createPrune(shop.clock).run(run) },
      },
    });
    const { clock, store, worker } = shop;
    const prune = async () => {
      await shop.enqueue({ lane: "cron", kind: "prune" });
      await worker.runUntilIdle();
    };
    await shop.enqueue();
    await worker.runUntilIdle();
    await store.organizations.insert({
      ...{
        id: "org_acme",
        slug: "acme",
        name: "acme",
        plan: "team",
        creditsPerMonth: null,
        requestsPerHour: null,
      },
      createdAt: clock.now(),
    });
    await store.idempotency.begin("org_acme", "POST /v1/reviews", "key", "body", clock.now());
    await store.rates.add("org_acme", "2026-11-21T06", 3);

    await prune();
    expect(await store.rates.load("2026-11-21T06")).toHaveLength(1);
    clock.passes("2 hours");
    await prune();
    expect(await store.rates.load("2026-11-21T06")).toEqual([]);

    clock.passes("23 hours");
    await prune();
    expect(await store.idempotency.prune(clock.now())).toBe(0);

    clock.passes("8 days");
    await prune();
    const onlyThisPruning = 1;
    expect(await store.jobs.prune(new Date(clock.now().getTime() + 1), 100)).toBe(onlyThisPruning);
  });
});
