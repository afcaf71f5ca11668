/** What the worker offers to the code that knows what a kind of job means, and what it asks of it. */
import type { ClaimedJob } from "./job.ts";
import type { Store } from "./store.ts";

export interface JobHandler {
  /**
   * Does the job. One that returns without having ended it leaves that to the worker. Throwing asks for another
   * attempt; `ReviewFailed` says that none can help, `CodeHostUnavailable` how long to wait for it.
   */
  run(run: JobRun): Promise<void>;
  /** Runs in the transaction that buries the job, so that what waits for it learns of its end. Awaits only `tx`. */
  buried?(tx: Store, job: ClaimedJob, cause: unknown): Promise<void>;
}

export interface JobRun {
  readonly job: ClaimedJob;
  /** Aborted when the lease is lost or the process stops: whoever sees it writes and posts nothing more. */
  readonly signal: AbortSignal;
  readonly store: Store;
  /** Ends the job in the handler's own transaction. Throws `LeaseLost`, which rolls that transaction back. */
  complete(tx: Store): Promise<void>;
  /** The same by one write of the store that ends the job with the rest; it answers false when the lease was lost. */
  completeBy(write: (now: Date) => Promise<boolean>): Promise<void>;
}

/** Another process has the job by now; nothing of this run may be kept. */
export class LeaseLost extends Error {
  constructor(jobId: string) {
    super(`The lease of job ${jobId} was lost.`);
    this.name = "LeaseLost";
  }
}

/** The cause of a job that took its process down with it at every attempt. */
export class JobInterrupted extends Error {
  constructor(attempts: number) {
    super(`The process ended during each of ${attempts} attempts.`);
    this.name = "JobInterrupted";
  }
}
