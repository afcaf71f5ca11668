import type { Kysely } from "kysely";
import type { SettingStore } from "../domain/store.ts";
import type { Tables } from "./tables.ts";

export class SqlSettings implements SettingStore {
  readonly #db: Kysely<Tables>;

  constructor(db: Kysely<Tables>) {
    this.#db = db;
  }

  async get(name: string): Promise<unknown> {
    const row = await this.#db
      .selectFrom("settings")
      .select("value")
      .where("name", "=", name)
      .executeTakeFirst();
    return row === undefined ? null : JSON.parse(row.value);
  }

  async put(name: string, value: unknown): Promise<void> {
    const text = JSON.stringify(value);
    await this.#db
      .insertInto("settings")
      .values({ name, value: text })
      .onConflict((conflict) => conflict.column("name").doUpdateSet({ value: text }))
      .execute();
  }
}
