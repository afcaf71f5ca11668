import { describe, expect, test } from "bun:test";
import type { ClaimedJob } from "../../src/domain/job.ts";
import type { Store } from "../../src/domain/store.ts";
import { after, aJob, claimAll, failureOf, noon, type OpenTestStore, payloads } from "./store-world.ts";

export function jobsContract(open: OpenTestStore): void {
  describe("a job", () => {
    test("is claimed with what it was enqueued with, its first attempt counted", async () => {
      await using world = await open();
      const payload = { reviewId: "rev_1", deep: [{ text: "größe" }] };
      const enqueued = await world.store.jobs.enqueue(aJob({ payload, kind: "review" }), noon);
      const job = await world.store.jobs.claim("review", after(1), "token");
      expect(job).toMatchObject({
        id: enqueued === "duplicate" ? "" : enqueued.id,
        ...{ lane: "review", organizationId: "org_acme", kind: "review", payload },
        ...{ attempt: 1, maxAttempts: 3, leaseToken: "token", createdAt: noon },
      });
      expect(await world.store.jobs.claim("review", after(1), "other")).toBeNull();
    });

    test("waits for its time", async () => {
      await using world = await open();
      await world.store.jobs.enqueue(aJob({ runAt: after(60) }), noon);
      expect(await world.store.jobs.nextRunAt("review")).toEqual(after(60));
      expect(await world.store.jobs.claim("review", after(59), "token")).toBeNull();
      expect(await world.store.jobs.claim("review", after(60), "token")).not.toBeNull();
      expect(await world.store.jobs.nextRunAt("review")).toBeNull();
    });

    test("is in one lane only", async () => {
      await using world = await open();
      await world.store.jobs.enqueue(aJob({ lane: "deliver" }), noon);
      expect(await world.store.jobs.claim("review", noon, "token")).toBeNull();
      expect(await world.store.jobs.nextRunAt("review")).toBeNull();
      expect(await world.store.jobs.claim("deliver", noon, "token")).not.toBeNull();
    });

    test("is enqueued once under a dedupe key, however often and for as long as it is remembered", async () => {
      await using world = await open();
      const dedupeKey = "poll/acme/shop";
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => world.store.jobs.enqueue(aJob({ dedupeKey }), noon)),
      );
      expect(answers.filter((answer) => answer !== "duplicate")).toHaveLength(1);
      await world.store.jobs.complete(await claimed(world.store), noon);
      expect(await world.store.jobs.enqueue(aJob({ dedupeKey }), noon)).toBe("duplicate");
      await world.store.jobs.prune(after(1), 10);
      expect(await world.store.jobs.enqueue(aJob({ dedupeKey }), noon)).not.toBe("duplicate");
    });

    test("is gone from the queue when its transaction fails", async () => {
      await using world = await open();
      const enqueueing = world.store.transaction(async (tx) => {
        await tx.jobs.enqueue(aJob(), noon);
        throw new Error("no");
      });
      expect(await failureOf(enqueueing)).toMatchObject({ message: "no" });
      expect(await world.store.jobs.claim("review", noon, "token")).toBeNull();
    });

    test("runs again after a retry, each attempt counted", async () => {
      await using world = await open();
      await world.store.jobs.enqueue(aJob(), noon);
      expect(await world.store.jobs.retry(await claimed(world.store), after(30), "timed out")).toBe(true);
      expect(await world.store.jobs.claim("review", after(29), "token")).toBeNull();
      expect(await world.store.jobs.claim("review", after(30), "token")).toMatchObject({ attempt: 2 });
    });

    test("that a stopping process gives back costs no attempt", async () => {
      await using world = await open();
      await world.store.jobs.enqueue(aJob(), noon);
      expect(await world.store.jobs.release(await claimed(world.store), after(1))).toBe(true);
      expect(await world.store.jobs.claim("review", after(1), "token")).toMatchObject({ attempt: 1 });
    });

    test("that is done or buried never runs again", async () => {
      await using world = await open();
      await world.store.jobs.enqueue(aJob(), noon);
      await world.store.jobs.enqueue(aJob(), noon);
      expect(await world.store.jobs.complete(await claimed(world.store), after(1))).toBe(true);
      expect(await world.store.jobs.bury(await claimed(world.store), after(1), "gave up")).toBe(true);
      expect(await world.store.jobs.claim("review", after(9999), "token")).toBeNull();
      expect(await world.store.jobs.counts()).toEqual([{ lane: "review", state: "failed", count: 1 }]);
    });

    test("is counted while it is queued, running or failed", async () => {
      await using world = await open();
      for (const lane of ["review", "review", "review", "deliver"] as const) {
        await world.store.jobs.enqueue(aJob({ lane }), noon);
      }
      await claimed(world.store);
      const counts = await world.store.jobs.counts();
      expect(counts.toSorted((a, b) => (a.lane + a.state < b.lane + b.state ? -1 : 1))).toEqual([
        { lane: "deliver", state: "queued", count: 1 },
        { lane: "review", state: "queued", count: 2 },
        { lane: "review", state: "running", count: 1 },
      ]);
    });

    test("is forgotten some time after its end, oldest first and a few at once", async () => {
      await using world = await open();
      for (let n = 0; n < 5; n++) {
        await world.store.jobs.enqueue(aJob(), noon);
        await world.store.jobs.complete(await claimed(world.store), after(n));
      }
      await world.store.jobs.enqueue(aJob(), noon);
      expect(await world.store.jobs.prune(after(4), 3)).toBe(3);
      expect(await world.store.jobs.prune(after(4), 3)).toBe(1);
      expect(await world.store.jobs.prune(after(4), 3)).toBe(0);
      expect(await world.store.jobs.claim("review", noon, "token")).not.toBeNull();
    });
  });

  describe("a lease", () => {
    test("keeps everyone out who holds another token", async () => {
      await using world = await open();
      await world.store.jobs.enqueue(aJob(), noon);
      const lost = await claimed(world.store, "first");
      await world.store.jobs.recover(after(61), "expired");
      const held = await claimed(world.store, "second", after(61));
      const { jobs } = world.store;
      expect(await jobs.heartbeat(lost, after(62))).toBe(false);
      expect(await jobs.complete(lost, after(62))).toBe(false);
      expect(await jobs.retry(lost, after(62), "late")).toBe(false);
      expect(await jobs.bury(lost, after(62), "late")).toBe(false);
      expect(await jobs.release(lost, after(62))).toBe(false);
      expect(await jobs.complete(held, after(62))).toBe(true);
      expect(await jobs.complete(held, after(63))).toBe(false);
    });

    test("lasts a minute after the last heartbeat", async () => {
      await using world = await open();
      await world.store.jobs.enqueue(aJob(), noon);
      const job = await claimed(world.store);
      await world.store.jobs.heartbeat(job, after(50));
      await world.store.jobs.recover(after(109), "expired");
      expect(await world.store.jobs.heartbeat(job, after(109))).toBe(true);
      await world.store.jobs.recover(after(170), "expired");
      expect(await world.store.jobs.heartbeat(job, after(170))).toBe(false);
    });
  });

  describe("recovery", () => {
    test("gives every orphan of a process that is gone back at once, its attempt counted", async () => {
      await using world = await open();
      for (const lane of ["review", "deliver"] as const) {
        await world.store.jobs.enqueue(aJob({ lane }), noon);
        await world.store.jobs.claim(lane, noon, "dead");
      }
      expect(await world.store.jobs.recover(after(1), "all")).toEqual([]);
      expect(await world.store.jobs.claim("review", after(1), "new")).toMatchObject({ attempt: 2 });
      expect(await world.store.jobs.claim("deliver", after(1), "new")).toMatchObject({ attempt: 2 });
    });

    test("buries a job that took its process with it at the last attempt, and says which", async () => {
      await using world = await open();
      await world.store.jobs.enqueue(aJob({ maxAttempts: 2, payload: { reviewId: "rev_1" } }), noon);
      await world.store.jobs.enqueue(aJob({ maxAttempts: 9, payload: { reviewId: "rev_2" } }), noon);
      await claimAll(world.store);
      expect(await world.store.jobs.recover(after(1), "all")).toEqual([]);
      await claimAll(world.store, after(1));
      const buried = await world.store.jobs.recover(after(2), "all");
      expect(payloads(buried)).toEqual([{ reviewId: "rev_1" }]);
      expect(payloads(await claimAll(world.store, after(2)))).toEqual([{ reviewId: "rev_2" }]);
    });

    test("leaves alone what is queued, what has ended and what is still leased", async () => {
      await using world = await open();
      for (let n = 0; n < 3; n++) await world.store.jobs.enqueue(aJob({ payload: n }), noon);
      const running = await claimed(world.store);
      await world.store.jobs.complete(await claimed(world.store), noon);
      await world.store.jobs.recover(after(59), "expired");
      expect(await world.store.jobs.heartbeat(running, after(59))).toBe(true);
      expect(payloads(await claimAll(world.store, after(59)))).toEqual([2]);
    });
  });
}

async function claimed(store: Store, token = "token", now = noon): Promise<ClaimedJob> {
  const job = await store.jobs.claim("review", now, token);
  if (job === null) throw new Error("nothing to claim");
  return job;
}
