import type { Kysely } from "kysely";
import type { CodeHostConfig, CodeHostSettings } from "../domain/repository.ts";
import type { CodeHostStore } from "../domain/store.ts";
import type { CodeHostRow, Tables } from "./tables.ts";

export class SqlCodeHosts implements CodeHostStore {
  readonly #db: Kysely<Tables>;

  constructor(db: Kysely<Tables>) {
    this.#db = db;
  }

  async insert(host: CodeHostConfig): Promise<void> {
    await this.#db
      .insertInto("code_hosts")
      .values({
        id: host.id,
        organization_id: host.organizationId,
        kind: host.kind,
        name: host.name,
        url: host.url,
        web_url: host.webUrl,
        settings: JSON.stringify(host.settings),
        sealed_token: host.sealedToken,
        sealed_webhook_secret: host.sealedWebhookSecret,
        created_at: host.createdAt.getTime(),
      })
      .execute();
  }

  async get(id: string): Promise<CodeHostConfig | null> {
    const row = await this.#db.selectFrom("code_hosts").selectAll().where("id", "=", id).executeTakeFirst();
    return row === undefined ? null : toCodeHost(row);
  }

  async byName(organizationId: string, name: string): Promise<CodeHostConfig | null> {
    const row = await this.#db
      .selectFrom("code_hosts")
      .selectAll()
      .where("organization_id", "=", organizationId)
      .where("name", "=", name)
      .executeTakeFirst();
    return row === undefined ? null : toCodeHost(row);
  }

  async list(organizationId: string): Promise<readonly CodeHostConfig[]> {
    const rows = await this.#db
      .selectFrom("code_hosts")
      .selectAll()
      .where("organization_id", "=", organizationId)
      .orderBy("created_at")
      .orderBy("id")
      .execute();
    return rows.map(toCodeHost);
  }

  /** The foreign key of repositories refuses what is still in use. */
  async delete(organizationId: string, id: string): Promise<boolean> {
    const result = await this.#db
      .deleteFrom("code_hosts")
      .where("id", "=", id)
      .where("organization_id", "=", organizationId)
      .executeTakeFirst();
    return result.numDeletedRows > 0n;
  }
}

function toCodeHost(row: CodeHostRow): CodeHostConfig {
  return {
    id: row.id,
    organizationId: row.organization_id,
    kind: row.kind,
    name: row.name,
    url: row.url,
    webUrl: row.web_url,
    settings: JSON.parse(row.settings) as CodeHostSettings,
    sealedToken: row.sealed_token,
    sealedWebhookSecret: row.sealed_webhook_secret,
    createdAt: new Date(row.created_at),
  };
}
