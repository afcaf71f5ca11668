/** Prepared statements of one connection, the most recently used ones kept. */
import type { Database, Statement as Prepared } from "bun:sqlite";
import type { Statement, StatementResult } from "../session.ts";

const statementsMax = 256;

type Binding = string | number | bigint | boolean | null | Uint8Array;

export class StatementCache {
  readonly #database: Database;
  readonly #prepared = new Map<string, Prepared<unknown, Binding[]>>();

  constructor(database: Database) {
    this.#database = database;
  }

  run(statement: Statement): StatementResult {
    const prepared = this.#prepare(statement.sql);
    const parameters = statement.parameters as Binding[];
    if (prepared.columnNames.length === 0) return { rows: [], changes: prepared.run(...parameters).changes };
    const rows = prepared.all(...parameters);
    return { rows, changes: rows.length };
  }

  /** An unfinished statement would keep the connection, and with it the journal's files, open. */
  clear(): void {
    for (const prepared of this.#prepared.values()) prepared.finalize();
    this.#prepared.clear();
  }

  #prepare(sql: string): Prepared<unknown, Binding[]> {
    const known = this.#prepared.get(sql);
    this.#prepared.delete(sql);
    const prepared = known ?? this.#database.prepare<unknown, Binding[]>(sql);
    this.#prepared.set(sql, prepared);
    if (this.#prepared.size > statementsMax) this.#forgetOldest();
    return prepared;
  }

  /** A Map lists its keys in the order of their insertion, and a use inserts again. */
  #forgetOldest(): void {
    for (const [sql, prepared] of this.#prepared) {
      prepared.finalize();
      this.#prepared.delete(sql);
      return;
    }
  }
}
