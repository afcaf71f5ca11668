/**
 * Every change of a balance is an entry of the ledger, and credit_periods carries the sums that the ledger comes to.
 * The one row of a period is what concurrent reservations meet on: its UPDATE holds only while enough remains.
 */
import { type Kysely, sql } from "kysely";
import type { CreditBalance, Period } from "../domain/credit.ts";
import type { Ids } from "../domain/runtime.ts";
import type { CreditStore } from "../domain/store.ts";
import type { CreditEntryRow, Tables } from "./tables.ts";
import { atomically } from "./transaction.ts";

export class SqlCredits implements CreditStore {
  readonly #db: Kysely<Tables>;
  readonly #ids: Ids;

  constructor(db: Kysely<Tables>, ids: Ids) {
    this.#db = db;
    this.#ids = ids;
  }

  async grant(organizationId: string, period: Period, amount: number, at: Date): Promise<boolean> {
    return atomically(this.#db, async (tx) => {
      const made = await tx
        .insertInto("credit_periods")
        .values({ organization_id: organizationId, period, total: amount, used: 0, reserved: 0 })
        .onConflict((conflict) => conflict.columns(["organization_id", "period"]).doNothing())
        .returning("period")
        .executeTakeFirst();
      if (made === undefined) return false;
      await this.#enter(tx, { organization_id: organizationId, period, kind: "grant", amount }, null, at);
      return true;
    });
  }

  async adjustTotal(organizationId: string, period: Period, amount: number, at: Date): Promise<void> {
    await atomically(this.#db, async (tx) => {
      const before = await lockPeriod(tx, organizationId, period);
      if (before === undefined) return;
      const total = Math.max(amount, before.used + before.reserved);
      if (total === before.total) return;
      await tx
        .updateTable("credit_periods")
        .set({ total })
        .where("organization_id", "=", organizationId)
        .where("period", "=", period)
        .execute();
      const entry = {
        organization_id: organizationId,
        period,
        kind: "adjust",
        amount: total - before.total,
      } as const;
      await this.#enter(tx, entry, null, at);
    });
  }

  async reserve(
    organizationId: string,
    period: Period,
    reviewId: string,
    amount: number,
    at: Date,
  ): Promise<"reserved" | "insufficient"> {
    return atomically(this.#db, async (tx) => {
      if ((await findReservation(tx, reviewId)) !== undefined) return "reserved";
      const taken = await tx
        .updateTable("credit_periods")
        .set((eb) => ({ reserved: eb("reserved", "+", amount) }))
        .where("organization_id", "=", organizationId)
        .where("period", "=", period)
        .where(sql<boolean>`total - used - reserved >= ${amount}`)
        .executeTakeFirst();
      if (taken.numUpdatedRows === 0n) return "insufficient";
      const entry = { organization_id: organizationId, period, kind: "reserve", amount: -amount } as const;
      await this.#enter(tx, entry, reviewId, at);
      return "reserved";
    });
  }

  async settle(reviewId: string, at: Date): Promise<void> {
    await this.#close(reviewId, "settle", at);
  }

  async release(reviewId: string, at: Date): Promise<void> {
    await this.#close(reviewId, "release", at);
  }

  async balance(organizationId: string, period: Period): Promise<CreditBalance | null> {
    const row = await this.#db
      .selectFrom("credit_periods")
      .select(["total", "used", "reserved"])
      .where("organization_id", "=", organizationId)
      .where("period", "=", period)
      .executeTakeFirst();
    if (row === undefined) return null;
    return { period, ...row, remaining: row.total - row.used - row.reserved };
  }

  /** The unique index on closing entries lets the first one win, whoever else tries at the same time. */
  async #close(reviewId: string, kind: "settle" | "release", at: Date): Promise<void> {
    await atomically(this.#db, async (tx) => {
      const reservation = await findReservation(tx, reviewId);
      if (reservation === undefined) return;
      const { organization_id, period } = reservation;
      const reserved = -reservation.amount;
      const amount = kind === "release" ? reserved : 0;
      const entered = await this.#enter(tx, { organization_id, period, kind, amount }, reviewId, at);
      if (!entered) return;
      await tx
        .updateTable("credit_periods")
        .set((eb) => ({
          reserved: eb("reserved", "-", reserved),
          used: eb("used", "+", kind === "settle" ? reserved : 0),
        }))
        .where("organization_id", "=", organization_id)
        .where("period", "=", period)
        .execute();
    });
  }

  /** False when a closing entry of the review is there already. */
  async #enter(
    tx: Kysely<Tables>,
    entry: Pick<CreditEntryRow, "organization_id" | "period" | "kind" | "amount">,
    reviewId: string | null,
    at: Date,
  ): Promise<boolean> {
    const closes = entry.kind === "settle" || entry.kind === "release";
    const entered = await tx
      .insertInto("credit_entries")
      .values({ id: this.#ids.next("crd"), ...entry, review_id: reviewId, created_at: at.getTime() })
      .$if(closes, (query) => query.onConflict((conflict) => conflict.doNothing()))
      .returning("id")
      .executeTakeFirst();
    return entered !== undefined;
  }
}

/** An UPDATE that changes nothing keeps the row from changing until the transaction ends. */
async function lockPeriod(tx: Kysely<Tables>, organizationId: string, period: Period) {
  return tx
    .updateTable("credit_periods")
    .set((eb) => ({ total: eb.ref("total") }))
    .where("organization_id", "=", organizationId)
    .where("period", "=", period)
    .returning(["total", "used", "reserved"])
    .executeTakeFirst();
}

async function findReservation(tx: Kysely<Tables>, reviewId: string) {
  return tx
    .selectFrom("credit_entries")
    .select(["organization_id", "period", "amount"])
    .where("review_id", "=", reviewId)
    .where("kind", "=", "reserve")
    .executeTakeFirst();
}
