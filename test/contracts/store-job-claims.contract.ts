import { describe, expect, test } from "bun:test";
import { type ClaimedJob, laneCapDefault } from "../../src/domain/job.ts";
import type { Store } from "../../src/domain/store.ts";
import { after, aJob, claimAll, noon, type OpenTestStore, payloads } from "./store-world.ts";

export function jobClaimsContract(open: OpenTestStore): void {
  describe("claims", () => {
    test("take the highest priority first, then what waits longest", async () => {
      await using world = await open();
      const { jobs } = world.store;
      await jobs.enqueue(aJob({ payload: "late", runAt: after(2), organizationId: "org_a" }), noon);
      await jobs.enqueue(aJob({ payload: "early", runAt: after(1), organizationId: "org_a" }), noon);
      await jobs.enqueue(
        aJob({ payload: "urgent", runAt: after(3), priority: 5, organizationId: "org_a" }),
        noon,
      );
      expect(payloads(await claimAll(world.store, after(9)))).toEqual(["urgent", "early", "late"]);
    });

    test("of jobs due at the same time take the one enqueued first", async () => {
      await using world = await open();
      for (const payload of [1, 2, 3]) await world.store.jobs.enqueue(aJob({ payload }), noon);
      expect(payloads(await claimAll(world.store))).toEqual([1, 2, 3]);
    });

    test("stop at an organization's cap, exactly", async () => {
      await using world = await open();
      for (let n = 0; n < 10; n++) await world.store.jobs.enqueue(aJob(), noon);
      const running = await claimAll(world.store);
      expect(running).toHaveLength(laneCapDefault.review);
      await end(world.store, running[0]);
      expect(await claimAll(world.store)).toHaveLength(1);
    });

    test("stop at the cap exactly when everybody claims at once", async () => {
      await using world = await open();
      for (let n = 0; n < 20; n++) await world.store.jobs.enqueue(aJob(), noon);
      const claims = Array.from({ length: 16 }, (_, n) =>
        world.store.jobs.claim("review", noon, `token-${n}`),
      );
      const claimed = (await Promise.all(claims)).filter((job) => job !== null);
      expect(claimed).toHaveLength(laneCapDefault.review);
      expect(new Set(claimed.map(({ id }) => id)).size).toBe(laneCapDefault.review);
    });

    test("several at once stop at the cap too, at what is due, and at what was asked for", async () => {
      await using world = await open();
      const { jobs } = world.store;
      for (let n = 0; n < 2; n++) await jobs.enqueue(aJob({ organizationId: "org_a", payload: n }), noon);
      for (let n = 2; n < 9; n++) await jobs.enqueue(aJob({ organizationId: "org_b", payload: n }), noon);
      await jobs.enqueue(aJob({ organizationId: "org_c", runAt: after(1) }), noon);
      const first = await jobs.claimSeveral("review", noon, ["1", "2", "3"]);
      expect(payloads(first)).toEqual([0, 2, 1]);
      expect(first.map(({ leaseToken }) => leaseToken)).toEqual(["1", "2", "3"]);
      const rest = await jobs.claimSeveral("review", noon, ["4", "5", "6", "7"]);
      expect(payloads(rest)).toEqual([3, 4]);
      expect(await jobs.claimSeveral("review", noon, [])).toEqual([]);
    });

    test("serve the organization with the fewest running jobs, then the one that waits longest", async () => {
      await using world = await open();
      for (let n = 0; n < 5; n++) await world.store.jobs.enqueue(aJob({ organizationId: "org_noisy" }), noon);
      await world.store.jobs.enqueue(aJob({ organizationId: "org_quiet" }), after(1));
      const order = (await claimAll(world.store, after(2))).map(({ organizationId }) => organizationId);
      expect(order).toEqual(["org_noisy", "org_quiet", "org_noisy", "org_noisy"]);
    });

    test("let one job of a lock key run, the others in their turn", async () => {
      await using world = await open();
      for (const payload of [1, 2, 3])
        await world.store.jobs.enqueue(aJob({ payload, lockKey: "acme/shop#7" }), noon);
      await world.store.jobs.enqueue(aJob({ payload: "other", lockKey: "acme/shop#8" }), noon);
      const running = await claimAll(world.store);
      expect(payloads(running)).toEqual([1, "other"]);
      await end(world.store, running[0]);
      expect(payloads(await claimAll(world.store))).toEqual([2]);
    });

    test("pass over an organization whose jobs all wait for a lock key", async () => {
      await using world = await open();
      for (let n = 0; n < 2; n++)
        await world.store.jobs.enqueue(aJob({ organizationId: "org_a", lockKey: "k" }), noon);
      for (let n = 0; n < 3; n++) await world.store.jobs.enqueue(aJob({ organizationId: "org_b" }), noon);
      const order = (await claimAll(world.store)).map(({ organizationId }) => organizationId);
      expect(order.toSorted()).toEqual(["org_a", "org_b", "org_b", "org_b"]);
    });

    test("keep a lock key apart across organizations and lanes", async () => {
      await using world = await open();
      await world.store.jobs.enqueue(aJob({ organizationId: "org_a", lockKey: "k" }), noon);
      await world.store.jobs.enqueue(aJob({ organizationId: "org_b", lockKey: "k" }), noon);
      await world.store.jobs.enqueue(aJob({ lane: "deliver", lockKey: "k" }), noon);
      expect(await claimAll(world.store)).toHaveLength(1);
      expect(await world.store.jobs.claim("deliver", noon, "token")).toBeNull();
    });

    test("never hand out a job twice, exceed a cap or overlap a lock key, with 16 claimers at once", async () => {
      await using world = await open();
      const { store } = world;
      const enqueued = 120;
      for (let n = 0; n < enqueued; n++) {
        const organizationId = `org_${n % 4}`;
        await store.jobs.enqueue(
          aJob({ organizationId, lockKey: `${organizationId}/${n % 5}`, payload: n }),
          noon,
        );
      }
      const witness = new Witness();
      await Promise.all(Array.from({ length: 16 }, (_, n) => work(store, witness, n, enqueued)));
      expect(witness.finished.toSorted((a, b) => a - b)).toEqual(
        Array.from({ length: enqueued }, (_, n) => n),
      );
      expect(witness.mostPerOrganization).toBeLessThanOrEqual(laneCapDefault.review);
      expect(witness.overlaps).toEqual([]);
    }, 60_000);
  });
}

/** Sees every job from its claim to its end. */
class Witness {
  readonly finished: number[] = [];
  readonly overlaps: string[] = [];
  mostPerOrganization = 0;
  readonly #running = new Map<string, string>();

  starts(job: ClaimedJob): void {
    const lockKey = `${job.organizationId}/${Number(job.payload) % 5}`;
    if ([...this.#running.values()].includes(lockKey)) this.overlaps.push(lockKey);
    this.#running.set(job.id, lockKey);
    const same = [...this.#running.values()].filter((key) => key.startsWith(`${job.organizationId}/`));
    this.mostPerOrganization = Math.max(this.mostPerOrganization, same.length);
  }

  ends(job: ClaimedJob): void {
    this.#running.delete(job.id);
    this.finished.push(Number(job.payload));
  }
}

async function work(store: Store, witness: Witness, claimer: number, all: number): Promise<void> {
  for (let claims = 0; witness.finished.length < all; claims++) {
    const job = await store.jobs.claim("review", noon, `${claimer}/${claims}`);
    if (job === null) {
      await Bun.sleep(1); // somebody else is at it
      continue;
    }
    witness.starts(job);
    await Bun.sleep(1);
    witness.ends(job);
    await store.jobs.complete(job, noon);
  }
}

async function end(store: Store, job: ClaimedJob | undefined): Promise<void> {
  if (job === undefined || !(await store.jobs.complete(job, noon)))
    throw new Error("the job was not running");
}
