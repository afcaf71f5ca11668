/** The timetable. A cron job only enqueues; the work is done by the worker (worker/housekeeping.ts). */
import { Cron } from "croner";
import type { NewJob } from "../domain/job.ts";
import type { Clock, Logger } from "../domain/runtime.ts";
import type { Store } from "../domain/store.ts";
import { poll } from "../inbound/poll-job.ts";

/** When, in UTC, and which kind of job. */
const timetable: readonly Entry[] = [
  { pattern: "* * * * *", ...poll },
  { pattern: "0 0 1 * *", kind: "grant_credits" },
  { pattern: "17 * * * *", kind: "prune" },
];

interface Entry extends Partial<Pick<NewJob, "lane" | "lockKey" | "maxAttempts">> {
  /** When, in UTC. */
  pattern: string;
  /** Which job. */
  kind: string;
}

export interface ScheduleOptions {
  store: Store;
  clock: Clock;
  logger: Logger;
  /** Called after something was enqueued. */
  wake(): void;
}

export interface Schedule {
  /** Enqueues the last run of each entry if it was missed, then keeps to the timetable. */
  start(): Promise<void>;
  stop(): void;
  /** Enqueues the last due run of each entry unless that has been done. */
  enqueueDue(): Promise<void>;
}

export function createSchedule({ store, clock, logger, wake }: ScheduleOptions): Schedule {
  const entries = timetable.map(({ pattern, ...job }) => ({
    pattern,
    job,
    kind: job.kind,
    times: utc(pattern),
  }));
  let timers: Cron[] = [];

  /** The slot's key lets one of several processes, or of several starts, enqueue it. */
  async function enqueue({ kind, job: asked, times }: (typeof entries)[number]): Promise<void> {
    const at = clock.now();
    const [slot] = times.previousRuns(1, new Date(at.getTime() + timerEarlyMs));
    if (slot === undefined) return;
    const job = { ...housekeeping, ...asked, dedupeKey: `${kind}:${slot.toISOString()}`, runAt: slot };
    if ((await store.jobs.enqueue(job, at)) !== "duplicate") wake();
  }

  async function enqueueDue(): Promise<void> {
    for (const entry of entries) await enqueue(entry);
  }

  return {
    enqueueDue,
    async start() {
      await enqueueDue();
      timers = entries.map((entry) =>
        utc(entry.pattern, () =>
          enqueue(entry).catch((error: unknown) =>
            logger.error("could not enqueue a cron job", { kind: entry.kind, error }),
          ),
        ),
      );
    },
    stop() {
      for (const timer of timers) timer.stop();
    },
  };
}

/** A timer may ring a little before the clock says so; a slot is due then all the same. */
const timerEarlyMs = 1_000;

const housekeeping = {
  lane: "cron",
  /** These jobs belong to no organization. */
  organizationId: "instance",
  lockKey: null,
  payload: null,
  maxAttempts: 5,
  priority: 0,
} as const;

function utc(pattern: string, run?: () => Promise<void>): Cron {
  return run === undefined
    ? new Cron(pattern, { timezone: "UTC", paused: true })
    : new Cron(pattern, { timezone: "UTC" }, run);
}
