/** Opens the one database of a process: SQLite in the data folder, or PostgreSQL by its address. */
import type { Kysely } from "kysely";
import type { Clock, Ids, Logger } from "../domain/runtime.ts";
import type { OpenStore } from "../domain/store.ts";
import { openPostgres } from "./postgres/open-postgres.ts";
import { openSqlite, openSqliteInMemory } from "./sqlite/open-sqlite.ts";
import type { Tables } from "./tables.ts";

export interface OpenStoreOptions {
  /** `postgres://…`; null = SQLite in the data folder. */
  databaseUrl: string | null;
  /** Made when absent; holds `plumbline.db`, the lock and the copies from before migrations. */
  dataDir: string;
  clock: Clock;
  ids: Ids;
  logger: Logger;
}

export interface StoreHandle {
  store: OpenStore;
  /** For people/ only, which brings its own tables. Reads and writes go the same way as the store's. */
  kysely: Kysely<Tables>;
  engine: OpenStore["engine"];
}

/**
 * Takes the data folder's lock (AppError `conflict` naming the process that holds it), copies the database aside and
 * migrates it; refuses a schema newer than this program's (AppError `conflict`).
 */
export async function openStore(options: OpenStoreOptions): Promise<StoreHandle> {
  if (options.databaseUrl === null) return openSqlite(options);
  return openPostgres({ ...options, databaseUrl: options.databaseUrl });
}

/** SQLite that lives and dies with the process, for tests: no file, no lock, no second thread. */
export async function openMemoryStore(
  options: Pick<OpenStoreOptions, "clock" | "ids" | "logger">,
): Promise<StoreHandle> {
  return openSqliteInMemory(options);
}
