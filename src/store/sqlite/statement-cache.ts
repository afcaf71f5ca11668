/** Prepared statements of one connection, the most recently used ones kept. */
import type { Database, Statement as Prepared } from "bun:sqlite";
import type { Statement, StatementResult } from "../session.ts";

const statementsMax = 256;

type Binding = string | number | bigint | boolean | null | Uint8Array;

interface CachedStatement {
  prepared: Prepared<unknown, Binding[]>;
  answersRows: boolean;
}

export class StatementCache {
  readonly #database: Database;
  readonly #prepared = new Map<string, CachedStatement>();

  constructor(database: Database) {
    this.#database = database;
  }

  run(statement: Statement): StatementResult {
    const { prepared, answersRows } = this.#prepare(statement.sql);
    const parameters = statement.parameters as Binding[];
    if (!answersRows) return { rows: [], changes: prepared.run(...parameters).changes };
    const rows = prepared.all(...parameters);
    return { rows, changes: rows.length };
  }

  /** An unfinished statement would keep the connection, and with it the journal's files, open. */
  clear(): void {
    for (const { prepared } of this.#prepared.values()) prepared.finalize();
    this.#prepared.clear();
  }

  #prepare(sql: string): CachedStatement {
    const known = this.#prepared.get(sql);
    this.#prepared.delete(sql);
    const cached = known ?? this.#cached(sql);
    this.#prepared.set(sql, cached);
    if (this.#prepared.size > statementsMax) this.#forgetOldest();
    return cached;
  }

  #cached(sql: string): CachedStatement {
    const prepared = this.#database.prepare<unknown, Binding[]>(sql);
    return { prepared, answersRows: prepared.columnNames.length > 0 };
  }

  /** A Map lists its keys in the order of their insertion, and a use inserts again. */
  #forgetOldest(): void {
    for (const [sql, { prepared }] of this.#prepared) {
      prepared.finalize();
      this.#prepared.delete(sql);
      return;
    }
  }
}
