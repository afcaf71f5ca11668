/** The connection that reads, on the main thread. It sees every committed write and never blocks the event loop. */
import type { Database } from "bun:sqlite";
import type { Statement, StatementResult } from "../session.ts";
import { isSqliteBusy } from "../store-error.ts";
import { StatementCache } from "./statement-cache.ts";

const retryEveryMs = 10;
/** 5 seconds: readers of a WAL database meet a lock only while another process recovers or closes it. */
const retriesMax = 500;

export class ReadConnection {
  readonly #database: Database;
  readonly #statements: StatementCache;

  constructor(database: Database) {
    this.#database = database;
    this.#statements = new StatementCache(database);
  }

  run(statement: Statement): Promise<StatementResult> {
    return this.attempt(() => this.#statements.run(statement));
  }

  /** Runs `read`, which must be one statement or more on `database`, again while another process holds the lock. */
  async attempt<T>(read: (database: Database) => T): Promise<T> {
    for (let retries = 0; ; retries++) {
      try {
        return read(this.#database);
      } catch (error) {
        if (!isSqliteBusy(error) || retries === retriesMax) throw error;
      }
      await Bun.sleep(retryEveryMs);
    }
  }

  close(): void {
    this.#statements.clear();
    this.#database.close(true);
  }
}
