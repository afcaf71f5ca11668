/** The HTTP server as it ships, on a free port, over a store in memory; the clock is the test's. */
import { createApiKey, sha256Hex } from "../../src/crypto.ts";
import type { KeyRole } from "../../src/domain/organization.ts";
import type { Review, ReviewOutcome } from "../../src/domain/review.ts";
import type { Ids, Logger } from "../../src/domain/runtime.ts";
import type { OpenStore } from "../../src/domain/store.ts";
import { createMetrics, type Metrics } from "../../src/http/metrics.ts";
import { createServer, type HttpServer } from "../../src/http/server.ts";
import type { ServerDeps } from "../../src/http/server-deps.ts";
import { requestReview } from "../../src/review/request-review.ts";
import { openMemoryStore } from "../../src/store/open.ts";
import { createFakeClock, type FakeClock } from "../support/fake-clock.ts";
import { createFakeIds } from "../support/fake-ids.ts";

export const siteUrl = "http://plumbline.test";

export interface TestServer extends AsyncDisposable {
  clock: FakeClock;
  ids: Ids;
  store: OpenStore;
  /** `http://127.0.0.1:12345` */
  address: string;
  port: number;
  /** Of role member, of organization `acme`. */
  key: string;
  log: readonly string[];
  server: HttpServer;
  metrics: Metrics;
  /** With the key, unless headers say otherwise; redirects are not followed. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
  get(path: string, headers?: Record<string, string>): Promise<Response>;
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Response>;
  makesKey(of?: {
    role?: KeyRole;
    organization?: string;
    expiresAt?: Date;
  }): Promise<{ id: string; key: string }>;
  /** An organization with repository `acme/shop` on plan `team`; `acme` is there from the start. */
  hires(organization: string): Promise<void>;
  asks(of?: {
    pullRequest?: number;
    repository?: string;
    organization?: string;
    origin?: Review["origin"];
  }): Promise<Review>;
  completes(review: Review, outcome?: Partial<ReviewOutcome>): Promise<void>;
  /** Ends the server and starts another on the same store. */
  restarts(): Promise<void>;
}

export type TestServerOptions = Partial<Pick<ServerDeps, "trustedProxies" | "operations" | "siteUrl">> & {
  /** What stands in for the store in memory, or in front of it. */
  store?: (store: OpenStore) => OpenStore;
  /** Another process on the database of this one. */
  beside?: TestServer;
};

export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const { beside } = options;
  const clock = beside?.clock ?? createFakeClock();
  const ids = beside?.ids ?? createFakeIds();
  const log: string[] = [];
  const logger = recordingLogger(log);
  const bare = beside?.store ?? (await openMemoryStore({ clock, ids, logger })).store;
  const store = options.store?.(bare) ?? bare;
  const deps: ServerDeps = {
    ...{ store, clock, ids, logger },
    metrics: createMetrics({ store }),
    requestReview: (request) => requestReview({ store, clock, ids }, request),
    operations: options.operations ?? [],
    siteUrl: options.siteUrl ?? (() => siteUrl),
    trustedProxies: options.trustedProxies ?? [],
    version: "0.0.0",
  };

  const test: TestServer = {
    ...{ clock, ids, store, log, metrics: deps.metrics, address: "", port: 0, key: beside?.key ?? "" },
    server: createServer(deps),
    fetch(path, init = {}) {
      const headers = new Headers(init.headers);
      if (!headers.has("authorization")) headers.set("authorization", `Bearer ${test.key}`);
      if (headers.get("authorization") === "none") headers.delete("authorization");
      return fetch(`${test.address}${path}`, { redirect: "manual", ...init, headers });
    },
    get: (path, headers = {}) => test.fetch(path, { headers }),
    post: (path, body, headers = {}) =>
      test.fetch(path, {
        method: "POST",
        body: typeof body === "string" ? body : JSON.stringify(body),
        headers: { "content-type": "application/json", ...headers },
      }),
    async makesKey({ role = "member", organization = "acme", expiresAt = null } = {}) {
      const key = createApiKey(ids);
      const id = ids.next("key");
      await store.apiKeys.insert({
        ...{ id, organizationId: `org_${organization}`, name: "ci", role, hash: sha256Hex(key) },
        ...{ lastFour: key.slice(-4), createdAt: clock.now(), lastUsedAt: null, expiresAt, revokedAt: null },
      });
      return { id, key };
    },
    hires: (organization) => addOrganization(store, organization, clock.now()),
    asks({ pullRequest = 7, repository = "acme/shop", organization = "acme", origin = "api" } = {}) {
      const options = { focusAreas: [], severityThreshold: "low" as const };
      const asked = { organizationId: `org_${organization}`, repository, pullRequest, options, origin };
      return requestReview({ store, clock, ids }, asked);
    },
    async completes(review, outcome = {}) {
      await store.reviews.start(review.id, clock.now());
      const metrics = { filesAnalyzed: 1, tokensUsed: 0, durationSeconds: 4 };
      await store.reviews.complete(
        review.id,
        { summary: "Fine.", comments: [], metrics, ...outcome },
        clock.now(),
      );
    },
    async restarts() {
      await test.server.stop(1_000);
      test.server = createServer(deps);
      await listen();
    },
    async [Symbol.asyncDispose]() {
      await test.server.stop(1_000);
      if (beside === undefined) await store.close();
    },
  };
  async function listen(): Promise<void> {
    const { port } = await test.server.listen("127.0.0.1", 0);
    Object.assign(test, { port, address: `http://127.0.0.1:${port}` });
  }
  if (beside === undefined) {
    await store.plans.put({ name: "team", creditsPerMonth: 1_000, requestsPerHour: 5_000 });
    await test.hires("acme");
    test.key = (await test.makesKey()).key;
  }
  await listen();
  return test;
}

export interface ProblemBody {
  type: string;
  title: string;
  status: number;
  detail: string;
  instance: string;
  code: string;
  request_id: string;
  errors?: { path: string; code: string; message: string }[];
}

export async function problemOf(response: Response): Promise<ProblemBody> {
  return (await response.json()) as ProblemBody;
}

async function addOrganization(store: OpenStore, slug: string, createdAt: Date): Promise<void> {
  const organizationId = `org_${slug}`;
  await store.organizations.insert({
    ...{ id: organizationId, slug, name: slug, plan: "team", createdAt },
    ...{ creditsPerMonth: null, requestsPerHour: null },
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

function recordingLogger(lines: string[]): Logger {
  const write =
    (level: string) =>
    (message: string, fields: Readonly<Record<string, unknown>> = {}) => {
      const error = fields.error === undefined ? "" : ` ${String(fields.error)}`;
      lines.push(`${level} ${message}${error}`);
    };
  return { debug: write("debug"), info: write("info"), warn: write("warn"), error: write("error") };
}
