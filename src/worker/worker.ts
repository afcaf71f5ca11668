/** Takes jobs off the queue and runs them: claim → run → complete, retry or bury. */
import { heartbeatMs, type Lane, lanes } from "../domain/job.ts";
import { type JobHandler, JobInterrupted } from "../domain/job-handler.ts";
import type { Clock, Ids, Logger } from "../domain/runtime.ts";
import type { OpenStore } from "../domain/store.ts";
import { createLaneRunner, type LaneTiming } from "./lane.ts";
import { sleep } from "./pauses.ts";

export interface WorkerOptions {
  store: OpenStore;
  clock: Clock;
  ids: Ids;
  logger: Logger;
  /** By job kind. */
  handlers: Readonly<Record<string, JobHandler>>;
  /** Jobs that this process runs at once, by lane. */
  concurrency: Readonly<Record<Lane, number>>;
  /** For tests in a hurry. */
  timing?: Partial<WorkerTiming>;
}

export interface Worker {
  /** Takes back what an earlier process left running, then begins to claim. */
  start(): Promise<void>;
  /** Something was enqueued: look now instead of at the next poll. */
  wake(): void;
  /** Claims nothing more, waits up to `drainMs` for what runs, then gives the rest back with their attempts uncounted. */
  stop(drainMs: number): Promise<void>;
  /** Runs everything that is due and whatever that makes due, then returns. For tests, instead of `start`. */
  runUntilIdle(): Promise<void>;
}

/** Milliseconds. */
export interface WorkerTiming extends LaneTiming {
  /** Between two looks for jobs of dead processes, whose leases have ended. */
  recoverMs: number;
}

const usualTiming: WorkerTiming = { heartbeatMs, pollMs: 500, recoverMs: 10_000 };

export function createWorker(options: WorkerOptions): Worker {
  const { store, clock, logger, handlers } = options;
  const timing = { ...usualTiming, ...options.timing };
  const stopping = new AbortController();
  const runners = lanes.map((lane) =>
    createLaneRunner(options, {
      lane,
      places: options.concurrency[lane],
      stop: stopping.signal,
      onJobEnd: wake,
      timing,
    }),
  );
  const loops: Promise<void>[] = [];
  const running = () => runners.flatMap((runner) => runner.running());

  function wake(): void {
    for (const runner of runners) runner.wake();
  }

  /** Jobs at their last attempt are buried, and what waits for them learns of it in the same transaction. */
  async function recover(which: "all" | "expired"): Promise<void> {
    await store.transaction(async (tx) => {
      for (const job of await tx.jobs.recover(clock.now(), which)) {
        await handlers[job.kind]?.buried?.(tx, job, new JobInterrupted(job.attempt));
      }
    });
  }

  async function keepRecovering(): Promise<void> {
    while (!stopping.signal.aborted) {
      await sleep(timing.recoverMs, stopping.signal);
      try {
        await recover("expired");
      } catch (error) {
        logger.error("could not look for jobs of dead processes", { error });
      }
    }
  }

  async function drain(): Promise<void> {
    await Promise.all(loops);
    while (running().length > 0) await Promise.all(running().map((run) => run.done));
  }

  return {
    async start() {
      // One process owns an SQLite data folder: whatever runs there while we start is an orphan.
      await recover(store.engine === "sqlite" ? "all" : "expired");
      loops.push(...runners.map((runner) => runner.keepRunning()));
      if (store.engine === "postgres") loops.push(keepRecovering());
    },
    wake,
    async stop(drainMs) {
      stopping.abort();
      const drained = new AbortController();
      void drain().then(() => drained.abort());
      await sleep(drainMs, drained.signal);
      const returned = await Promise.allSettled(running().map((run) => run.giveBack()));
      for (const result of returned) {
        if (result.status === "rejected") logger.error("could not give a job back", { error: result.reason });
      }
    },
    async runUntilIdle() {
      for (;;) {
        // What runs while we look may end, and make more due, behind our back.
        const ranBefore = running().length > 0;
        const claimed = await Promise.all(runners.map((runner) => runner.fill()));
        if (!ranBefore && !claimed.includes(true)) return;
        const runs = running();
        if (runs.length > 0) await Promise.race(runs.map((run) => run.done));
      }
    },
  };
}
