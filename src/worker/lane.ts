/** One lane of the queue: keeps its places filled with jobs that are due. */
import type { ClaimedJob, Lane } from "../domain/job.ts";
import { createDoorbell, sleep, storeBackOffMs } from "./pauses.ts";
import { type RunJobDeps, type RunningJob, runJob } from "./run-job.ts";

export interface LaneRunner {
  /** Claims and runs until it is stopped. Never rejects. */
  keepRunning(): Promise<void>;
  /** Claims until every place is taken or nothing is due; true when it claimed any. */
  fill(): Promise<boolean>;
  wake(): void;
  running(): readonly RunningJob[];
}

/** Milliseconds. */
export interface LaneTiming {
  /** Between two heartbeats of a running job. */
  heartbeatMs: number;
  /** A net under the wake-up calls, for what other processes enqueue and what becomes due. */
  pollMs: number;
}

export interface LaneRunnerOptions {
  lane: Lane;
  /** Jobs that run at once. */
  places: number;
  /** Aborted when nothing more is to be claimed. */
  stop: AbortSignal;
  /** Hears of every job that ended: what it enqueued, in whatever lane, may be due. */
  onJobEnd(): void;
  timing: LaneTiming;
}

/** Enough to share a commit; what is asked for in vain costs the writer too. */
const claimsAtOnce = 8;

export function createLaneRunner(deps: RunJobDeps, options: LaneRunnerOptions): LaneRunner {
  const { lane, places, stop, onJobEnd, timing } = options;
  const running = new Set<RunningJob>();
  const bell = createDoorbell();

  async function fill(): Promise<boolean> {
    for (let claimed = false; ; claimed = true) {
      const wanted = Math.min(places - running.size, claimsAtOnce);
      if (wanted === 0 || !(await isDue()) || stop.aborted) return claimed;
      const leaseTokens = Array.from({ length: wanted }, newLeaseToken);
      const jobs = await deps.store.jobs.claimSeveral(lane, deps.clock.now(), leaseTokens);
      for (const job of jobs) run(job);
      if (jobs.length < wanted) return claimed || jobs.length > 0;
    }
  }

  function run(job: ClaimedJob): void {
    const started = runJob(deps, job, timing.heartbeatMs);
    running.add(started);
    void started.done.then(() => {
      running.delete(started);
      onJobEnd();
    });
  }

  /** A read; a claim would keep the database's writer busy for nothing. */
  async function isDue(): Promise<boolean> {
    const at = await deps.store.jobs.nextRunAt(lane);
    return at !== null && at <= deps.clock.now();
  }

  function newLeaseToken(): string {
    return Buffer.from(deps.ids.randomBytes(16)).toString("hex");
  }

  return {
    async keepRunning() {
      stop.addEventListener("abort", bell.ring, { once: true });
      let failures = 0;
      while (!stop.aborted) {
        try {
          await fill();
          failures = 0;
          await bell.wait(timing.pollMs);
        } catch (error) {
          failures += 1;
          deps.logger.error("could not take a job off the queue", { lane, error });
          await sleep(storeBackOffMs(failures), stop);
        }
      }
    },
    fill,
    wake: bell.ring,
    running: () => [...running],
  };
}
