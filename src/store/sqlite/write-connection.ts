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
        this.#lost = null;
        this.#database.run("BEGIN IMMEDIATE");
        return nothing;
      case "run":
        return this.#inGroup(() => this.#statements.run(command.statement));
      case "commit":
        return this.#inGroup(() => this.#statements.run({ sql: "COMMIT", parameters: [] }));
      case "abandon":
        if (this.#database.inTransaction) this.#database.run("ROLLBACK");
        return nothing;
    }
  }

  close(): void {
    this.#statements.clear();
    this.#database.close(true);
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
