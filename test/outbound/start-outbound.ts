/** The outbound webhooks as they ship, with a store in memory, a clock that stands still and real receivers. */
import { createKeyFileContents, createSecretBox } from "../../src/crypto.ts";
import type { Review } from "../../src/domain/review.ts";
import type { Logger } from "../../src/domain/runtime.ts";
import type { OpenStore } from "../../src/domain/store.ts";
import type { ReviewEventName, WebhookAttempt, WebhookEndpoint } from "../../src/domain/webhook.ts";
import type { Delivery } from "../../src/domain/webhook-store.ts";
import { type EndpointDeps, type EndpointInput, setEndpoint } from "../../src/outbound/manage-endpoint.ts";
import { createOutbound, type Outbound } from "../../src/outbound/outbound.ts";
import type { SendWebhook } from "../../src/outbound/send-webhook.ts";
import { openMemoryStore, openStore } from "../../src/store/open.ts";
import { createIds, systemClock } from "../../src/system.ts";
import { createWorker, type Worker } from "../../src/worker/worker.ts";
import type { TestDatabase } from "../support/databases.ts";
import { createFakeClock, type FakeClock } from "../support/fake-clock.ts";
import { createFakeIds } from "../support/fake-ids.ts";
import { startWebhookSink, type WebhookSink } from "../support/webhook-sink.ts";

export const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

export interface TestOutbound extends AsyncDisposable, Outbound {
  clock: FakeClock;
  store: OpenStore;
  worker: Worker;
  /** What `setEndpoint` and the other things an admin does work on. */
  deps: EndpointDeps & { send: SendWebhook; siteUrl: () => string };
  /** Every line logged, with its fields. */
  log: readonly string[];
  /** What the metrics were told, an entry an attempt. */
  counted: readonly string[];
  /** A real receiver, answering 200 until told otherwise; closed with the rest. */
  receiver(): Promise<WebhookSink>;
  /** Sets the endpoint of `acme` as the owner, with the secret above. */
  endpoint(url: string, of?: Partial<EndpointInput>): Promise<WebhookEndpoint>;
  /** An organization besides `acme`. */
  hires(organization: string): Promise<void>;
  /** A review of the organization gets that far. */
  announces(event?: ReviewEventName, of?: { organization?: string; review?: Partial<Review> }): Promise<void>;
  work(): Promise<void>;
  /** The process stops in an orderly way, without waiting for what runs, and another takes its place. */
  restarts(): Promise<void>;
  /** Time passes, then everything that is due is done. */
  passes(time: string): Promise<void>;
  /** Passes to the next moment at which a delivery of `acme` is due, and does it; answers the seconds. */
  passesToNextAttempt(): Promise<number>;
  /** Oldest first, of `acme`. */
  deliveries(): Promise<readonly Delivery[]>;
  /** Of the oldest delivery, or of the one named. */
  attempts(deliveryId?: string): Promise<readonly WebhookAttempt[]>;
}

export interface TestOutboundOptions {
  /** Resolves every name; to loopback unless told otherwise. */
  resolve?: (hostname: string) => Promise<readonly string[]>;
  limits?: { connectMs: number; totalMs: number };
  deliveriesAtOnce?: number;
  /** Instead of a store in memory. */
  database?: TestDatabase;
  /** Another process on the database: `acme` is there already. */
  joins?: boolean;
}

export async function startOutbound(options: TestOutboundOptions = {}): Promise<TestOutbound> {
  const clock = createFakeClock();
  const ids = options.database === undefined ? createFakeIds() : createIds(systemClock);
  const receivers: WebhookSink[] = [];
  const log: string[] = [];
  const counted: string[] = [];
  const logger = recordingLogger(log);
  const { store } =
    options.database === undefined
      ? await openMemoryStore({ clock, ids, logger })
      : await openStore({ ...options.database, clock, ids, logger });
  const secretBox = createSecretBox(createKeyFileContents(createFakeIds()), { ids });
  const siteUrl = () => "http://localhost:8080";
  const made = createOutbound({
    ...{ clock, ids, logger, secretBox, siteUrl },
    ownListeners: () => [],
    extraCertificates: null,
    resolve: options.resolve ?? (async () => ["127.0.0.1"]),
    limits: options.limits ?? { connectMs: 1_000, totalMs: 2_000 },
    onAttempt: (outcome) => counted.push(outcome),
  });
  const newWorker = () =>
    createWorker({
      ...{ store, clock, ids, logger },
      handlers: { deliver: made.deliver },
      concurrency: { review: 1, deliver: options.deliveriesAtOnce ?? 16, ingest: 1, cron: 1 },
    });
  const { addresses, send } = made;
  const deps = { store, clock, ids, secretBox, addresses, send, siteUrl };

  const outbound: TestOutbound = {
    ...made,
    ...{ clock, store, deps, log, counted },
    worker: newWorker(),
    async receiver() {
      const sink = await startWebhookSink();
      receivers.push(sink);
      return sink;
    },
    async endpoint(url, of = {}) {
      const input = { organizationId: "org_acme", url, events: [], secret, byOwner: true, ...of };
      return (await setEndpoint(deps, input)).endpoint;
    },
    async hires(organization) {
      await addOrganization(store, organization, clock.now());
    },
    async announces(event = "review.completed", { organization = "acme", review = {} } = {}) {
      const announced = { ...aReview(event, organization, ids.next("rev"), clock.now()), ...review };
      await store.transaction((tx) => made.announce(tx, event, announced));
    },
    work: () => outbound.worker.runUntilIdle(),
    async restarts() {
      await outbound.worker.stop(0);
      outbound.worker = newWorker();
    },
    async passes(time) {
      clock.passes(time);
      await outbound.work();
    },
    async passesToNextAttempt() {
      const due = (await outbound.deliveries()).flatMap(({ nextAttemptAt }) => nextAttemptAt ?? []);
      const next = Math.min(...due.map((at) => at.getTime()));
      if (!Number.isFinite(next)) throw new Error("Nothing is due any more.");
      const waitMs = Math.max(0, next - clock.now().getTime());
      await outbound.passes(`${waitMs} ms`);
      return waitMs / 1000;
    },
    async deliveries() {
      const { items } = await store.outbox.deliveries("org_acme", {}, { offset: 0, limit: 1_000 });
      return items.toReversed();
    },
    async attempts(deliveryId) {
      const [oldest] = await outbound.deliveries();
      return store.outbox.attempts(deliveryId ?? oldest?.id ?? "");
    },
    async [Symbol.asyncDispose]() {
      await outbound.worker.stop(0);
      await store.close();
      await Promise.all(receivers.map((sink) => sink.close()));
    },
  };
  if (options.joins !== true) await outbound.hires("acme");
  return outbound;
}

export async function addOrganization(store: OpenStore, slug: string, createdAt: Date): Promise<void> {
  const id = `org_${slug}`;
  await store.plans.put({ name: "team", creditsPerMonth: 1_000, requestsPerHour: 5_000 });
  await store.organizations.insert({
    ...{ id, slug, name: slug, plan: "team", creditsPerMonth: null, requestsPerHour: null, createdAt },
  });
}

export function aReview(event: ReviewEventName, organization: string, id: string, at: Date): Review {
  const completed = event === "review.completed";
  const failure = { code: "pull_request_not_found", message: "There is no pull request 7." } as const;
  return {
    id,
    organizationId: `org_${organization}`,
    repositoryId: `repo_${organization}`,
    repository: "acme/shop",
    pullRequest: 7,
    origin: "api",
    status: completed ? "completed" : event === "review.failed" ? "failed" : "processing",
    options: { focusAreas: [], severityThreshold: "low" },
    pullRequestUrl: "https://code.corp/acme/shop/pull/7",
    headSha: null,
    baseSha: null,
    summary: completed ? "Two comments." : null,
    commentsCount: completed ? 2 : 0,
    metrics: completed ? { filesAnalyzed: 1, tokensUsed: 0, durationSeconds: 1 } : null,
    failure: event === "review.failed" ? failure : null,
    createdAt: at,
    startedAt: at,
    completedAt: event === "review.started" ? null : at,
  };
}

function recordingLogger(lines: string[]): Logger {
  const write =
    (level: string) =>
    (message: string, fields: Readonly<Record<string, unknown>> = {}) => {
      const error = fields.error instanceof Error ? { error: fields.error.stack } : {};
      lines.push(`${level} ${message} ${JSON.stringify({ ...fields, ...error })}`);
    };
  return { debug: write("debug"), info: write("info"), warn: write("warn"), error: write("error") };
}
