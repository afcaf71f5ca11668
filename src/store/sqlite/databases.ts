/** How a SQLite database is opened: the one place that sets pragmas. */
import { Database } from "bun:sqlite";

/** Before this version two connections could corrupt a WAL file (sqlite.org/wal.html, the WAL-reset bug). */
const sqliteVersionMin = "3.51.3";

/** The wait blocks its thread: the writer's own, or the main one at the start, when nothing is served yet. */
const busyTimeoutMs = 5_000;
const journalSizeLimitBytes = 64 * 1024 * 1024;
const cacheKibibytes = 32 * 1024;

export function openWriteDatabase(file: string): Database {
  const database = new Database(file, { create: true, readwrite: true, strict: true });
  database.run(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
  database.run("PRAGMA journal_mode = WAL");
  database.run("PRAGMA synchronous = FULL");
  database.run("PRAGMA foreign_keys = ON");
  database.run(`PRAGMA journal_size_limit = ${journalSizeLimitBytes}`);
  database.run(`PRAGMA cache_size = -${cacheKibibytes}`);
  return database;
}

/** On the main thread, so it never waits for a lock: the caller does, asynchronously. */
export function openReadDatabase(file: string): Database {
  const database = new Database(file, { readonly: true, strict: true });
  database.run("PRAGMA busy_timeout = 0");
  database.run(`PRAGMA cache_size = -${cacheKibibytes}`);
  return database;
}

export function openMemoryDatabase(): Database {
  const database = new Database(":memory:", { strict: true });
  database.run("PRAGMA foreign_keys = ON");
  return database;
}

export function assertSqliteVersion(database: Database): void {
  const row = database.query<{ version: string }, []>("SELECT sqlite_version() AS version").get();
  const version = row?.version ?? "unknown";
  if (Bun.semver.order(version, sqliteVersionMin) < 0) {
    throw new Error(`SQLite ${version} can corrupt its journal; ${sqliteVersionMin} or newer is needed`);
  }
}
