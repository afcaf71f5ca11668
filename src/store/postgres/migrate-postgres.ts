/** Brings a PostgreSQL database to the schema of this program: all of it, or nothing; one process at a time. */
import type { ReservedSQL, SQL } from "bun";
import type { Clock } from "../../domain/runtime.ts";
import { migrationsTable, pendingMigrations } from "../migrate.ts";
import type { Migration } from "../migrations.ts";

/** Any number that is ours alone: "plumb" in ASCII. */
const migrationLock = 0x70_6c_75_6d_62;

/** Answers how many were applied. Errors: AppError `conflict` for a schema newer than this program's. */
export async function migratePostgres(
  pool: SQL,
  options: { migrations: readonly Migration[]; clock: Clock },
): Promise<number> {
  const connection = await pool.reserve();
  try {
    await connection.unsafe("BEGIN");
    await connection.unsafe("SET LOCAL lock_timeout = 0"); // another process may be at it, and take its time
    await connection.unsafe(`SELECT pg_advisory_xact_lock(${migrationLock})`);
    await connection.unsafe(migrationsTable);
    const rows = await connection.unsafe("SELECT version FROM schema_migrations");
    const applied = rows.map(({ version }: { version: number }) => version);
    const pending = pendingMigrations(options.migrations, applied);
    for (const migration of pending) await apply(connection, migration, options.clock);
    await connection.unsafe("COMMIT");
    return pending.length;
  } catch (error) {
    await connection.unsafe("ROLLBACK");
    throw error;
  } finally {
    connection.release();
  }
}

async function apply(
  connection: ReservedSQL,
  { version, name, sql }: Migration,
  clock: Clock,
): Promise<void> {
  await connection.unsafe(sql);
  await connection.unsafe("INSERT INTO schema_migrations (version, name, applied_at) VALUES ($1, $2, $3)", [
    version,
    name,
    clock.now().getTime(),
  ]);
}
