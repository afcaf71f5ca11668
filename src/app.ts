/**
 * The composition root of a server: the one place that knows which concrete code host, engine, store and sender are used.
 * Whatever is made here is given away as an argument and closed here again, in the opposite order.
 */
import { join } from "node:path";
import { boundOperations, runAsOwner } from "./admin/operations.ts";
import { createCodeHosts } from "./code-hosts/open-code-host.ts";
import type { Config } from "./config.ts";
import { startControlServer } from "./control/server.ts";
import { createSchedule } from "./cron/schedule.ts";
import type { Announce } from "./domain/announce.ts";
import type { CodeHost } from "./domain/code-host.ts";
import { type Lane, laneCapDefault } from "./domain/job.ts";
import type { CodeHostConfig } from "./domain/repository.ts";
import type { ReviewEngine } from "./domain/review-engine.ts";
import { createRulesEngine } from "./engines/rules/rules.ts";
import { createMetrics } from "./http/metrics.ts";
import { createServer } from "./http/server.ts";
import type { RequestReview } from "./http/server-deps.ts";
import { administrationOf, type Instance, type InstanceEdges, openInstance } from "./instance.ts";
import { checkCodeHostAddress } from "./outbound/check-code-host-address.ts";
import type { Resolve } from "./outbound/guard-address.ts";
import { createOutbound } from "./outbound/outbound.ts";
import { resolveName } from "./outbound/resolve-name.ts";
import { ownRules } from "./review/own-rules.ts";
import { requestReview } from "./review/request-review.ts";
import { version } from "./version.ts";
import { createJobHandlers } from "./worker/job-handlers.ts";
import { createWorker } from "./worker/worker.ts";

/** What tests replace: the edges of the process, never its middle. */
export interface AppEdges extends InstanceEdges {
  openCodeHost?: (config: CodeHostConfig) => CodeHost;
  engines?: readonly ReviewEngine[];
  resolve?: Resolve;
}

export interface App {
  /** `http://127.0.0.1:8080`: where it listens, which need not be what others call it (`siteUrl`). */
  address: string;
  siteUrl: string;
  /** Whether there is an owner yet; without one, only set-up makes sense. */
  isSetUp(): Promise<boolean>;
  /** Refuses new work, lets what runs finish for up to `drainMs`, and gives the rest back to the queue. */
  stop(): Promise<void>;
}

/** Jobs that one process runs at once; reviews keep both a small machine and its Git server responsive. */
const concurrency: Readonly<Record<Lane, number>> = { ...laneCapDefault, review: 4, deliver: 32 };
/** The service manager waits 30 s for a stop; the rest is for closing. */
const drainMs = 28_000;

/** Where the service listens and how others reach it; the port is known for certain once the server listens. */
interface Place {
  host: string;
  port: number;
  siteUrl: () => string;
}

/** Errors: AppError `conflict` naming what is in the way (the folder's lock, the port, the key). */
export async function startApp(config: Config, edges: AppEdges = {}): Promise<App> {
  const instance = await openInstance(config, edges);
  try {
    const place: Place = {
      host: config.host,
      port: config.port,
      siteUrl: () => config.siteUrl ?? `http://localhost:${place.port}`,
    };
    return await start(instance, place, connect(instance, place, edges));
  } catch (error) {
    await instance.close();
    throw error;
  }
}

type Outside = ReturnType<typeof connect>;

/** Everything that talks to others: code hosts, engines, webhook receivers; and the metrics that count it. */
function connect(instance: Instance, place: Place, edges: AppEdges) {
  const { config, clock, ids, logger, store, secretBox, extraCertificates } = instance;
  const { siteUrl } = place;
  const { resolve = resolveName } = edges;
  const ownListeners = () => [{ host: place.host, port: place.port }];

  const codeHosts = createCodeHosts({
    store,
    cacheDir: join(config.dataDir, "git"),
    caFile: config.caFile,
    checkAddress: (url) => checkCodeHostAddress(url, { resolve, ownListeners }),
    secretBox,
    logger,
    ...(edges.openCodeHost === undefined ? {} : { open: edges.openCodeHost }),
  });
  const engines = edges.engines ?? [createRulesEngine({ logger, ownRules: ownRules(store.settings) })];
  const metrics = createMetrics({ store });
  const onAttempt = metrics.countDelivery;
  const outbound = createOutbound({
    clock,
    ids,
    logger,
    secretBox,
    siteUrl,
    ownListeners,
    extraCertificates,
    resolve,
    onAttempt,
  });
  const announce: Announce = (tx, event, review) => {
    metrics.countReviewEvent(event);
    return outbound.announce(tx, event, review);
  };
  return { codeHosts, engines, metrics, outbound, announce };
}

/** The server, the worker and the timetable, running. */
async function start(instance: Instance, place: Place, outside: Outside): Promise<App> {
  const { config, clock, ids, logger, store } = instance;
  const { codeHosts, engines, metrics, outbound, announce } = outside;
  const { siteUrl } = place;

  const codeHost = codeHosts.byId;
  const { deliver } = outbound;
  const handlers = createJobHandlers({ clock, ids, logger, codeHost, engines, announce, deliver });
  const worker = createWorker({ store, clock, ids, logger, handlers, concurrency });
  const schedule = createSchedule({ store, clock, logger, wake: worker.wake });
  const request: RequestReview = async (asked) => {
    const review = await requestReview({ store, clock, ids }, asked);
    worker.wake();
    return review;
  };
  const administration = administrationOf(instance, {
    siteUrl,
    requestReview: (asked) => request({ ...asked, origin: "api" }),
    webhooks: outbound,
    wakeWorker: worker.wake,
  });
  const operations = boundOperations(administration);
  const { trustedProxies } = config;
  const server = createServer({
    store,
    clock,
    ids,
    logger,
    metrics,
    requestReview: request,
    operations,
    siteUrl,
    trustedProxies,
    version,
  });

  place.port = (await server.listen(place.host, place.port)).port;
  const handle = (name: string, input: unknown) => runAsOwner(administration, name, input);
  const control = startControlServer({ dataDir: config.dataDir, logger, handle });
  // Last: from the first job on, the port in addresses is the real one, and nothing that failed to start leaves work running.
  await worker.start();
  await schedule.start();

  return {
    address: addressOf(place),
    siteUrl: siteUrl(),
    isSetUp: () => instance.people.hasOwner(),
    async stop() {
      schedule.stop();
      await Promise.all([server.stop(drainMs), control.stop(), worker.stop(drainMs)]);
      await Promise.all([...engines.map((engine) => engine.close()), codeHosts.close()]);
      await instance.close();
    },
  };
}

function addressOf({ host, port }: Place): string {
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}
