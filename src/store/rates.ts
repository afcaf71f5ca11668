import type { Kysely } from "kysely";
import type { RateStore } from "../domain/store.ts";
import type { Tables } from "./tables.ts";

export class SqlRates implements RateStore {
  readonly #db: Kysely<Tables>;

  constructor(db: Kysely<Tables>) {
    this.#db = db;
  }

  async add(subject: string, hour: string, count: number): Promise<number> {
    const row = await this.#db
      .insertInto("request_counts")
      .values({ hour, subject, count })
      .onConflict((conflict) =>
        conflict
          .columns(["hour", "subject"])
          .doUpdateSet((eb) => ({ count: eb("request_counts.count", "+", count) })),
      )
      .returning("count")
      .executeTakeFirstOrThrow();
    return row.count;
  }

  async load(hour: string): Promise<readonly { subject: string; count: number }[]> {
    return this.#db
      .selectFrom("request_counts")
      .select(["subject", "count"])
      .where("hour", "=", hour)
      .execute();
  }

  async prune(beforeHour: string): Promise<void> {
    await this.#db.deleteFrom("request_counts").where("hour", "<", beforeHour).execute();
  }
}
