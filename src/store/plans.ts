import type { Kysely } from "kysely";
import type { Plan } from "../domain/plan.ts";
import type { PlanStore } from "../domain/store.ts";
import type { PlanRow, Tables } from "./tables.ts";

export class SqlPlans implements PlanStore {
  readonly #db: Kysely<Tables>;

  constructor(db: Kysely<Tables>) {
    this.#db = db;
  }

  async get(name: string): Promise<Plan | null> {
    const row = await this.#db.selectFrom("plans").selectAll().where("name", "=", name).executeTakeFirst();
    return row === undefined ? null : toPlan(row);
  }

  async list(): Promise<readonly Plan[]> {
    const rows = await this.#db.selectFrom("plans").selectAll().execute();
    return rows
      .map(toPlan)
      .sort((a, b) => a.creditsPerMonth - b.creditsPerMonth || (a.name < b.name ? -1 : 1));
  }

  async put(plan: Plan): Promise<void> {
    const limits = { credits_per_month: plan.creditsPerMonth, requests_per_hour: plan.requestsPerHour };
    await this.#db
      .insertInto("plans")
      .values({ name: plan.name, ...limits })
      .onConflict((conflict) => conflict.column("name").doUpdateSet(limits))
      .execute();
  }
}

function toPlan(row: PlanRow): Plan {
  return {
    name: row.name,
    creditsPerMonth: row.credits_per_month,
    requestsPerHour: row.requests_per_hour,
  };
}
