/**
 * What every process that works on an installation opens first, server or not: the data folder, the store, the secret key and
 * the people. The part of the composition root that `app.ts` shares with commands that run without a server.
 */
import { accessSync, constants, mkdirSync, readFileSync } from "node:fs";
import type { Administration } from "./admin/context.ts";
import { runAsOwner } from "./admin/operations.ts";
import { openSecretKey } from "./admin/secret-key.ts";
import { checkCodeHost } from "./code-hosts/check-code-host.ts";
import type { Config } from "./config.ts";
import type { SecretBox } from "./crypto.ts";
import { AppError } from "./domain/errors.ts";
import type { Clock, Ids } from "./domain/runtime.ts";
import { createRuleBook } from "./engines/rules/rule-book.ts";
import { createOutbound } from "./outbound/outbound.ts";
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
  /** PEM text of the certificates to trust beside the system's; null without any. */
  extraCertificates: string | null;
  close(): Promise<void>;
}

/** Errors: AppError `conflict` with a sentence a person can act on: folder locked, not writable, wrong key, newer schema, no certificates. */
export async function openInstance(config: Config, edges: InstanceEdges = {}): Promise<Instance> {
  const clock = edges.clock ?? systemClock;
  const ids = edges.ids ?? createIds(clock);
  const logger = edges.logger ?? createLogger({ level: config.logLevel, format: config.logFormat });
  concealDatabasePassword(config, logger);
  const extraCertificates = readCertificates(config);
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
    const close = () => store.close();
    return { config, clock, ids, logger, store, secretBox, people, extraCertificates, close };
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** What operations work on; a server and a command without one differ in `parts` alone. */
export function administrationOf(
  { store, people, clock, ids, logger, secretBox }: Instance,
  parts: Pick<Administration, "siteUrl" | "requestReview" | "webhooks" | "wakeWorker">,
): Administration {
  const ruleBook = createRuleBook(logger);
  return { store, people, clock, ids, logger, secretBox, checkCodeHost, ruleBook, ...parts };
}

/** The operations without a server: what is asked for, a review or a delivery, waits until one runs. Errors as `openInstance`. */
export async function openOffline(config: Config): Promise<{
  run(operation: string, input: unknown): Promise<unknown>;
  close(): Promise<void>;
}> {
  const instance = await openInstance(config);
  const { store, clock, ids } = instance;
  const siteUrl = () => config.siteUrl ?? `http://localhost:${config.port}`;
  const administration = administrationOf(instance, {
    siteUrl,
    requestReview: (request) => requestReview({ store, clock, ids }, { ...request, origin: "api" }),
    webhooks: createOutbound({
      ...instance,
      siteUrl,
      ownListeners: () => [{ host: config.host, port: config.port }],
    }),
    wakeWorker: () => {},
  });
  return { run: (operation, input) => runAsOwner(administration, operation, input), close: instance.close };
}

/** Before anything is made: settings that cannot be followed leave nothing behind. */
function readCertificates({ caFile }: Config): string | null {
  if (caFile === null) return null;
  const certificates = readCertificateFile(caFile);
  if (certificates.includes("-----BEGIN CERTIFICATE-----")) return certificates;
  throw new AppError("conflict", `PLUMBLINE_CA_FILE: ${caFile} holds no certificate (PEM).`);
}

function readCertificateFile(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (cause) {
    const message = `PLUMBLINE_CA_FILE: ${path} cannot be read: ${reason(cause)}`;
    throw new AppError("conflict", message, { cause });
  }
}

function makeDataDir(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (cause) {
    throw new AppError("conflict", `The data folder ${dataDir} cannot be used: ${reason(cause)}`, { cause });
  }
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function concealDatabasePassword(config: Config, logger: SystemLogger): void {
  const password = config.databaseUrl === null ? "" : (URL.parse(config.databaseUrl)?.password ?? "");
  logger.conceal(password);
  logger.conceal(decodeURIComponent(password));
}
