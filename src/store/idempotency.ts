import type { Kysely } from "kysely";
import type { IdempotencyStore, StoredAnswer } from "../domain/store.ts";
import type { IdempotencyRow, Tables } from "./tables.ts";
import { atomically } from "./transaction.ts";

const answerKeptMs = 24 * 60 * 60 * 1000;

/** No request runs this long: the process that had it has died. */
const runningKeptMs = 5 * 60 * 1000;

type KeyState = Awaited<ReturnType<IdempotencyStore["begin"]>>;

export class SqlIdempotency implements IdempotencyStore {
  readonly #db: Kysely<Tables>;

  constructor(db: Kysely<Tables>) {
    this.#db = db;
  }

  async begin(
    organizationId: string,
    route: string,
    key: string,
    fingerprint: string,
    now: Date,
  ): Promise<KeyState> {
    return atomically(this.#db, async (tx) => {
      const claimed = await tx
        .insertInto("idempotency_keys")
        .values({
          organization_id: organizationId,
          route,
          idempotency_key: key,
          fingerprint,
          ...unanswered,
          created_at: now.getTime(),
        })
        .onConflict((conflict) =>
          conflict
            .columns(["organization_id", "route", "idempotency_key"])
            .doUpdateSet({ fingerprint, ...unanswered, created_at: now.getTime() })
            .where(({ eb, and, or }) =>
              or([
                eb("idempotency_keys.created_at", "<", now.getTime() - answerKeptMs),
                and([
                  eb("idempotency_keys.status", "is", null),
                  eb("idempotency_keys.created_at", "<", now.getTime() - runningKeptMs),
                ]),
              ]),
            ),
        )
        .returning("route")
        .executeTakeFirst();
      if (claimed !== undefined) return { state: "new" };
      const row = await select(tx, organizationId, route, key).executeTakeFirstOrThrow();
      return stateOf(row);
    });
  }

  async finish(organizationId: string, route: string, key: string, answer: StoredAnswer): Promise<void> {
    await this.#db
      .updateTable("idempotency_keys")
      .set({ status: answer.status, headers: JSON.stringify(answer.headers), body: answer.body })
      .where("organization_id", "=", organizationId)
      .where("route", "=", route)
      .where("idempotency_key", "=", key)
      .execute();
  }

  async abandon(organizationId: string, route: string, key: string): Promise<void> {
    await this.#db
      .deleteFrom("idempotency_keys")
      .where("organization_id", "=", organizationId)
      .where("route", "=", route)
      .where("idempotency_key", "=", key)
      .where("status", "is", null)
      .execute();
  }

  async prune(before: Date): Promise<number> {
    const result = await this.#db
      .deleteFrom("idempotency_keys")
      .where("created_at", "<", before.getTime())
      .executeTakeFirst();
    return Number(result.numDeletedRows);
  }
}

const unanswered = { status: null, headers: null, body: null } as const;

function select(tx: Kysely<Tables>, organizationId: string, route: string, key: string) {
  return tx
    .selectFrom("idempotency_keys")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .where("route", "=", route)
    .where("idempotency_key", "=", key);
}

function stateOf(row: IdempotencyRow): KeyState {
  const { fingerprint, status, headers, body } = row;
  if (status === null || headers === null || body === null) return { state: "running", fingerprint };
  const answer = { status, headers: JSON.parse(headers) as StoredAnswer["headers"], body };
  return { state: "done", fingerprint, answer };
}
