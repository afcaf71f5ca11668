/** The timetable. A cron job only enqueues; the work is done by the worker. */
import type { Clock, Logger } from "../domain/runtime.ts";
import type { Store } from "../domain/store.ts";

export interface ScheduleOptions {
  store: Store;
  clock: Clock;
  logger: Logger;
  /** Called after something was enqueued. */
  wake(): void;
}

export interface Schedule {
  /** Enqueues the last missed run of each entry, then keeps to the timetable. */
  start(): Promise<void>;
  stop(): void;
  /** Enqueues the last run of each entry that is due by now and not enqueued yet. */
  enqueueDue(): Promise<void>;
}

export function createSchedule(_options: ScheduleOptions): Schedule {
  throw new Error("not built yet");
}
