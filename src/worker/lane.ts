/** One lane of the queue: keeps its places filled with jobs that are due. */
import type { Lane } from "../domain/job.ts";
import { createDoorbell, sleep, storeBackOffMs } from "./pauses.ts";
import { type RunJobDeps, type RunningJob, runJob } from "./run-job.ts";

export interface LaneRunner {
  /** Claims and runs until the signal is aborted. Never rejects. */
  keepRunning(stop: AbortSignal): Promise<void>;
  /** Claims until every place is taken or nothing is due; true when it claimed any. */
  fill(): Promise<boolean>;
  wake(): void;
  running(): readonly RunningJob[];
}

/** A net under the wake-up calls, for what other processes enqueue and what becomes due. */
const pollMs = 500;

export function createLaneRunner(deps: RunJobDeps, lane: Lane, places: number): LaneRunner {
  const running = new Set<RunningJob>();
  const bell = createDoorbell();

  async function fill(): Promise<boolean> {
    let claimed = false;
    while (running.size < places && (await isDue())) {
      const job = await deps.store.jobs.claim(lane, deps.clock.now(), newLeaseToken());
      if (job === null) break;
      claimed = true;
      const run = runJob(deps, job);
      running.add(run);
      void run.done.then(() => {
        running.delete(run);
        bell.ring();
      });
    }
    return claimed;
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
    async keepRunning(stop) {
      stop.addEventListener("abort", bell.ring, { once: true });
      let failures = 0;
      while (!stop.aborted) {
        try {
          await fill();
          failures = 0;
          await bell.wait(pollMs);
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
