/** A worker on an empty store, and jobs that say when they run. */
import type { NewJob } from "../../src/domain/job.ts";
import type { JobHandler, JobRun } from "../../src/domain/job-handler.ts";
import type { JobStore, OpenStore } from "../../src/domain/store.ts";
import { openMemoryStore } from "../../src/store/open.ts";
import { createWorker, type Worker, type WorkerTiming } from "../../src/worker/worker.ts";
import { createFakeClock, type FakeClock } from "../support/fake-clock.ts";
import { createFakeIds } from "../support/fake-ids.ts";
import { recordingLogger } from "../support/recording-logger.ts";

export interface Workshop extends AsyncDisposable {
  clock: FakeClock;
  store: OpenStore;
  worker: Worker;
  log: readonly string[];
  /** A second process on the same store. */
  anotherWorker(): Worker;
  enqueue(job?: Partial<NewJob>): Promise<void>;
  /** `{ queued: 1, running: 2 }`; what is done is not counted. */
  counts(): Promise<Record<string, number>>;
}

export interface WorkshopOptions {
  handlers: Readonly<Record<string, JobHandler>>;
  timing?: Partial<WorkerTiming>;
  reviewsAtOnce?: number;
  /** What the worker takes the store for; SQLite by default. */
  engine?: OpenStore["engine"];
  /** Puts something between the worker and its queue. */
  through?: (jobs: JobStore) => Partial<JobStore>;
}

export async function openWorkshop(options: WorkshopOptions): Promise<Workshop> {
  const clock = createFakeClock();
  const ids = createFakeIds();
  const log: string[] = [];
  const logger = recordingLogger(log);
  const { store } = await openMemoryStore({ clock, ids, logger });
  const workers: Worker[] = [];
  const anotherWorker = () => {
    const worker = createWorker({
      ...{ clock, ids, logger, handlers: options.handlers },
      store: overriding(store, {
        engine: options.engine ?? "sqlite",
        jobs: overriding(store.jobs, options.through?.(store.jobs) ?? {}),
      }),
      concurrency: { review: options.reviewsAtOnce ?? 2, deliver: 1, ingest: 1, cron: 1 },
      timing: options.timing ?? {},
    });
    workers.push(worker);
    return worker;
  };
  return {
    ...{ clock, store, log, anotherWorker },
    worker: anotherWorker(),
    async enqueue(job = {}) {
      const at = clock.now();
      const usual = { lane: "review", organizationId: "org_acme", kind: "work", lockKey: null } as const;
      const rest = { dedupeKey: null, payload: null, runAt: at, maxAttempts: 3, priority: 0 };
      await store.jobs.enqueue({ ...usual, ...rest, ...job }, at);
    },
    async counts() {
      const counts = await store.jobs.counts();
      return Object.fromEntries(
        counts.filter(({ count }) => count > 0).map(({ state, count }) => [state, count]),
      );
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(workers.map((worker) => worker.stop(0)));
      await store.close();
    },
  };
}

/** A handler that waits at its gate. */
export function aGate(): { handler: JobHandler; reached: Promise<JobRun>; open(): void } {
  const reached = Promise.withResolvers<JobRun>();
  const gate = Promise.withResolvers<void>();
  return {
    reached: reached.promise,
    open: gate.resolve,
    handler: {
      async run(run) {
        reached.resolve(run);
        await gate.promise;
      },
    },
  };
}

function overriding<T extends object>(target: T, overrides: Partial<T>): T {
  return new Proxy(target, {
    get(_, name) {
      const value: unknown = Reflect.get(name in overrides ? overrides : target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}
