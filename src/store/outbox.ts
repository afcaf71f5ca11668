import { type Kysely, type SelectQueryBuilder, sql } from "kysely";
import type { ClaimedJob } from "../domain/job.ts";
import type { Page } from "../domain/store.ts";
import {
  type DeliveryState,
  testReviewId,
  type WebhookAttempt,
  type WebhookMessage,
} from "../domain/webhook.ts";
import type { Delivery, DeliveryProgress, OutboxStore } from "../domain/webhook-store.ts";
import { timeOrNull } from "./columns.ts";
import { SqlJobs } from "./jobs.ts";
import {
  fromAttempt,
  fromDelivery,
  fromMessage,
  fromProgress,
  toAttempt,
  toDelivery,
  toMessage,
} from "./outbox-rows.ts";
import type { StoreParts } from "./store.ts";
import type { Tables } from "./tables.ts";
import { atomically } from "./transaction.ts";

export class SqlOutbox implements OutboxStore {
  readonly #parts: StoreParts;
  readonly #db: Kysely<Tables>;

  constructor(parts: StoreParts) {
    this.#parts = parts;
    this.#db = parts.db;
  }

  async insertMessage(message: WebhookMessage): Promise<void> {
    await this.#db.insertInto("webhook_messages").values(fromMessage(message)).execute();
  }

  async insertDelivery(delivery: Delivery): Promise<void> {
    await this.#db.insertInto("webhook_deliveries").values(fromDelivery(delivery)).execute();
  }

  async message(id: string): Promise<WebhookMessage | null> {
    const row = await this.#db
      .selectFrom("webhook_messages")
      .selectAll()
      .where("id", "=", id)
      .executeTakeFirst();
    return row === undefined ? null : toMessage(row);
  }

  async delivery(id: string): Promise<Delivery | null> {
    const row = await this.#db
      .selectFrom("webhook_deliveries")
      .selectAll()
      .where("id", "=", id)
      .executeTakeFirst();
    return row === undefined ? null : toDelivery(row);
  }

  async recordAttempt(attempt: WebhookAttempt, after: DeliveryProgress): Promise<void> {
    await atomically(this.#db, async (tx) => {
      const delivery = await tx
        .updateTable("webhook_deliveries")
        .set(fromProgress(after))
        .where("id", "=", attempt.deliveryId)
        .returning(["endpoint_id", "message_id"])
        .executeTakeFirstOrThrow();
      await tx.insertInto("webhook_attempts").values(fromAttempt(attempt, delivery)).execute();
    });
  }

  async finishAttempt(
    job: ClaimedJob,
    attempt: WebhookAttempt,
    after: DeliveryProgress,
    now: Date,
  ): Promise<boolean> {
    const { prepared } = this.#parts;
    if (prepared !== null) return prepared.finishAttempt(job, attempt, after, now);
    return atomically(this.#db, async (tx) => {
      const parts = { ...this.#parts, db: tx };
      if (!(await new SqlJobs(parts).complete(job, now))) return false;
      await new SqlOutbox(parts).recordAttempt(attempt, after);
      return true;
    });
  }

  async updateDelivery(id: string, after: DeliveryProgress): Promise<void> {
    await this.#db.updateTable("webhook_deliveries").set(fromProgress(after)).where("id", "=", id).execute();
  }

  async deliveries(
    organizationId: string,
    filter: { state?: DeliveryState; since?: Date },
    page: { offset: number; limit: number },
  ): Promise<Page<Delivery & { event: string; reviewId: string }>> {
    const deliveries = matching(this.#db.selectFrom("webhook_deliveries as d"), organizationId, filter);
    const { total } = await deliveries
      .select(sql<number>`cast(count(*) as integer)`.as("total"))
      .executeTakeFirstOrThrow();
    const rows = await deliveries
      .innerJoin("webhook_messages as m", "m.id", "d.message_id")
      .selectAll("d")
      .select(["m.event", "m.review_id"])
      .orderBy("d.created_at", "desc")
      .orderBy("d.id", "desc")
      .limit(page.limit)
      .offset(page.offset)
      .execute();
    const items = rows.map((row) => ({ ...toDelivery(row), event: row.event, reviewId: row.review_id }));
    return { items, total };
  }

  async attempts(deliveryId: string): Promise<readonly WebhookAttempt[]> {
    const rows = await this.#db
      .selectFrom("webhook_attempts")
      .selectAll()
      .where("delivery_id", "=", deliveryId)
      .orderBy("started_at")
      .orderBy("id")
      .execute();
    return rows.map(toAttempt);
  }

  async health(
    endpointId: string,
    since: Date,
  ): Promise<{ succeeded: number; failedMessages: number; firstFailureAt: Date | null }> {
    const succeeds = sql`a.status BETWEEN 200 AND 299 AND a.error_class IS NULL`;
    const row = await this.#db
      .selectFrom("webhook_attempts as a")
      .innerJoin("webhook_messages as m", "m.id", "a.message_id")
      .where("a.endpoint_id", "=", endpointId)
      .where("a.started_at", ">=", since.getTime())
      .where("m.review_id", "!=", testReviewId)
      .select([
        sql<number>`cast(count(CASE WHEN ${succeeds} THEN 1 END) as integer)`.as("succeeded"),
        sql<number>`cast(count(DISTINCT CASE WHEN ${succeeds} THEN NULL ELSE a.message_id END) as integer)`.as(
          "failedMessages",
        ),
        sql<number | null>`min(CASE WHEN ${succeeds} THEN NULL ELSE a.started_at END)`.as("firstFailureAt"),
      ])
      .executeTakeFirstOrThrow();
    return { ...row, firstFailureAt: timeOrNull(row.firstFailureAt) };
  }

  async prune(before: Date, limit: number): Promise<number> {
    return atomically(this.#db, async (tx) => {
      const ended = await tx
        .selectFrom("webhook_deliveries")
        .select(["id", "message_id"])
        .where("ended_at", "is not", null)
        .where("ended_at", "<", before.getTime())
        .orderBy("ended_at")
        .limit(limit)
        .execute();
      if (ended.length === 0) return 0;
      const ids = ended.map(({ id }) => id);
      await tx.deleteFrom("webhook_attempts").where("delivery_id", "in", ids).execute();
      await tx.deleteFrom("webhook_deliveries").where("id", "in", ids).execute();
      await deleteUndelivered(
        tx,
        ended.map(({ message_id }) => message_id),
      );
      return ended.length;
    });
  }
}

function matching<O>(
  query: SelectQueryBuilder<Tables & { d: Tables["webhook_deliveries"] }, "d", O>,
  organizationId: string,
  filter: { state?: DeliveryState; since?: Date },
): SelectQueryBuilder<Tables & { d: Tables["webhook_deliveries"] }, "d", O> {
  let matched = query.where("d.organization_id", "=", organizationId);
  if (filter.state !== undefined) matched = matched.where("d.state", "=", filter.state);
  if (filter.since !== undefined) matched = matched.where("d.created_at", ">=", filter.since.getTime());
  return matched;
}

/** Deletes those of the messages that no delivery is left of. */
async function deleteUndelivered(tx: Kysely<Tables>, messageIds: readonly string[]): Promise<void> {
  await tx
    .deleteFrom("webhook_messages")
    .where("id", "in", messageIds)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("webhook_deliveries")
            .select("webhook_deliveries.id")
            .whereRef("webhook_deliveries.message_id", "=", "webhook_messages.id"),
        ),
      ),
    )
    .execute();
}
