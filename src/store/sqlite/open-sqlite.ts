/** Opens SQLite in a data folder, or in memory for tests. */
import type { Database } from "bun:sqlite";
import { closeSync, mkdirSync, openSync } from "node:fs";
import { join } from "node:path";
import { Kysely } from "kysely";
import { AppError } from "../../domain/errors.ts";
import { migrations as allMigrations, type Migration } from "../migrations.ts";
import type { OpenStoreOptions, StoreHandle } from "../open.ts";
import { SqlStore } from "../store.ts";
import { databaseCode } from "../store-error.ts";
import type { Tables } from "../tables.ts";
import { TransactionGuard } from "../transaction.ts";
import { lockDataFolder } from "./data-folder-lock.ts";
import { assertSqliteVersion, openMemoryDatabase, openReadDatabase, openWriteDatabase } from "./databases.ts";
import { SqliteDialect } from "./dialect.ts";
import { migrateSqlite } from "./migrate-sqlite.ts";
import { ReadConnection } from "./read-connection.ts";
import { reviewPageReader } from "./review-page.ts";
import { directChannel, openWorkerChannel } from "./write-channel.ts";
import { WriteQueue } from "./write-queue.ts";

type SqliteOptions = Omit<OpenStoreOptions, "databaseUrl"> & { migrations?: readonly Migration[] };

export async function openSqlite(options: SqliteOptions): Promise<StoreHandle> {
  mkdirSync(options.dataDir, { recursive: true, mode: 0o700 });
  const unlock = lockDataFolder(options.dataDir);
  try {
    const file = join(options.dataDir, "plumbline.db");
    prepare(file, options);
    const writer = new WriteQueue(await openWorkerChannel(file), options.clock);
    const reader = new ReadConnection(openReadDatabase(file));
    return assemble({ ...options, reader, writer, unlock });
  } catch (error) {
    unlock();
    throw error;
  }
}

export async function openSqliteInMemory(options: Omit<SqliteOptions, "dataDir">): Promise<StoreHandle> {
  const database = openMemoryDatabase();
  migrateSqlite(database, {
    migrations: options.migrations ?? allMigrations,
    clock: options.clock,
    copyFile: null,
  });
  const writer = new WriteQueue(directChannel(database), options.clock);
  return assemble({ ...options, reader: null, writer, unlock: () => undefined });
}

/** Migrates on a connection of its own, closed again before the writer's opens. */
function prepare(file: string, options: SqliteOptions): void {
  // Readable by its owner alone, like all that SQLite makes beside it.
  closeSync(openSync(file, "a", 0o600));
  const database = openOrExplain(file);
  try {
    assertSqliteVersion(database);
    const applied = migrateSqlite(database, {
      migrations: options.migrations ?? allMigrations,
      clock: options.clock,
      copyFile: (version) => `${file}.before-upgrade-from-${version}`,
    });
    if (applied > 0) options.logger.info("database schema brought up to date", { migrations: applied });
  } finally {
    database.close();
  }
}

function openOrExplain(file: string): Database {
  try {
    return openWriteDatabase(file);
  } catch (error) {
    const code = databaseCode(error);
    if (code !== "SQLITE_NOTADB" && code !== "SQLITE_CORRUPT") throw error;
    const message = `${file} is damaged or no database of Plumbline (${code}). Restore it from a backup.`;
    throw new AppError("internal", message, { cause: error });
  }
}

interface Assembly extends Pick<SqliteOptions, "ids"> {
  reader: ReadConnection | null;
  writer: WriteQueue;
  unlock: () => void;
}

function assemble({ reader, writer, unlock, ids }: Assembly): StoreHandle {
  const guard = new TransactionGuard();
  const kysely = new Kysely<Tables>({ dialect: new SqliteDialect({ reader, writer }, guard) });
  const readReviewPage = reader === null ? null : reviewPageReader(reader, guard);
  const store = new SqlStore({ db: kysely, engine: "sqlite", ids, guard, readReviewPage });
  const life = {
    engine: "sqlite" as const,
    ping: async () => {
      await kysely.selectNoFrom((eb) => eb.lit(1).as("one")).execute();
    },
    // The reader first: the last connection to close folds the journal into the database, and it cannot.
    close: async () => {
      reader?.close();
      await writer.close();
      unlock();
    },
  };
  return { store: Object.assign(store, life), kysely, engine: "sqlite" };
}
