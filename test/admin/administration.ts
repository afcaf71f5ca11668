/** The operations as they ship, on a store in memory unless told otherwise; receivers of webhooks are real. */
import type { Static, TSchema } from "@sinclair/typebox";
import type { Administration } from "../../src/admin/context.ts";
import {
  type LocalOperation,
  type Operation,
  runLocalOperation,
  runOperation,
} from "../../src/admin/operation.ts";
import { setUp, theOrganization } from "../../src/admin/setup.ts";
import { checkCodeHost } from "../../src/code-hosts/check-code-host.ts";
import { createKeyFileContents, createSecretBox } from "../../src/crypto.ts";
import { AppError } from "../../src/domain/errors.ts";
import type { MemberRole } from "../../src/domain/organization.ts";
import type { Logger } from "../../src/domain/runtime.ts";
import { createRuleBook } from "../../src/engines/rules/rule-book.ts";
import { createOutbound } from "../../src/outbound/outbound.ts";
import { createPeople } from "../../src/people/people.ts";
import { requestReview } from "../../src/review/request-review.ts";
import { createIds, systemClock } from "../../src/system.ts";
import { openTestMemoryStore, type TestStore } from "../support/databases.ts";
import type { FakeClock } from "../support/fake-clock.ts";

export interface TestAdministration extends AsyncDisposable {
  administration: Administration;
  clock: FakeClock;
  /** Every line logged, with its fields. */
  log: readonly string[];
  /** How often the worker was told that there is something to do. */
  wakes(): number;
  setsUp(organization?: string): Promise<void>;
  /** As the owner unless told otherwise. */
  run<I extends TSchema, O extends TSchema>(
    operation: Operation<I, O>,
    input: Static<I>,
    as?: MemberRole,
  ): Promise<Static<O>>;
  runLocal<I extends TSchema, O extends TSchema>(
    operation: LocalOperation<I, O>,
    input: Static<I>,
  ): Promise<Static<O>>;
}

/** As good as the real ones, but for the cost; test/people has those. */
const cheap = {
  hash: (text: string) => Bun.password.hash(text, { algorithm: "argon2id", memoryCost: 8, timeCost: 1 }),
  verify: ({ password, hash }: { password: string; hash: string }) => Bun.password.verify(password, hash),
};

export const password = "correct horse battery";

export async function startAdministration(
  open: () => Promise<TestStore> = openTestMemoryStore,
): Promise<TestAdministration> {
  const database = await open();
  const { store, kysely, clock } = database;
  const ids = createIds(systemClock);
  const log: string[] = [];
  const logger = recordingLogger(log);
  const secretBox = createSecretBox(createKeyFileContents(ids), { ids });
  const siteUrl = () => "http://localhost:8080";
  let wakes = 0;
  const administration: Administration = {
    store,
    people: createPeople({
      kysely,
      secret: secretBox.derive("sign-in"),
      clock,
      ids,
      logger,
      passwords: cheap,
    }),
    clock,
    ids,
    logger,
    secretBox,
    siteUrl,
    checkCodeHost,
    ruleBook: createRuleBook(logger),
    requestReview: (request) => requestReview({ store, clock, ids }, { ...request, origin: "api" }),
    webhooks: createOutbound({
      ...{ clock, ids, logger, secretBox, siteUrl },
      ownListeners: () => [],
      extraCertificates: null,
    }),
    wakeWorker: () => {
      wakes += 1;
    },
  };
  const runLocal: TestAdministration["runLocal"] = (operation, input) =>
    runLocalOperation(operation, administration, input) as Promise<Static<typeof operation.output>>;

  return {
    administration,
    clock,
    log,
    wakes: () => wakes,
    async setsUp(organization = "acme") {
      await runLocal(setUp, { organization, admin_email: "ada@acme.example", admin_password: password });
    },
    async run(operation, input, role = "owner") {
      const organization = await theOrganization(administration);
      const caller = { organizationId: organization.id, role, actorId: "cli" };
      return runOperation(operation, { ...administration, caller }, input) as Promise<
        Static<typeof operation.output>
      >;
    },
    runLocal,
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  };
}

/**
 * What the attempt is refused with. (`expect(…).rejects` waits without letting other threads' messages in, so that it never ends
 * on a store whose writer is one.)
 */
export async function refusalOf(attempt: Promise<unknown>): Promise<AppError> {
  const outcome = await attempt.then(
    () => null,
    (error: unknown) => error,
  );
  if (outcome instanceof AppError) return outcome;
  throw outcome ?? new Error("it was taken");
}

function recordingLogger(log: string[]): Logger {
  const record = (level: string) => (message: string, fields?: unknown) =>
    void log.push(`${level} ${message} ${JSON.stringify(fields ?? {})}`);
  return { debug: record("debug"), info: record("info"), warn: record("warn"), error: record("error") };
}
