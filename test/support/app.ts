/**
 * The real thing with nothing real around it: store, worker, pipeline and timetable as they ship; the clock, the ids,
 * the code host and the network are the test's.
 */

import { createSchedule } from "../../src/cron/schedule.ts";
import type { Category, Severity } from "../../src/domain/comment.ts";
import { type CreditBalance, periodOf } from "../../src/domain/credit.ts";
import type { JobHandler } from "../../src/domain/job-handler.ts";
import {
  defaultReviewOptions,
  type Review,
  type ReviewOrigin,
  type ReviewWithComments,
} from "../../src/domain/review.ts";
import type { ReviewEngine } from "../../src/domain/review-engine.ts";
import type { Logger } from "../../src/domain/runtime.ts";
import type { OpenStore } from "../../src/domain/store.ts";
import { createAnnouncer } from "../../src/outbound/publish-event.ts";
import { requestReview } from "../../src/review/request-review.ts";
import { type ReviewLimits, reviewLimits } from "../../src/review/review-limits.ts";
import { createJobHandlers } from "../../src/worker/job-handlers.ts";
import { createWorker, type WorkerTiming } from "../../src/worker/worker.ts";
import { anEvalEngine } from "./builders.ts";
import { openTestMemoryStore, type TestStore } from "./databases.ts";
import type { FakeClock } from "./fake-clock.ts";
import { createFakeCodeHost, type FakeCodeHost } from "./fake-code-host.ts";
import { aMortalStore } from "./mortal-store.ts";

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

export interface TestApp extends AsyncDisposable {
  git: FakeCodeHost;
  clock: FakeClock;
  store: OpenStore;
  /** Every line logged: `warn review failed`. */
  log: readonly string[];
  /** An organization with the repository `acme/shop`; `acme` is there from the start. */
  hires(organization: string, of?: { creditsPerMonth?: number }): Promise<void>;
  /** Asks for a review of acme/shop#7, by API unless told otherwise. */
  asks(asked?: Asked): Promise<Review>;
  /** Does everything that is due. */
  work(): Promise<void>;
  /** Time passes, and the timetable is kept; `work()` does what came due. */
  passes(time: string): Promise<void>;
  /** Time passes and the work is done, until every review has ended. */
  settles(): Promise<void>;
  /** The process is gone without a word, and another takes its place. */
  crashesAndRestarts(): Promise<void>;
  /**
   * Works until it has asked its store so many things, dies there, and another process takes its place. False when
   * the work was done before.
   */
  crashesAfter(questions: number): Promise<boolean>;
  /** Another process believes that this one is dead; it is not. */
  isTakenForDead(): Promise<void>;
  review(review: Pick<Review, "id">): Promise<ReviewWithComments>;
  /** Newest first, of `acme`. */
  reviews(): Promise<ReviewWithComments[]>;
  /** Of the newest review: `src/cart.ts:2 high security Runs its input.` */
  comments(): Promise<string[]>;
  /** Of this month. */
  credits(organization?: string): Promise<Pick<CreditBalance, "total" | "used" | "reserved" | "remaining">>;
  /** Events for the webhook endpoint of `acme`, oldest first: `review.started rev_…`. */
  announced(): Promise<string[]>;
}

export async function startTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const database = await (options.open ?? openTestMemoryStore)();
  const { store, clock, ids } = database;
  const git = createFakeCodeHost();
  const log: string[] = [];
  const logger = recordingLogger(log);
  const handlers = createJobHandlers({
    clock,
    logger,
    codeHost: async () => git,
    engines: options.engines ?? [anEvalEngine()],
    announce: createAnnouncer({ ids, clock, siteUrl: () => "http://localhost:8080" }),
    limits: { ...reviewLimits, ...options.limits },
    deliver: unreachableReceiver,
  });
  const newProcess = () => {
    const mortal = aMortalStore(store);
    const worker = createWorker({
      ...{ store: mortal.store, clock, ids, logger, handlers },
      concurrency: { review: options.reviewsAtOnce ?? 4, deliver: 1, ingest: 1, cron: 1 },
      timing: options.timing ?? {},
    });
    return { worker, mortal };
  };
  let ours = newProcess();
  const schedule = createSchedule({ store, clock, logger, wake: () => {} });

  const app: TestApp = {
    ...{ git, clock, store, log },
    async hires(organization, { creditsPerMonth } = {}) {
      await addOrganization(store, organization, creditsPerMonth ?? null, clock.now());
    },
    async asks(asked = {}) {
      const { focusAreas, severityThreshold } = { ...defaultReviewOptions, ...asked };
      return requestReview(
        { store, clock, ids },
        {
          organizationId: `org_${asked.organization ?? "acme"}`,
          repository: asked.repository ?? "acme/shop",
          pullRequest: asked.pullRequest ?? 7,
          options: { focusAreas, severityThreshold },
          origin: asked.origin ?? "api",
        },
      );
    },
    work: () => ours.worker.runUntilIdle(),
    async passes(time) {
      clock.passes(time);
      await schedule.enqueueDue();
    },
    async settles() {
      while ((await app.reviews()).some((review) => review.completedAt === null)) {
        await app.work();
        clock.passes("10 minutes");
      }
    },
    async crashesAndRestarts() {
      ours.mortal.dies();
      // On PostgreSQL the dead process might be one that lives: its leases must end first.
      if (store.engine === "postgres") clock.passes("61 seconds");
      const starting = newProcess();
      await starting.worker.start();
      await starting.worker.stop(0);
      ours = newProcess();
    },
    async crashesAfter(questions) {
      ours.mortal.diesAfter(questions);
      const died = await Promise.race([app.work().then(() => false), ours.mortal.death.then(() => true)]);
      await app.crashesAndRestarts();
      return died;
    },
    async isTakenForDead() {
      await store.jobs.recover(clock.now(), "all");
    },
    async review({ id }) {
      const review = await store.reviews.get("org_acme", id);
      if (review === null) throw new Error(`There is no review ${id}.`);
      return review;
    },
    async reviews() {
      const { items } = await store.reviews.list("org_acme", {}, { offset: 0, limit: 100 });
      return Promise.all(items.map(app.review));
    },
    async comments() {
      const [newest] = await app.reviews();
      return (newest?.comments ?? []).map(
        ({ path, line, severity, category, message }) => `${path}:${line} ${severity} ${category} ${message}`,
      );
    },
    async credits(organization = "acme") {
      const balance = await store.credits.balance(`org_${organization}`, periodOf(clock.now()));
      if (balance === null) throw new Error("Nothing is granted yet.");
      const { total, used, reserved, remaining } = balance;
      return { total, used, reserved, remaining };
    },
    async announced() {
      const { items } = await store.outbox.deliveries("org_acme", {}, { offset: 0, limit: 100 });
      return items.map(({ event, reviewId }) => `${event} ${reviewId}`).reverse();
    },
    async [Symbol.asyncDispose]() {
      await ours.worker.stop(0);
      await database[Symbol.asyncDispose]();
    },
  };
  await addOrganization(store, "acme", options.creditsPerMonth ?? null, clock.now());
  await addEndpoint(store, clock.now());
  return app;
}

const unreachableReceiver: JobHandler = { run: async () => {} };

async function addOrganization(
  store: OpenStore,
  slug: string,
  creditsPerMonth: number | null,
  createdAt: Date,
): Promise<void> {
  const organizationId = `org_${slug}`;
  await store.plans.put({ name: "team", creditsPerMonth: 1_000, requestsPerHour: 5_000 });
  await store.organizations.insert({
    ...{
      id: organizationId,
      slug,
      name: slug,
      plan: "team",
      creditsPerMonth,
      requestsPerHour: null,
      createdAt,
    },
  });
  await store.codeHosts.insert({
    ...{
      id: `host_${slug}`,
      organizationId,
      kind: "git",
      name: "local",
      url: "file:///srv/{repository}.git",
    },
    ...{ webUrl: null, settings: {}, sealedToken: null, sealedWebhookSecret: null, createdAt },
  });
  await store.repositories.insert({
    ...{ id: `repo_${slug}`, organizationId, name: "acme/shop", codeHostId: `host_${slug}` },
    ...{ autoReview: false, createdAt, disabledAt: null },
  });
}

async function addEndpoint(store: OpenStore, createdAt: Date): Promise<void> {
  await store.endpoints.put({
    ...{
      id: "ep_acme",
      organizationId: "org_acme",
      url: "https://ci.test/hook",
      events: [],
      setByOwner: true,
    },
    ...{ sealedSecret: "", sealedPreviousSecret: null, previousSecretExpiresAt: null, createdAt },
    ...{ disabledReason: null, disabledAt: null },
  });
}

function recordingLogger(lines: string[]): Logger {
  const write =
    (level: string) =>
    (message: string, fields: Readonly<Record<string, unknown>> = {}) => {
      const error = fields.error === undefined ? "" : ` ${String(fields.error)}`;
      lines.push(`${level} ${message}${error}`);
    };
  return { debug: write("debug"), info: write("info"), warn: write("warn"), error: write("error") };
}
