/** Kysely over bun:sqlite: reads on the main thread's connection, everything else through the writer. */
import {
  type DatabaseIntrospector,
  type Dialect,
  type Driver,
  type Kysely,
  type QueryCompiler,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from "kysely";
import { Session, type Statement, type StatementResult } from "../session.ts";
import type { TransactionGuard } from "../transaction.ts";
import type { ReadConnection } from "./read-connection.ts";
import type { WriteQueue } from "./write-queue.ts";
import type { WriteTurn } from "./write-turn.ts";

export interface SqliteConnections {
  /** Null when there is one connection only (memory): then reads take their turn with the writers. */
  reader: ReadConnection | null;
  writer: WriteQueue;
}

export class SqliteDialect implements Dialect {
  readonly #connections: SqliteConnections;
  readonly #guard: TransactionGuard;

  constructor(connections: SqliteConnections, guard: TransactionGuard) {
    this.#connections = connections;
    this.#guard = guard;
  }

  createAdapter(): SqliteAdapter {
    return new ConcurrentSqliteAdapter();
  }

  createDriver(): Driver {
    return new SqliteDriver(this.#connections, this.#guard);
  }

  createQueryCompiler(): QueryCompiler {
    return new SqliteQueryCompiler();
  }

  createIntrospector(db: Kysely<unknown>): DatabaseIntrospector {
    return new SqliteIntrospector(db);
  }
}

/** Kysely's own would let one statement in at a time, reads included: ours queues the writers only. */
class ConcurrentSqliteAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

class SqliteDriver implements Driver {
  readonly #connections: SqliteConnections;
  readonly #guard: TransactionGuard;

  constructor(connections: SqliteConnections, guard: TransactionGuard) {
    this.#connections = connections;
    this.#guard = guard;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<SqliteSession> {
    this.#guard.refuseInside();
    return new SqliteSession(this.#connections);
  }

  async beginTransaction(session: SqliteSession): Promise<void> {
    await session.begin();
  }

  async commitTransaction(session: SqliteSession): Promise<void> {
    await session.commit();
  }

  async rollbackTransaction(session: SqliteSession): Promise<void> {
    await session.rollback();
  }

  async releaseConnection(): Promise<void> {}

  /** The connections are closed by who opened them. */
  async destroy(): Promise<void> {}
}

class SqliteSession extends Session {
  readonly #connections: SqliteConnections;
  #turn: WriteTurn | null = null;

  constructor(connections: SqliteConnections) {
    super();
    this.#connections = connections;
  }

  protected perform(statement: Statement, isRead: boolean): Promise<StatementResult> {
    const { reader, writer } = this.#connections;
    if (this.#turn !== null) return this.#turn.run(statement);
    if (isRead && reader !== null) return reader.run(statement);
    return writer.run(statement);
  }

  protected async open(): Promise<void> {
    this.#turn = await this.#connections.writer.begin();
  }

  protected async keep(): Promise<void> {
    await this.#turn?.commit();
  }

  protected async undo(): Promise<void> {
    await this.#turn?.rollback();
  }
}
