/**
 * What both databases have in common between Kysely and the driver: errors in the domain's words, and a transaction
 * that one failed statement dooms. PostgreSQL works that way and turns a later COMMIT into a silent ROLLBACK; SQLite
 * would go on and keep the half. Here both refuse.
 */
import type { CompiledQuery, DatabaseConnection, QueryResult } from "kysely";
import { storeError, withStoreErrors } from "./store-error.ts";

export interface Statement {
  sql: string;
  parameters: readonly unknown[];
}

export interface StatementResult {
  rows: readonly unknown[];
  /** Rows inserted, updated or deleted. */
  changes: number;
}

export abstract class Session implements DatabaseConnection {
  #inTransaction = false;
  #failure: unknown = null;

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (this.#failure !== null) throw this.#failure;
    try {
      const statement = { sql: query.sql, parameters: query.parameters.map(withoutNul) };
      const result = await this.perform(statement, query.query.kind === "SelectQueryNode");
      return { rows: result.rows as R[], numAffectedRows: BigInt(result.changes) };
    } catch (error) {
      const mapped = storeError(error);
      if (this.#inTransaction) this.#failure = mapped;
      throw mapped;
    }
  }

  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    yield await Promise.reject(new Error("the store does not stream: read pages"));
  }

  async begin(): Promise<void> {
    await withStoreErrors(this.open());
    this.#inTransaction = true;
  }

  /** Throws what doomed the transaction, after rolling it back. */
  async commit(): Promise<void> {
    const failure = this.#failure;
    if (failure !== null) {
      await this.rollback();
      throw failure;
    }
    this.#inTransaction = false;
    await withStoreErrors(this.keep());
  }

  async rollback(): Promise<void> {
    if (!this.#inTransaction) return;
    this.#inTransaction = false;
    this.#failure = null;
    await withStoreErrors(this.undo());
  }

  /** Runs one statement, in the transaction when one is open. `isRead`: it is a SELECT and changes nothing. */
  protected abstract perform(statement: Statement, isRead: boolean): Promise<StatementResult>;
  protected abstract open(): Promise<void>;
  protected abstract keep(): Promise<void>;
  protected abstract undo(): Promise<void>;
}

/** PostgreSQL refuses text with a NUL in it, which strangers' files and titles may have. */
function withoutNul(value: unknown): unknown {
  return typeof value === "string" && value.includes("\0") ? value.replaceAll("\0", "\uFFFD") : value;
}
