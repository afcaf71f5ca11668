/** Which migrations a database still needs, and whether this program may open it at all. */
import { AppError } from "../domain/errors.ts";
import type { Migration } from "./migrations.ts";

/** Where each database notes what it has; made before the first migration, so it is none itself. */
export const migrationsTable = `CREATE TABLE IF NOT EXISTS schema_migrations (
  version INTEGER NOT NULL PRIMARY KEY,
  name TEXT NOT NULL,
  applied_at BIGINT NOT NULL
)`;

/** Errors: AppError `conflict` when the database was migrated by a newer program. */
export function pendingMigrations(
  all: readonly Migration[],
  applied: readonly number[],
): readonly Migration[] {
  const newestKnown = all.at(-1)?.version ?? 0;
  const newestApplied = Math.max(0, ...applied);
  if (newestApplied > newestKnown) {
    throw new AppError(
      "conflict",
      `The database has schema version ${newestApplied}, but this program knows versions up to ${newestKnown}. ` +
        "Start the newer version of Plumbline that made it, or restore the backup from before its upgrade.",
    );
  }
  return all.filter(({ version }) => !applied.includes(version));
}
