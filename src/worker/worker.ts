/** Takes jobs off the queue and runs them: claim → run → complete, retry or bury. */
import type { Lane } from "../domain/job.ts";
import type { JobHandler } from "../domain/job-handler.ts";
import type { Clock, Ids, Logger } from "../domain/runtime.ts";
import type { OpenStore } from "../domain/store.ts";

export interface WorkerOptions {
  store: OpenStore;
  clock: Clock;
  ids: Ids;
  logger: Logger;
  /** By job kind. */
  handlers: Readonly<Record<string, JobHandler>>;
  /** Jobs that this process runs at once, by lane. */
  concurrency: Readonly<Record<Lane, number>>;
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

export function createWorker(_options: WorkerOptions): Worker {
  throw new Error("not built yet");
}
