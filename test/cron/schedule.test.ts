import { describe, expect, test } from "bun:test";
import { createSchedule } from "../../src/cron/schedule.ts";
import { openWorkshop, type Workshop } from "../worker/workshop.ts";

const silent = { debug() {}, info() {}, warn() {}, error() {} };

async function ranBy(shop: Workshop, runs: string[]): Promise<string[]> {
  await shop.worker.runUntilIdle();
  return runs.splice(0).sort();
}

async function aTimetable() {
  const runs: string[] = [];
  const record = (kind: string) => ({ run: async () => void runs.push(kind) });
  const shop = await openWorkshop({
    handlers: { grant_credits: record("grant_credits"), prune: record("prune") },
  });
  const newSchedule = () =>
    createSchedule({ store: shop.store, clock: shop.clock, logger: silent, wake: () => {} });
  return { shop, newSchedule, ran: () => ranBy(shop, runs) };
}

describe("the timetable", () => {
  test("makes up for what was missed while the process was down, once", async () => {
    const { shop, newSchedule, ran } = await aTimetable();
    await using _ = shop;
    await newSchedule().enqueueDue();
    expect(await ran()).toEqual(["grant_credits", "prune"]);
    shop.clock.passes("5 days");
    await newSchedule().enqueueDue();
    expect(await ran()).toEqual(["prune"]);
  });

  test("does not repeat what another process, or this one before its restart, has done", async () => {
    const { shop, newSchedule, ran } = await aTimetable();
    await using _ = shop;
    await Promise.all([newSchedule().enqueueDue(), newSchedule().enqueueDue()]);
    await newSchedule().enqueueDue();
    expect(await ran()).toEqual(["grant_credits", "prune"]);
  });

  test("does not repeat itself when the clock is set back, and goes on when it is set forward", async () => {
    const { shop, newSchedule, ran } = await aTimetable();
    await using _ = shop;
    shop.clock.set("2026-12-01T00:00:30.000Z");
    await newSchedule().enqueueDue();
    await ran();
    shop.clock.set("2026-11-30T23:59:30.000Z");
    await newSchedule().enqueueDue();
    shop.clock.set("2026-12-01T00:01:00.000Z");
    await newSchedule().enqueueDue();
    expect((await ran()).filter((kind) => kind === "grant_credits")).toHaveLength(1);
    shop.clock.set("2027-01-01T00:00:00.000Z");
    await newSchedule().enqueueDue();
    expect(await ran()).toContain("grant_credits");
  });

  test("makes up for what was missed when it is started", async () => {
    const { shop, newSchedule, ran } = await aTimetable();
    await using _ = shop;
    const schedule = newSchedule();
    await schedule.start();
    schedule.stop();
    expect(await ran()).toEqual(["grant_credits", "prune"]);
  });
});
