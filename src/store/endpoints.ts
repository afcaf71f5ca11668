import type { Kysely } from "kysely";
import type { ReviewEventName, WebhookEndpoint } from "../domain/webhook.ts";
import type { EndpointStore } from "../domain/webhook-store.ts";
import { millisecondsOrNull, timeOrNull } from "./columns.ts";
import type { EndpointRow, Tables } from "./tables.ts";

export class SqlEndpoints implements EndpointStore {
  readonly #db: Kysely<Tables>;

  constructor(db: Kysely<Tables>) {
    this.#db = db;
  }

  async put(endpoint: WebhookEndpoint): Promise<void> {
    const row = toRow(endpoint);
    const { id: _keptId, organization_id: _sameOrganization, ...columns } = row;
    await this.#db
      .insertInto("webhook_endpoints")
      .values(row)
      .onConflict((conflict) => conflict.column("organization_id").doUpdateSet(columns))
      .execute();
  }

  async get(organizationId: string): Promise<WebhookEndpoint | null> {
    return this.#find("organization_id", organizationId);
  }

  async byId(id: string): Promise<WebhookEndpoint | null> {
    return this.#find("id", id);
  }

  async disable(id: string, reason: string, at: Date): Promise<boolean> {
    const result = await this.#db
      .updateTable("webhook_endpoints")
      .set({ disabled_reason: reason, disabled_at: at.getTime() })
      .where("id", "=", id)
      .where("disabled_at", "is", null)
      .executeTakeFirst();
    return result.numUpdatedRows > 0n;
  }

  async enable(id: string): Promise<boolean> {
    const result = await this.#db
      .updateTable("webhook_endpoints")
      .set({ disabled_reason: null, disabled_at: null })
      .where("id", "=", id)
      .where("disabled_at", "is not", null)
      .executeTakeFirst();
    return result.numUpdatedRows > 0n;
  }

  async delete(organizationId: string): Promise<boolean> {
    const result = await this.#db
      .deleteFrom("webhook_endpoints")
      .where("organization_id", "=", organizationId)
      .executeTakeFirst();
    return result.numDeletedRows > 0n;
  }

  async #find(column: "id" | "organization_id", value: string): Promise<WebhookEndpoint | null> {
    const row = await this.#db
      .selectFrom("webhook_endpoints")
      .selectAll()
      .where(column, "=", value)
      .executeTakeFirst();
    return row === undefined ? null : toEndpoint(row);
  }
}

function toRow(endpoint: WebhookEndpoint): EndpointRow {
  return {
    id: endpoint.id,
    organization_id: endpoint.organizationId,
    url: endpoint.url,
    events: JSON.stringify(endpoint.events),
    set_by_owner: endpoint.setByOwner ? 1 : 0,
    sealed_secret: endpoint.sealedSecret,
    sealed_previous_secret: endpoint.sealedPreviousSecret,
    previous_secret_expires_at: millisecondsOrNull(endpoint.previousSecretExpiresAt),
    created_at: endpoint.createdAt.getTime(),
    disabled_reason: endpoint.disabledReason,
    disabled_at: millisecondsOrNull(endpoint.disabledAt),
  };
}

function toEndpoint(row: EndpointRow): WebhookEndpoint {
  return {
    id: row.id,
    organizationId: row.organization_id,
    url: row.url,
    events: JSON.parse(row.events) as ReviewEventName[],
    setByOwner: row.set_by_owner === 1,
    sealedSecret: row.sealed_secret,
    sealedPreviousSecret: row.sealed_previous_secret,
    previousSecretExpiresAt: timeOrNull(row.previous_secret_expires_at),
    createdAt: new Date(row.created_at),
    disabledReason: row.disabled_reason,
    disabledAt: timeOrNull(row.disabled_at),
  };
}
