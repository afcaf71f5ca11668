/** Opens SQLite in a data folder, or in memory for tests. */
import { closeSync, mkdirSync, openSync } from "node:fs";
import { join } from "node:path";
import { Kysely } from "kysely";
import { AppError } from "../../domain/errors.ts";
import { storeHandle } from "../handle.ts";
import { migrations as allMigrations, type Migration } from "../migrations.ts";
import type { OpenStoreOptions, StoreHandle } from "../open.ts";
import { databaseCode, storeError } from "../store-error.ts";
import type { Tables } from "../tables.ts";
import { TransactionGuard } from "../transaction.ts";
import { lockDataFolder } from "./data-folder-lock.ts";
import { assertSqliteVersion, openMemoryDatabase, openReadDatabase, openWriteDatabase } from "./databases.ts";
import { SqliteDialect } from "./dialect.ts";
import { migrateSqlite } from "./migrate-sqlite.ts";
import { preparedStatements } from "./prepared.ts";
import { ReadConnection } from "./read-connection.ts";
import { directChannel, openWorkerChannel, type WriteChannel } from "./write-channel.ts";
import { WriteQueue } from "./write-queue.ts";

type SqliteOptions = Omit<OpenStoreOptions, "databaseUrl"> & { migrations?: readonly Migration[] };

export async function openSqlite(options: SqliteOptions): Promise<StoreHandle> {
  try {
    mkdirSync(options.dataDir, { recursive: true, mode: 0o700 });
    const unlock = lockDataFolder(options.dataDir);
    return await openFile(join(options.dataDir, "plumbline.db"), options, unlock);
  } catch (error) {
    throw explained(error, options.dataDir);
  }
}

export async function openSqliteInMemory(options: Omit<SqliteOptions, "dataDir">): Promise<StoreHandle> {
  const { migrations = allMigrations, clock, ids } = options;
  const database = openMemoryDatabase();
  migrateSqlite(database, { migrations, clock, copyFile: null });
  const writer = new WriteQueue(directChannel(database), clock);
  const guard = new TransactionGuard();
  const kysely = new Kysely<Tables>({ dialect: new SqliteDialect({ reader: null, writer }, guard) });
  const prepared = preparedStatements({ read: (statement) => writer.run(statement), writer, guard });
  return storeHandle({ db: kysely, engine: "sqlite", ids, guard, prepared }, () => writer.close());
}

/** `unlock` is called when the store is closed, or at once when it cannot be opened. */
async function openFile(file: string, options: SqliteOptions, unlock: () => void): Promise<StoreHandle> {
  let channel: WriteChannel | null = null;
  try {
    prepare(file, options);
    channel = await openWorkerChannel(file);
    const reader = new ReadConnection(openReadDatabase(file));
    const writer = new WriteQueue(channel, options.clock);
    const guard = new TransactionGuard();
    const db = new Kysely<Tables>({ dialect: new SqliteDialect({ reader, writer }, guard) });
    const prepared = preparedStatements({ read: (statement) => reader.run(statement), writer, guard });
    return storeHandle({ db, engine: "sqlite", ids: options.ids, guard, prepared }, async () => {
      // The reader first: the last connection to close folds the journal into the database, and it cannot.
      reader.close();
      await writer.close();
      unlock();
    });
  } catch (error) {
    await channel?.close();
    unlock();
    throw error;
  }
}

/** Migrates on a connection of its own, closed again before the writer's opens. */
function prepare(file: string, { migrations = allMigrations, clock, logger }: SqliteOptions): void {
  // Readable by its owner alone, like all that SQLite makes beside it.
  closeSync(openSync(file, "a", 0o600));
  const database = openWriteDatabase(file);
  try {
    assertSqliteVersion(database);
    const copyFile = (version: number) => `${file}.before-upgrade-from-${version}`;
    const applied = migrateSqlite(database, { migrations, clock, copyFile });
    if (applied > 0) logger.info("database schema brought up to date", { migrations: applied });
  } finally {
    database.close();
  }
}

const damaged = ["SQLITE_NOTADB", "SQLITE_CORRUPT"];
const unusable = ["SQLITE_CANTOPEN", "SQLITE_READONLY", "EACCES", "EROFS", "EEXIST", "ENOENT", "ENOTDIR"];

/** What a person can do about a database that does not open. */
function explained(error: unknown, dataDir: string): unknown {
  const code = databaseCode(error);
  if (code !== null && damaged.includes(code)) {
    const message = `The database in ${dataDir} is damaged or not Plumbline's (${code}). Restore it from a backup.`;
    return new AppError("internal", message, { cause: error });
  }
  if (code !== null && unusable.includes(code)) {
    const message = `The data folder ${dataDir} cannot be written (${code}). Check that it exists and who owns it.`;
    return new AppError("internal", message, { cause: error });
  }
  return storeError(error);
}
