/** Transactions over Kysely: joined when one is open, run again when PostgreSQL broke a deadlock, guarded always. */
import { AsyncLocalStorage } from "node:async_hooks";
import type { Kysely } from "kysely";
import { isDeadlock } from "./store-error.ts";
import type { Tables } from "./tables.ts";

/** How often a transaction that lost a deadlock is run again before its caller sees `storage_busy`. */
const deadlockRetries = 5;

/** Runs `work` in the transaction that `db` is, or in a new one. */
export async function atomically<T>(
  db: Kysely<Tables>,
  work: (tx: Kysely<Tables>) => Promise<T>,
): Promise<T> {
  if (db.isTransaction) return work(db);
  for (let attempt = 0; ; attempt++) {
    try {
      return await db.transaction().execute(work);
    } catch (error) {
      if (!isDeadlock(error) || attempt === deadlockRetries) throw error;
    }
  }
}

/**
 * Knows which code runs inside a transaction of this store. There the outer handle would read what the transaction
 * has not yet shown and, on SQLite, wait for itself for ever: it is refused with a message instead.
 */
export class TransactionGuard {
  readonly #inside = new AsyncLocalStorage<{ open: boolean }>();

  /** Runs `work` as the inside of a transaction; what it left running afterwards is outside again. */
  async enter<T>(work: () => Promise<T>): Promise<T> {
    const transaction = { open: true };
    try {
      return await this.#inside.run(transaction, work);
    } finally {
      transaction.open = false;
    }
  }

  refuseInside(): void {
    if (this.#inside.getStore()?.open) {
      throw new Error("inside a transaction use its tx: the store itself is outside of it");
    }
  }
}
