/**
 * Real databases for tests: SQLite in memory or in a file, and a PostgreSQL server of our own that lives as long as
 * the test file (or the one of TEST_POSTGRES_URL, started once for all of them).
 */

import { afterAll } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SQL } from "bun";
import type { Clock, Ids, Logger } from "../../src/domain/runtime.ts";
import { openMemoryStore, openStore, type StoreHandle } from "../../src/store/open.ts";
import { createFakeClock } from "./fake-clock.ts";
import { createFakeIds } from "./fake-ids.ts";
import { findPostgres, startPostgresServer } from "./postgres-server.ts";

export interface TestStore extends StoreHandle, AsyncDisposable {
  clock: ReturnType<typeof createFakeClock>;
  ids: Ids;
}

export interface TestDatabase extends AsyncDisposable {
  databaseUrl: string | null;
  dataDir: string;
}

/** An empty database of every kind; opening it is the test's. */
export const emptyDatabases = {
  sqlite: async (): Promise<TestDatabase> => {
    const dataDir = temporaryFolder();
    return {
      databaseUrl: null,
      dataDir,
      [Symbol.asyncDispose]: async () => rmSync(dataDir, { recursive: true, force: true }),
    };
  },
  postgres: () => newPostgresDatabase("template0"),
};

/** An open store on every kind of database that this machine has. */
export function storeKinds(): ReadonlyMap<string, () => Promise<TestStore>> {
  const kinds = new Map([
    ["SQLite in memory", openTestMemoryStore],
    ["SQLite in a file", () => openTestStore(emptyDatabases.sqlite)],
  ]);
  if (hasPostgres()) kinds.set("PostgreSQL", () => openTestStore(migratedPostgresDatabase));
  return kinds;
}

/**
 * For tests that need it, asked while a test file is read: a server started for it ends with the file. False, after
 * saying how to mend it, where PostgreSQL is missing; with CI=true that throws.
 */
export function hasPostgres(): boolean {
  if (process.env.TEST_POSTGRES_URL !== undefined || findPostgres() !== null) {
    afterAll(leaveServer);
    return true;
  }
  const message = "PostgreSQL is missing, its tests cannot run: apt-get install postgresql";
  if (process.env.CI === "true") throw new Error(message);
  console.warn(message);
  return false;
}

/** For `openStore`: a fake clock, counting ids and no log. */
export function testRuntime(): { clock: ReturnType<typeof createFakeClock>; ids: Ids; logger: Logger } {
  return { clock: createFakeClock(), ids: createFakeIds(), logger: silentLogger };
}

/** Time as it passes, for what waits for a lock or a disk. */
export const realClock: Clock = { now: () => new Date(), monotonicMs: () => performance.now() };

export const silentLogger: Logger = { debug() {}, info() {}, warn() {}, error() {} };

export function temporaryFolder(): string {
  return mkdtempSync(join(tmpdir(), "plumbline-test-"));
}

export async function openTestMemoryStore(): Promise<TestStore> {
  const runtime = testRuntime();
  const handle = await openMemoryStore(runtime);
  return { ...handle, ...runtime, [Symbol.asyncDispose]: () => handle.store.close() };
}

async function openTestStore(empty: () => Promise<TestDatabase>): Promise<TestStore> {
  const database = await empty();
  const runtime = testRuntime();
  const handle = await openStore({ ...database, ...runtime });
  return {
    ...handle,
    ...runtime,
    [Symbol.asyncDispose]: async () => {
      await handle.store.close();
      await database[Symbol.asyncDispose]();
    },
  };
}

/** A copy of one that is migrated already, which takes a third of the time. */
async function migratedPostgresDatabase(): Promise<TestDatabase> {
  migratedTemplate ??= makeMigratedTemplate();
  return newPostgresDatabase(await migratedTemplate);
}

let migratedTemplate: Promise<string> | null = null;

async function makeMigratedTemplate(): Promise<string> {
  const template = await emptyDatabases.postgres();
  const { store } = await openStore({ ...template, ...testRuntime() });
  await store.close();
  return new URL(template.databaseUrl ?? "").pathname.slice(1);
}

async function newPostgresDatabase(template: string): Promise<TestDatabase> {
  const server = await theServer();
  // Random, since an isolated test file counts from zero again in the process of the one before.
  const name = `test_${crypto.randomUUID().replaceAll("-", "")}`;
  await server.admin.unsafe(`CREATE DATABASE ${name} TEMPLATE ${template}`);
  const databaseUrl = new URL(server.url);
  databaseUrl.pathname = `/${name}`;
  return {
    databaseUrl: databaseUrl.href,
    dataDir: tmpdir(),
    // Not waited for: it takes 100 ms, and what is left of it at the end goes with the server.
    [Symbol.asyncDispose]: async () => {
      server.admin.unsafe(`DROP DATABASE ${name} WITH (FORCE)`).catch(() => undefined);
    },
  };
}

let started: Promise<{ url: string; admin: SQL; stop: () => Promise<void> }> | null = null;

function theServer() {
  started ??= connectToServer();
  return started;
}

async function connectToServer() {
  const given = process.env.TEST_POSTGRES_URL;
  const shared = given === undefined ? null : { url: given, stop: async () => {} };
  const { url, stop } = shared ?? (await startPostgresServer());
  return { url, stop, admin: new SQL(url, { max: 4 }) };
}

/** At the end of a test file: a server of our own ends with it, and the next file starts another. */
async function leaveServer(): Promise<void> {
  const server = await started;
  started = null;
  migratedTemplate = null;
  await server?.admin.close();
  await server?.stop();
}
