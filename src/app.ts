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
import {
  administrationOf,
  type Instance,
  type InstanceEdges,
  openInstance,
  readCertificates,
} from "./instance.ts";
import { checkCodeHostAddress } from "./outbound/check-code-host-address.ts";
import type { Resolve } from "./outbound/guard-address.ts";
import { createOutbound } from "./outbound/outbound.ts";
import { resolveName } from "./outbound/resolve-name.ts";
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
/** The service manager waits 30 s for a stop (contract.md, flows); the rest is for closing. */
const drainMs = 28_000;

/** Errors: AppError `conflict` naming what is in the way (the folder's lock, the port, the key). */
export async function startApp(config: Config, edges: AppEdges = {}): Promise<App> {
  const instance = await openInstance(config, edges);
  try {
    return await assemble(instance, edges);
  } catch (error) {
    await instance.close();
    throw error;
  }
}

async function assemble(instance: Instance, edges: AppEdges): Promise<App> {
  const { config, clock, ids, logger, store, secretBox } = instance;
  let port = config.port;
  const siteUrl = () => config.siteUrl ?? `http://localhost:${port}`;

  const ownListeners = () => [{ host: config.host, port }];
  const { resolve = resolveName } = edges;

  const codeHosts = createCodeHosts({
    store,
    cacheDir: join(config.dataDir, "git"),
    caFile: config.caFile,
    checkAddress: (url) => checkCodeHostAddress(url, { resolve, ownListeners }),
    secretBox,
    logger,
    ...(edges.openCodeHost === undefined ? {} : { open: edges.openCodeHost }),
  });
  const engines = edges.engines ?? [createRulesEngine({ logger })];
  const metrics = createMetrics({ store });
  const outbound = createOutbound({
    clock,
    ids,
    logger,
    secretBox,
    siteUrl,
    ownListeners,
    extraCertificates: readCertificates(config),
    resolve,
    onAttempt: metrics.countDelivery,
  });
  const announce: Announce = (tx, event, review) => {
    metrics.countReviewEvent(event);
    return outbound.announce(tx, event, review);
  };
  const handlers = createJobHandlers({
    clock,
    logger,
    codeHost: codeHosts.byId,
    engines,
    announce,
    deliver: outbound.deliver,
  });
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
  const server = createServer({
    store,
    clock,
    ids,
    logger,
    metrics,
    requestReview: request,
    operations: boundOperations(administration),
    siteUrl,
    trustedProxies: config.trustedProxies,
    version,
  });

  ({ port } = await server.listen(config.host, config.port));
  const control = startControlServer({
    dataDir: config.dataDir,
    logger,
    handle: (name, input) => runAsOwner(administration, name, input),
  });
  // Last: from the first job on, the port in addresses is the real one, and nothing that failed to start leaves work running.
  await worker.start();
  await schedule.start();

  return {
    address: `http://${config.host.includes(":") ? `[${config.host}]` : config.host}:${port}`,
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
