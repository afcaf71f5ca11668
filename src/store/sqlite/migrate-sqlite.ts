/** Brings a SQLite database to the schema of this program: all of it, or nothing. */
import type { Database } from "bun:sqlite";
import { renameSync, rmSync } from "node:fs";
import type { Clock } from "../../domain/runtime.ts";
import { migrationsTable, pendingMigrations } from "../migrate.ts";
import type { Migration } from "../migrations.ts";

export interface SqliteMigration {
  migrations: readonly Migration[];
  clock: Clock;
  /** Where the database is copied to before it changes; null = it is not (memory). */
  copyFile: ((fromVersion: number) => string) | null;
}

/** Answers how many were applied. Errors: AppError `conflict` for a schema newer than this program's. */
export function migrateSqlite(database: Database, options: SqliteMigration): number {
  const applied = appliedVersions(database);
  const pending = pendingMigrations(options.migrations, applied);
  if (pending.length === 0) return 0;
  if (applied.length > 0 && options.copyFile !== null) {
    copyAside(database, options.copyFile(Math.max(...applied)));
  }
  database.transaction(() => applyAll(database, pending, options.clock)).immediate();
  return pending.length;
}

function appliedVersions(database: Database): number[] {
  const table = database.query("SELECT 1 FROM sqlite_master WHERE name = 'schema_migrations'").get();
  if (table === null) return [];
  const rows = database.query<{ version: number }, []>("SELECT version FROM schema_migrations").all();
  return rows.map(({ version }) => version);
}

function applyAll(database: Database, pending: readonly Migration[], clock: Clock): void {
  database.run(migrationsTable);
  for (const { version, name, sql } of pending) {
    database.run(sql);
    database.run("INSERT INTO schema_migrations (version, name, applied_at) VALUES (?, ?, ?)", [
      version,
      name,
      clock.now().getTime(),
    ]);
  }
}

/** Under another name first: a copy that a crash cut short is never mistaken for a whole one. */
function copyAside(database: Database, file: string): void {
  const unfinished = `${file}.unfinished`;
  rmSync(unfinished, { force: true });
  database.run("VACUUM INTO ?", [unfinished]);
  renameSync(unfinished, file);
}
