import type { Kysely } from "kysely";
import type { Circuit } from "../domain/webhook.ts";
import type { CircuitStore } from "../domain/webhook-store.ts";
import { timeOrNull } from "./columns.ts";
import type { CircuitRow, Tables } from "./tables.ts";

const closed: Circuit = { consecutiveFailures: 0, failingSince: null, openings: 0, openUntil: null };

export class SqlCircuits implements CircuitStore {
  readonly #db: Kysely<Tables>;

  constructor(db: Kysely<Tables>) {
    this.#db = db;
  }

  async get(endpointId: string): Promise<Circuit> {
    const row = await this.#db
      .selectFrom("webhook_circuits")
      .selectAll()
      .where("endpoint_id", "=", endpointId)
      .executeTakeFirst();
    return row === undefined ? closed : toCircuit(row);
  }

  async countFailure(endpointId: string, at: Date): Promise<Circuit> {
    const row = await this.#db
      .insertInto("webhook_circuits")
      .values({
        endpoint_id: endpointId,
        consecutive_failures: 1,
        failing_since: at.getTime(),
        openings: 0,
        open_until: null,
      })
      .onConflict((conflict) =>
        conflict.column("endpoint_id").doUpdateSet((eb) => ({
          consecutive_failures: eb("webhook_circuits.consecutive_failures", "+", 1),
          failing_since: eb.fn.coalesce("webhook_circuits.failing_since", "excluded.failing_since"),
        })),
      )
      .returningAll()
      .executeTakeFirstOrThrow();
    return toCircuit(row);
  }

  async open(endpointId: string, until: Date): Promise<void> {
    const open_until = until.getTime();
    await this.#db
      .insertInto("webhook_circuits")
      .values({
        endpoint_id: endpointId,
        consecutive_failures: 0,
        failing_since: null,
        openings: 1,
        open_until,
      })
      .onConflict((conflict) =>
        conflict
          .column("endpoint_id")
          .doUpdateSet((eb) => ({ openings: eb("webhook_circuits.openings", "+", 1), open_until })),
      )
      .execute();
  }

  async claimProbe(endpointId: string, now: Date, until: Date): Promise<boolean> {
    const result = await this.#db
      .updateTable("webhook_circuits")
      .set({ open_until: until.getTime() })
      .where("endpoint_id", "=", endpointId)
      .where("open_until", "<=", now.getTime())
      .executeTakeFirst();
    return result.numUpdatedRows > 0n;
  }

  async halfOpen(endpointId: string, now: Date): Promise<void> {
    await this.#db
      .updateTable("webhook_circuits")
      .set({ open_until: now.getTime() })
      .where("endpoint_id", "=", endpointId)
      .where("open_until", ">", now.getTime())
      .execute();
  }

  async close(endpointId: string): Promise<void> {
    await this.#db.deleteFrom("webhook_circuits").where("endpoint_id", "=", endpointId).execute();
  }
}

function toCircuit(row: CircuitRow): Circuit {
  return {
    consecutiveFailures: row.consecutive_failures,
    failingSince: timeOrNull(row.failing_since),
    openings: row.openings,
    openUntil: timeOrNull(row.open_until),
  };
}
