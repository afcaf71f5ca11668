/**
 * The one connection that writes. Everything it runs belongs to a group: the transactions of several callers in one
 * SQLite transaction, so that they share one fsync.
 */
import type { Database } from "bun:sqlite";
import type { Statement, StatementResult } from "../session.ts";
import { StatementCache } from "./statement-cache.ts";

export type WriteCommand =
  | { op: "begin" }
  | { op: "run"; statement: Statement }
  | { op: "batch"; statements: readonly Statement[] }
  | { op: "commit" }
  | { op: "abandon" };

const nothing: StatementResult = { rows: [], changes: 0 };

export class WriteConnection {
  readonly #database: Database;
  readonly #statements: StatementCache;
  #lost: unknown = null;

  constructor(database: Database) {
    this.#database = database;
    this.#statements = new StatementCache(database);
  }

  /** Throws bun:sqlite's error when SQLite refuses. */
  execute(command: WriteCommand): StatementResult {
    switch (command.op) {
      case "begin":
        return this.#begin();
      case "run":
        return this.#inGroup(() => this.#statements.run(command.statement));
      case "batch":
        return this.#inGroup(() => this.#runBatch(command.statements));
      case "commit":
        return this.#inGroup(() => this.#perform("COMMIT"));
      case "abandon":
        if (this.#database.inTransaction) this.#database.run("ROLLBACK");
        return nothing;
    }
  }

  close(): void {
    this.#statements.clear();
    this.#database.close(true);
  }

  /** What follows is on its way already: when this fails, it fails with the same error. */
  #begin(): StatementResult {
    this.#lost = null;
    try {
      return this.#perform("BEGIN IMMEDIATE");
    } catch (error) {
      this.#lost = error;
      throw error;
    }
  }

  /** All or none of them, but only up to the first that touches no row. Answers their rows and changes together. */
  #runBatch(statements: readonly Statement[]): StatementResult {
    const rows: unknown[] = [];
    let changes = 0;
    this.#perform("SAVEPOINT batch");
    try {
      for (const statement of statements) {
        const result = this.#statements.run(statement);
        if (result.changes === 0) break;
        rows.push(...result.rows);
        changes += result.changes;
      }
    } catch (error) {
      if (this.#database.inTransaction) this.#perform("ROLLBACK TO batch");
      throw error;
    } finally {
      if (this.#database.inTransaction) this.#perform("RELEASE batch");
    }
    return { rows, changes };
  }

  #perform(sql: string): StatementResult {
    return this.#statements.run({ sql, parameters: [] });
  }

  /**
   * A full disk makes SQLite roll the whole group back by itself. Commands already on their way would then commit one
   * by one, outside of any group: they are refused with what broke it.
   */
  #inGroup(work: () => StatementResult): StatementResult {
    if (!this.#database.inTransaction) throw this.#lost ?? new Error("no group of transactions is open");
    try {
      return work();
    } catch (error) {
      if (!this.#database.inTransaction) this.#lost = error;
      throw error;
    }
  }
}
