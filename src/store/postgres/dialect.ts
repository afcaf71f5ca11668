/** Kysely over PostgreSQL by Bun.SQL: single statements on the pool, a transaction on a connection reserved for it. */
import type { ReservedSQL, SQL } from "bun";
import {
  type DatabaseIntrospector,
  type Dialect,
  type Driver,
  type Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryCompiler,
} from "kysely";
import { Session, type Statement, type StatementResult } from "../session.ts";
import type { TransactionGuard } from "../transaction.ts";
import { whenReachable } from "./reconnect.ts";
import { toStatementResult } from "./results.ts";

export class PostgresDialect implements Dialect {
  readonly #pool: SQL;
  readonly #guard: TransactionGuard;

  constructor(pool: SQL, guard: TransactionGuard) {
    this.#pool = pool;
    this.#guard = guard;
  }

  createAdapter(): PostgresAdapter {
    return new PostgresAdapter();
  }

  createDriver(): Driver {
    return new PostgresDriver(this.#pool, this.#guard);
  }

  createQueryCompiler(): QueryCompiler {
    return new PostgresQueryCompiler();
  }

  createIntrospector(db: Kysely<unknown>): DatabaseIntrospector {
    return new PostgresIntrospector(db);
  }
}

class PostgresDriver implements Driver {
  readonly #pool: SQL;
  readonly #guard: TransactionGuard;

  constructor(pool: SQL, guard: TransactionGuard) {
    this.#pool = pool;
    this.#guard = guard;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<PostgresSession> {
    this.#guard.refuseInside();
    return new PostgresSession(this.#pool);
  }

  async beginTransaction(session: PostgresSession): Promise<void> {
    await session.begin();
  }

  async commitTransaction(session: PostgresSession): Promise<void> {
    await session.commit();
  }

  async rollbackTransaction(session: PostgresSession): Promise<void> {
    await session.rollback();
  }

  async releaseConnection(): Promise<void> {}

  /** The pool is closed by who opened it. */
  async destroy(): Promise<void> {}
}

class PostgresSession extends Session {
  readonly #pool: SQL;
  #reserved: ReservedSQL | null = null;
  #isOver = false;

  constructor(pool: SQL) {
    super();
    this.#pool = pool;
  }

  protected async perform(statement: Statement, isRead: boolean): Promise<StatementResult> {
    if (this.#isOver) throw new Error("this transaction has ended: its tx must not be used any more");
    if (this.#reserved !== null) return run(this.#reserved, statement);
    return whenReachable(() => run(this.#pool, statement), { repeatable: isRead });
  }

  protected async open(): Promise<void> {
    this.#reserved = await whenReachable(() => beginOn(this.#pool), { repeatable: true });
  }

  protected async keep(): Promise<void> {
    await this.#end("COMMIT");
  }

  protected async undo(): Promise<void> {
    await this.#end("ROLLBACK");
  }

  async #end(command: "COMMIT" | "ROLLBACK"): Promise<void> {
    const reserved = this.#reserved;
    this.#reserved = null;
    this.#isOver = true;
    if (reserved === null) return;
    try {
      await reserved.unsafe(command);
    } finally {
      reserved.release();
    }
  }
}

async function beginOn(pool: SQL): Promise<ReservedSQL> {
  const reserved = await pool.reserve();
  try {
    await reserved.unsafe("BEGIN");
    return reserved;
  } catch (error) {
    reserved.release();
    throw error;
  }
}

async function run(client: SQL, { sql, parameters }: Statement): Promise<StatementResult> {
  return toStatementResult(await client.unsafe(sql, [...parameters]));
}
