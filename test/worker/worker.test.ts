import { describe, expect, test } from "bun:test";
import { AppError } from "../../src/domain/errors.ts";
import { JobInterrupted, LeaseLost } from "../../src/domain/job-handler.ts";
import { ReviewFailed } from "../../src/domain/review.ts";
import { aGate, openWorkshop } from "./workshop.ts";

describe("a job that fails", () => {
  test("is tried again after 5 s and then after 10 s, ± 20 %, and is buried after its last attempt", async () => {
    const attempts: string[] = [];
    const buried: unknown[] = [];
    await using shop = await openWorkshop({
      handlers: {
        work: {
          async run({ job }) {
            attempts.push(`${shop.clock.now().toISOString().slice(17, 19)} s: attempt ${job.attempt}`);
            throw new Error(`no luck ${job.attempt}`);
          },
          async buried(_tx, job, cause) {
            buried.push([job.attempt, String(cause)]);
          },
        },
      },
    });
    await shop.enqueue();
    for (let second = 0; second < 25; second += 1) {
      await shop.worker.runUntilIdle();
      shop.clock.passes("1 second");
    }
    expect(attempts).toEqual(["00 s: attempt 1", "06 s: attempt 2", "17 s: attempt 3"]);
    expect(buried).toEqual([[3, "Error: no luck 3"]]);
    expect(await shop.counts()).toEqual({ failed: 1 });
  });

  test("is not tried again when that cannot help", async () => {
    let runs = 0;
    const fails = async () => {
      runs += 1;
      throw new ReviewFailed("access_denied", "no");
    };
    await using shop = await openWorkshop({ handlers: { work: { run: fails } } });
    await shop.enqueue();
    await shop.worker.runUntilIdle();
    shop.clock.passes("1 hour");
    await shop.worker.runUntilIdle();
    expect(runs).toBe(1);
    expect(await shop.counts()).toEqual({ failed: 1 });
  });

  test("is buried together with what its handler writes, or not at all", async () => {
    let burials = 0;
    await using shop = await openWorkshop({
      handlers: {
        work: {
          async run() {
            throw new ReviewFailed("internal", "no");
          },
          async buried(tx) {
            burials += 1;
            await tx.settings.put(`burial ${burials}`, true);
            if (burials === 1) throw new AppError("storage_busy", "later");
          },
        },
      },
    });
    await shop.enqueue();
    await shop.worker.runUntilIdle();
    expect(await shop.store.settings.get("burial 1")).toBeNull();
    expect(await shop.store.settings.get("burial 2")).toBe(true);
    expect(await shop.counts()).toEqual({ failed: 1 });
  });

  test("of a kind that nothing handles ends as failed and says so in the log", async () => {
    await using shop = await openWorkshop({ handlers: {} });
    await shop.enqueue({ kind: "mystery", maxAttempts: 1 });
    await shop.worker.runUntilIdle();
    expect(await shop.counts()).toEqual({ failed: 1 });
    expect(shop.log).toContain("warn job buried Error: Nothing handles jobs of kind mystery.");
  });
});

describe("a lease", () => {
  test("that is lost aborts the run, and nothing it writes is kept", async () => {
    const aborted = Promise.withResolvers<unknown>();
    const refused = Promise.withResolvers<unknown>();
    await using shop = await openWorkshop({
      timing: { heartbeatMs: 5 },
      handlers: {
        work: {
          async run({ signal, store, complete }) {
            signal.addEventListener("abort", () => aborted.resolve(signal.reason));
            await aborted.promise;
            await store
              .transaction(async (tx) => {
                await tx.settings.put("posted", true);
                await complete(tx);
              })
              .catch(refused.resolve);
          },
        },
      },
    });
    await shop.enqueue();
    const work = shop.worker.runUntilIdle();
    while ((await shop.counts()).running !== 1) await Bun.sleep(1);
    await shop.store.jobs.recover(shop.clock.now(), "all");
    expect(await aborted.promise).toBeInstanceOf(LeaseLost);
    expect(await refused.promise).toBeInstanceOf(LeaseLost);
    expect(await shop.store.settings.get("posted")).toBeNull();
    await shop.worker.stop(0);
    await work;
  });

  test("is kept while the job runs, however long that takes", async () => {
    const gate = aGate();
    let beat = Promise.withResolvers<void>();
    await using shop = await openWorkshop({
      timing: { heartbeatMs: 5 },
      handlers: { work: gate.handler },
      through: (jobs) => ({
        async heartbeat(job, now) {
          const kept = await jobs.heartbeat(job, now);
          beat.resolve();
          return kept;
        },
      }),
    });
    await shop.enqueue();
    const work = shop.worker.runUntilIdle();
    await gate.reached;
    for (let minute = 0; minute < 5; minute += 1) {
      shop.clock.passes("50 seconds");
      await beat.promise;
      beat = Promise.withResolvers();
      await beat.promise;
      expect(await shop.store.jobs.recover(shop.clock.now(), "expired")).toEqual([]);
    }
    gate.open();
    await work;
    expect(await shop.counts()).toEqual({});
  });
});

describe("a worker that stops", () => {
  test("claims nothing more and waits for what runs", async () => {
    const gate = aGate();
    await using shop = await openWorkshop({ reviewsAtOnce: 1, handlers: { work: gate.handler } });
    await shop.enqueue();
    await shop.enqueue();
    await shop.worker.start();
    await gate.reached;
    const stopped = shop.worker.stop(30_000);
    gate.open();
    await stopped;
    expect(await shop.counts()).toEqual({ queued: 1 });
  });

  test("gives back what is still running, its attempt uncounted, and aborts it", async () => {
    const gate = aGate();
    await using shop = await openWorkshop({ handlers: { work: gate.handler } });
    await shop.enqueue();
    await shop.worker.start();
    const { signal } = await gate.reached;
    await shop.worker.stop(10);
    expect(signal.aborted).toBe(true);
    expect(await shop.counts()).toEqual({ queued: 1 });
    const again = await shop.store.jobs.claim("review", shop.clock.now(), "token");
    expect(again?.attempt).toBe(1);
  });

  test("does not count a failure that the stop itself caused", async () => {
    const started = Promise.withResolvers<void>();
    await using shop = await openWorkshop({
      handlers: {
        work: {
          run: ({ signal }) =>
            new Promise((_, reject) => {
              started.resolve();
              signal.addEventListener("abort", () => reject(signal.reason));
            }),
        },
      },
    });
    await shop.enqueue({ maxAttempts: 1 });
    await shop.worker.start();
    await started.promise;
    await shop.worker.stop(0);
    expect(await shop.counts()).toEqual({ queued: 1 });
  });
});

describe("a worker that starts", () => {
  test("runs at once what an earlier process left running", async () => {
    const gate = aGate();
    await using shop = await openWorkshop({ handlers: { work: gate.handler } });
    await shop.enqueue();
    await shop.store.jobs.claim("review", shop.clock.now(), "token of a dead process");
    await shop.worker.start();
    expect((await gate.reached).job.attempt).toBe(2);
  });

  test("buries what took every process down with it, and tells why", async () => {
    const causes: unknown[] = [];
    const run = async () => {};
    const buried = async (_tx: unknown, _job: unknown, cause: unknown) => void causes.push(cause);
    await using shop = await openWorkshop({ handlers: { work: { run, buried } } });
    await shop.enqueue({ maxAttempts: 1 });
    await shop.store.jobs.claim("review", shop.clock.now(), "token of a dead process");
    await shop.worker.start();
    expect(causes).toEqual([new JobInterrupted(1)]);
    expect(await shop.counts()).toEqual({ failed: 1 });
  });
});

describe("a worker beside others on PostgreSQL", () => {
  test("leaves alone what another process runs, until that process is gone for a minute", async () => {
    const gate = aGate();
    await using shop = await openWorkshop({
      engine: "postgres",
      timing: { recoverMs: 5, pollMs: 5 },
      handlers: { work: gate.handler },
    });
    await shop.enqueue();
    await shop.store.jobs.claim("review", shop.clock.now(), "token of another process");
    await shop.worker.start();
    shop.clock.passes("59 seconds");
    await Bun.sleep(20);
    expect(await shop.counts()).toEqual({ running: 1 });
    shop.clock.passes("2 seconds");
    expect((await gate.reached).job.attempt).toBe(2);
  });
});

describe("a worker that runs", () => {
  test("takes up what is enqueued as soon as it is woken", async () => {
    let finished = Promise.withResolvers<void>();
    await using shop = await openWorkshop({ handlers: { work: { run: async () => finished.resolve() } } });
    await shop.worker.start();
    const started = performance.now();
    for (let round = 0; round < 8; round += 1) {
      finished = Promise.withResolvers();
      await shop.enqueue();
      shop.worker.wake();
      await finished.promise;
    }
    expect(performance.now() - started).toBeLessThan(1_000);
  });

  test("finds what others enqueue without being woken", async () => {
    const gate = aGate();
    await using shop = await openWorkshop({ handlers: { work: gate.handler } });
    await shop.worker.start();
    await shop.enqueue();
    expect((await gate.reached).job.kind).toBe("work");
  });

  test("does not let a full lane hold up another", async () => {
    const gate = aGate();
    let delivered = 0;
    const deliver = { run: async () => void delivered++ };
    await using shop = await openWorkshop({ reviewsAtOnce: 1, handlers: { work: gate.handler, deliver } });
    await shop.enqueue();
    await shop.enqueue();
    await shop.enqueue({ lane: "deliver", kind: "deliver" });
    const work = shop.worker.runUntilIdle();
    while (delivered === 0) await Bun.sleep(1);
    expect(await shop.counts()).toMatchObject({ running: 1, queued: 1 });
    gate.open();
    await work;
  });

  test("asks a store that fails less and less often, and goes on when it is back", async () => {
    let [away, questions] = [true, 0];
    const gate = aGate();
    await using shop = await openWorkshop({
      handlers: { work: gate.handler },
      through: (jobs) => ({
        async nextRunAt(lane) {
          if (!away) return jobs.nextRunAt(lane);
          if (lane === "review") questions += 1;
          throw new AppError("storage_busy", "away");
        },
      }),
    });
    await shop.enqueue();
    await shop.worker.start();
    const waking = setInterval(() => shop.worker.wake(), 1);
    await Bun.sleep(700);
    clearInterval(waking);
    expect(questions).toBe(2);
    away = false;
    await gate.reached;
  });
});
