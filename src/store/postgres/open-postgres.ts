/** Opens PostgreSQL by its address. */
import { SQL } from "bun";
import { Kysely } from "kysely";
import { AppError } from "../../domain/errors.ts";
import type { Clock, Logger } from "../../domain/runtime.ts";
import { storeHandle } from "../handle.ts";
import { migrations as allMigrations, type Migration } from "../migrations.ts";
import type { OpenStoreOptions, StoreHandle } from "../open.ts";
import { isDisconnect } from "../store-error.ts";
import type { Tables } from "../tables.ts";
import { TransactionGuard } from "../transaction.ts";
import { PostgresDialect } from "./dialect.ts";
import { migratePostgres } from "./migrate-postgres.ts";

const connectionsMax = 10;

/** What the server ends by itself: a wait for a lock, a transaction that does nothing, the work of a dead process. */
const lockTimeoutMs = 5_000;
const idleTransactionTimeoutMs = 10_000;
const clientCheckMs = 2_000;

/** Leases are compared between processes: above this the clocks of server and database are worth a warning. */
const clockDifferenceMaxMs = 5_000;

export interface PostgresOptions extends Omit<OpenStoreOptions, "databaseUrl" | "dataDir"> {
  databaseUrl: string;
  migrations?: readonly Migration[];
}

export async function openPostgres(options: PostgresOptions): Promise<StoreHandle> {
  // No idleTimeout or maxLifetime: they can end queries in flight (bun #30646).
  const pool = new SQL(options.databaseUrl, {
    max: connectionsMax,
    connection: {
      application_name: "plumbline",
      lock_timeout: lockTimeoutMs,
      idle_in_transaction_session_timeout: idleTransactionTimeoutMs,
      client_connection_check_interval: clientCheckMs,
    },
  });
  try {
    await prepare(pool, options);
  } catch (error) {
    await pool.close();
    throw explained(error, options.databaseUrl);
  }
  const guard = new TransactionGuard();
  const kysely = new Kysely<Tables>({ dialect: new PostgresDialect(pool, guard) });
  const parts = { db: kysely, engine: "postgres", ids: options.ids, guard, prepared: null } as const;
  return storeHandle(parts, () => pool.close());
}

async function prepare(pool: SQL, options: PostgresOptions): Promise<void> {
  const applied = await migratePostgres(pool, {
    migrations: options.migrations ?? allMigrations,
    clock: options.clock,
  });
  if (applied > 0) options.logger.info("database schema brought up to date", { migrations: applied });
  await compareClocks(pool, options.clock, options.logger);
}

async function compareClocks(pool: SQL, clock: Clock, logger: Logger): Promise<void> {
  const [row] = await pool.unsafe<{ at: number }[]>(
    "SELECT cast(extract(epoch FROM clock_timestamp()) * 1000 AS double precision) AS at",
  );
  const differenceMs = Math.round(clock.now().getTime() - (row?.at ?? 0));
  if (Math.abs(differenceMs) < clockDifferenceMaxMs) return;
  logger.warn("this machine's clock and the database's differ: run NTP on both", { differenceMs });
}

/** Says which server does not answer or refuses us, without the password in its address. */
function explained(error: unknown, databaseUrl: string): unknown {
  const host = URL.canParse(databaseUrl) ? new URL(databaseUrl).host : "";
  const server = `PostgreSQL${host && ` at ${host}`}`;
  if (isDisconnect(error)) {
    return new AppError("storage_busy", `${server} does not answer.`, { cause: error });
  }
  if (error instanceof SQL.PostgresError) {
    return new AppError("conflict", `${server} cannot be used: ${error.message}`, { cause: error });
  }
  return error;
}
