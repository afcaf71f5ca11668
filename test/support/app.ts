/**
 * The real thing with nothing real around it: store, worker, pipeline and timetable as they ship; the clock, the ids,
 * the code host and the network are the test's.
 */
import { createSchedule } from "../../src/cron/schedule.ts";
import type { Category, Severity } from "../../src/domain/comment.ts";
import type { JobHandler } from "../../src/domain/job-handler.ts";
import { defaultReviewOptions, type Review, type ReviewOrigin } from "../../src/domain/review.ts";
import type { ReviewEngine } from "../../src/domain/review-engine.ts";
import type { OpenStore } from "../../src/domain/store.ts";
import { createAnnouncer } from "../../src/outbound/publish-event.ts";
import { type ReviewRequest, requestReview } from "../../src/review/request-review.ts";
import { type ReviewLimits, reviewLimits } from "../../src/review/review-limits.ts";
import { createJobHandlers } from "../../src/worker/job-handlers.ts";
import { createWorker, type WorkerTiming } from "../../src/worker/worker.ts";
import { addEndpoint, addOrganization } from "./app-organizations.ts";
import { type AppProcess, startProcess } from "./app-process.ts";
import { type AppSights, sightsOf } from "./app-sights.ts";
import { anEvalEngine } from "./builders.ts";
import { openTestMemoryStore, type TestStore } from "./databases.ts";
import type { FakeClock } from "./fake-clock.ts";
import { createFakeCodeHost, type FakeCodeHost } from "./fake-code-host.ts";
import { recordingLogger } from "./recording-logger.ts";

export interface TestAppOptions {
  /** On which database; SQLite in memory by default. */
  open?: () => Promise<TestStore>;
  engines?: readonly ReviewEngine[];
  limits?: Partial<ReviewLimits>;
  creditsPerMonth?: number;
  /** Jobs of the review lane that the process runs at once; 4 by default. */
  reviewsAtOnce?: number;
  timing?: Partial<WorkerTiming>;
}

export interface Asked {
  organization?: string;
  repository?: string;
  pullRequest?: number;
  origin?: ReviewOrigin;
  focusAreas?: readonly Category[];
  severityThreshold?: Severity;
}

export interface TestApp extends AppSights, Omit<AppProcess, "stop">, AsyncDisposable {
  git: FakeCodeHost;
  clock: FakeClock;
  store: OpenStore;
  /** Every line logged: `warn review failed`. */
  log: readonly string[];
  /** An organization with the repository `acme/shop`; `acme` is there from the start. */
  hires(organization: string): Promise<void>;
  /** Asks for a review of acme/shop#7, by API unless told otherwise. */
  asks(asked?: Asked): Promise<Review>;
  /** Time passes, and the timetable is kept; `work()` does what came due. */
  passes(time: string): Promise<void>;
  /** Time passes and the work is done, until every review has ended. */
  settles(): Promise<void>;
}

export async function startTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const database = await (options.open ?? openTestMemoryStore)();
  const { store, clock, ids } = database;
  const git = createFakeCodeHost();
  const log: string[] = [];
  const runtime = { clock, ids, logger: recordingLogger(log) };
  const handlers = createJobHandlers({
    ...runtime,
    codeHost: async () => git,
    engines: options.engines ?? [anEvalEngine()],
    announce: createAnnouncer({ ...runtime, siteUrl: () => "http://localhost:8080" }),
    limits: { ...reviewLimits, ...options.limits },
    deliver: receiverThatTakesEverything,
  });
  const concurrency = { review: options.reviewsAtOnce ?? 4, deliver: 1, ingest: 1, cron: 1 };
  const { stop, ...inProcess } = startProcess(store, clock, (mortal) =>
    createWorker({ ...runtime, store: mortal, handlers, concurrency, timing: options.timing ?? {} }),
  );
  const schedule = createSchedule({ ...runtime, store, wake: () => {} });
  const sights = sightsOf(store, clock);
  await addOrganization(store, "acme", options.creditsPerMonth ?? null, clock.now());
  await addEndpoint(store, "acme", clock.now());

  return {
    ...{ git, clock, store, log },
    ...sights,
    ...inProcess,
    hires: (organization) => addOrganization(store, organization, null, clock.now()),
    asks: (asked = {}) => requestReview({ ...runtime, store }, requestOf(asked)),
    async passes(time) {
      clock.passes(time);
      await schedule.enqueueDue();
    },
    async settles() {
      while ((await sights.reviews()).some((review) => review.completedAt === null)) {
        await inProcess.work();
        clock.passes("10 minutes");
      }
    },
    async [Symbol.asyncDispose]() {
      await stop();
      await database[Symbol.asyncDispose]();
    },
  };
}

/** What comes of a delivery is tried elsewhere (test/outbound). */
const receiverThatTakesEverything: JobHandler = { run: async () => {} };

function requestOf(asked: Asked): ReviewRequest {
  const { focusAreas, severityThreshold } = { ...defaultReviewOptions, ...asked };
  return {
    organizationId: `org_${asked.organization ?? "acme"}`,
    repository: asked.repository ?? "acme/shop",
    pullRequest: asked.pullRequest ?? 7,
    options: { focusAreas, severityThreshold },
    origin: asked.origin ?? "api",
  };
}
