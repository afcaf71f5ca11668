/** One claimed job: runs its handler while the lease is kept, then writes down what came of it. */
import { CodeHostUnavailable } from "../domain/code-host.ts";
import { type ClaimedJob, retryDelayMs } from "../domain/job.ts";
import { type JobHandler, LeaseLost } from "../domain/job-handler.ts";
import { ReviewFailed } from "../domain/review.ts";
import type { Clock, Ids, Logger } from "../domain/runtime.ts";
import type { Store } from "../domain/store.ts";
import { sleep, storeBackOffMs } from "./pauses.ts";

export interface RunJobDeps {
  store: Store;
  clock: Clock;
  ids: Ids;
  logger: Logger;
  handlers: Readonly<Record<string, JobHandler>>;
}

export interface RunningJob {
  /** Resolves when the job has ended, waits for another attempt, or was given up. Never rejects. */
  done: Promise<void>;
  /** Aborts it and puts it back to queued, its attempt not counted. */
  giveBack(): Promise<void>;
}

export function runJob(deps: RunJobDeps, job: ClaimedJob, heartbeatMs: number): RunningJob {
  const stop = new AbortController();
  return {
    done: perform(deps, job, stop, heartbeatMs),
    async giveBack() {
      stop.abort(new Error("The process is stopping."));
      await deps.store.jobs.release(job, deps.clock.now());
    },
  };
}

async function perform(
  deps: RunJobDeps,
  job: ClaimedJob,
  stop: AbortController,
  heartbeatMs: number,
): Promise<void> {
  const heartbeat = setInterval(() => void keepLease(deps, job, stop), heartbeatMs);
  try {
    await attempt(deps, job, stop.signal);
  } catch (error) {
    if (error instanceof LeaseLost || stop.signal.aborted) {
      deps.logger.info("job given up", { ...nameOf(job), error });
    } else {
      await writeDown(deps, stop.signal, () => settleFailure(deps, job, error));
    }
  } finally {
    clearInterval(heartbeat);
  }
}

async function keepLease(deps: RunJobDeps, job: ClaimedJob, stop: AbortController): Promise<void> {
  try {
    if (!(await deps.store.jobs.heartbeat(job, deps.clock.now()))) stop.abort(new LeaseLost(job.id));
  } catch (error) {
    deps.logger.warn("heartbeat failed", { ...nameOf(job), error });
  }
}

async function attempt(deps: RunJobDeps, job: ClaimedJob, signal: AbortSignal): Promise<void> {
  const handler = deps.handlers[job.kind];
  if (handler === undefined) throw new Error(`Nothing handles jobs of kind ${job.kind}.`);
  let ended = false;
  const completeBy = async (write: (now: Date) => Promise<boolean>) => {
    if (!(await write(deps.clock.now()))) throw new LeaseLost(job.id);
    ended = true;
  };
  const complete = (tx: Store) => completeBy((now) => tx.jobs.complete(job, now));
  await handler.run({ job, signal, store: deps.store, complete, completeBy });
  if (!ended) await complete(deps.store);
}

async function settleFailure(deps: RunJobDeps, job: ClaimedJob, error: unknown): Promise<void> {
  const at = deps.clock.now();
  const reason = String(error).slice(0, 1_000);
  if (error instanceof ReviewFailed || job.attempt >= job.maxAttempts) {
    await deps.store.transaction(async (tx) => {
      if (!(await tx.jobs.bury(job, at, reason))) throw new LeaseLost(job.id);
      await deps.handlers[job.kind]?.buried?.(tx, job, error);
    });
    deps.logger.warn("job buried", { ...nameOf(job), error });
    return;
  }
  const delayMs = delayAfter(error, job.attempt, deps.ids);
  deps.logger.warn("job failed, will be retried", { ...nameOf(job), delay_ms: delayMs, error });
  if (!(await deps.store.jobs.retry(job, new Date(at.getTime() + delayMs), reason))) {
    throw new LeaseLost(job.id);
  }
}

const askedDelayMaxMs = 3_600_000;

/** The back-off ± 20 %, or what the code host asked for when that is longer, up to an hour. */
function delayAfter(error: unknown, attempt: number, ids: Ids): number {
  const [byte = 0] = ids.randomBytes(1);
  const backOffMs = Math.round(retryDelayMs(attempt) * (0.8 + 0.4 * (byte / 255)));
  const askedMs = error instanceof CodeHostUnavailable ? (error.retryAfterMs ?? 0) : 0;
  return Math.max(backOffMs, Math.min(askedMs, askedDelayMaxMs));
}

/** What became of a job must not be lost because the store is full or away for a while. */
async function writeDown(deps: RunJobDeps, signal: AbortSignal, write: () => Promise<void>): Promise<void> {
  for (let failures = 1; !signal.aborted; failures += 1) {
    try {
      return await write();
    } catch (error) {
      if (error instanceof LeaseLost) return;
      deps.logger.error("could not write down a job's end", { error });
      await sleep(storeBackOffMs(failures), signal);
    }
  }
}

function nameOf(job: ClaimedJob) {
  return { job_id: job.id, kind: job.kind, attempt: job.attempt, payload: job.payload };
}
