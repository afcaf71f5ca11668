import type { Kysely } from "kysely";
import type { ApiKey } from "../domain/organization.ts";
import type { ApiKeyStore } from "../domain/store.ts";
import { millisecondsOrNull, timeOrNull } from "./columns.ts";
import type { ApiKeyRow, Tables } from "./tables.ts";
import { atomically } from "./transaction.ts";

const versionName = "api_keys";

export class SqlApiKeys implements ApiKeyStore {
  readonly #db: Kysely<Tables>;

  constructor(db: Kysely<Tables>) {
    this.#db = db;
  }

  async insert(key: ApiKey): Promise<void> {
    await atomically(this.#db, async (tx) => {
      await tx.insertInto("api_keys").values(toRow(key)).execute();
      await bumpVersion(tx);
    });
  }

  async byHash(hash: string): Promise<ApiKey | null> {
    const row = await this.#db.selectFrom("api_keys").selectAll().where("hash", "=", hash).executeTakeFirst();
    return row === undefined ? null : toApiKey(row);
  }

  async list(organizationId: string): Promise<readonly ApiKey[]> {
    const rows = await this.#db
      .selectFrom("api_keys")
      .selectAll()
      .where("organization_id", "=", organizationId)
      .orderBy("created_at")
      .orderBy("id")
      .execute();
    return rows.map(toApiKey);
  }

  async revoke(organizationId: string, id: string, at: Date): Promise<boolean> {
    return atomically(this.#db, async (tx) => {
      const result = await tx
        .updateTable("api_keys")
        .set({ revoked_at: at.getTime() })
        .where("id", "=", id)
        .where("organization_id", "=", organizationId)
        .where("revoked_at", "is", null)
        .executeTakeFirst();
      if (result.numUpdatedRows === 0n) return false;
      await bumpVersion(tx);
      return true;
    });
  }

  async touch(id: string, at: Date): Promise<void> {
    await this.#db.updateTable("api_keys").set({ last_used_at: at.getTime() }).where("id", "=", id).execute();
  }

  async version(): Promise<number> {
    const row = await this.#db
      .selectFrom("versions")
      .select("version")
      .where("name", "=", versionName)
      .executeTakeFirst();
    return row?.version ?? 0;
  }
}

async function bumpVersion(tx: Kysely<Tables>): Promise<void> {
  await tx
    .insertInto("versions")
    .values({ name: versionName, version: 1 })
    .onConflict((conflict) =>
      conflict.column("name").doUpdateSet((eb) => ({ version: eb("versions.version", "+", 1) })),
    )
    .execute();
}

function toRow(key: ApiKey): ApiKeyRow {
  return {
    id: key.id,
    organization_id: key.organizationId,
    name: key.name,
    role: key.role,
    hash: key.hash,
    last_four: key.lastFour,
    created_at: key.createdAt.getTime(),
    last_used_at: millisecondsOrNull(key.lastUsedAt),
    expires_at: millisecondsOrNull(key.expiresAt),
    revoked_at: millisecondsOrNull(key.revokedAt),
  };
}

function toApiKey(row: ApiKeyRow): ApiKey {
  return {
    id: row.id,
    organizationId: row.organization_id,
    name: row.name,
    role: row.role,
    hash: row.hash,
    lastFour: row.last_four,
    createdAt: new Date(row.created_at),
    lastUsedAt: timeOrNull(row.last_used_at),
    expiresAt: timeOrNull(row.expires_at),
    revokedAt: timeOrNull(row.revoked_at),
  };
}
