/**
 * What every process that works on an installation opens first, server or not: the data folder, the store, the secret key and
 * the people. The part of the composition root that `app.ts` shares with commands that run without a server.
 */
import { accessSync, constants, mkdirSync } from "node:fs";
import type { Administration } from "./admin/context.ts";
import { openSecretKey } from "./admin/secret-key.ts";
import type { Config } from "./config.ts";
import type { SecretBox } from "./crypto.ts";
import { AppError } from "./domain/errors.ts";
import type { Clock, Ids } from "./domain/runtime.ts";
import { createPeople, type People } from "./people/people.ts";
import { requestReview } from "./review/request-review.ts";
import { openStore, type StoreHandle } from "./store/open.ts";
import { createIds, createLogger, type SystemLogger, systemClock } from "./system.ts";

/** What tests replace. */
export interface InstanceEdges {
  clock?: Clock;
  ids?: Ids;
  logger?: SystemLogger;
  openStore?: typeof openStore;
}

export interface Instance {
  config: Config;
  clock: Clock;
  ids: Ids;
  logger: SystemLogger;
  store: StoreHandle["store"];
  secretBox: SecretBox;
  people: People;
  close(): Promise<void>;
}

/** Errors: AppError `conflict` with a sentence a person can act on: folder locked, not writable, wrong key, newer schema. */
export async function openInstance(config: Config, edges: InstanceEdges = {}): Promise<Instance> {
  const clock = edges.clock ?? systemClock;
  const ids = edges.ids ?? createIds(clock);
  const logger = edges.logger ?? createLogger({ level: config.logLevel, format: config.logFormat });
  concealDatabasePassword(config, logger);
  makeDataDir(config.dataDir);

  const { databaseUrl, dataDir } = config;
  const open = edges.openStore ?? openStore;
  const { store, kysely } = await open({ databaseUrl, dataDir, clock, ids, logger });
  try {
    const secretBox = await openSecretKey({
      path: config.secretKeyFile,
      settings: store.settings,
      ids,
      logger,
      onOpened: (secret) => logger.conceal(secret),
    });
    const people = createPeople({ kysely, secret: secretBox.derive("sign-in"), clock, ids, logger });
    return { config, clock, ids, logger, store, secretBox, people, close: () => store.close() };
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** What operations work on; a server and a command without one differ in `parts` alone. */
export function administrationOf(
  { store, people, clock, ids, logger, secretBox }: Instance,
  parts: Pick<Administration, "siteUrl" | "requestReview">,
): Administration {
  return { store, people, clock, ids, logger, secretBox, ...parts };
}

/** For operations without a server: a review that is asked for waits until a server runs. */
export function offlineAdministration(instance: Instance): Administration {
  const { config, store, clock, ids } = instance;
  return administrationOf(instance, {
    siteUrl: () => config.siteUrl ?? `http://localhost:${config.port}`,
    requestReview: (request) => requestReview({ store, clock, ids }, { ...request, origin: "api" }),
  });
}

function makeDataDir(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new AppError("conflict", `The data folder ${dataDir} cannot be used: ${reason}`, { cause });
  }
}

function concealDatabasePassword(config: Config, logger: SystemLogger): void {
  const password = config.databaseUrl === null ? "" : (URL.parse(config.databaseUrl)?.password ?? "");
  logger.conceal(password);
  logger.conceal(decodeURIComponent(password));
}
