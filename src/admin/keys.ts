/** API keys: made, listed and revoked. Only a key's SHA-256 is stored, so it can be shown once, when it is made. */
import { Type } from "@sinclair/typebox";
import { createApiKey, sha256Hex } from "../crypto.ts";
import { AppError } from "../domain/errors.ts";
import { type ApiKey, keyRoles } from "../domain/organization.ts";
import type { AdminContext } from "./context.ts";
import { operation } from "./operation.ts";
import { Empty, NullableTimestamp, nullableTimestamp, Timestamp, timestamp } from "./shapes.ts";

const dayMs = 86_400_000;

const KeyRole = Type.Union(keyRoles.map((role) => Type.Literal(role)));

const Key = Type.Object({
  id: Type.String(),
  name: Type.String(),
  role: KeyRole,
  last_four: Type.String(),
  created_at: Timestamp,
  last_used_at: NullableTimestamp,
  expires_at: NullableTimestamp,
  revoked_at: NullableTimestamp,
});

export const createKey = operation({
  name: "keys.create",
  method: "POST",
  path: "/api/keys",
  role: "admin",
  summary: "Make an API key; the answer is the only place that ever shows it.",
  input: Type.Object(
    {
      name: Type.String({ minLength: 1, maxLength: 100 }),
      role: Type.Optional(KeyRole),
      expires_in_days: Type.Optional(Type.Integer({ minimum: 1, maximum: 3650 })),
    },
    { additionalProperties: false },
  ),
  output: Type.Object({ ...Key.properties, key: Type.String() }),
  async run(context, input) {
    const secret = createApiKey(context.ids);
    const now = context.clock.now();
    const days = input.expires_in_days;
    const key: ApiKey = {
      id: context.ids.next("key"),
      organizationId: context.caller.organizationId,
      name: input.name,
      role: input.role ?? "member",
      hash: sha256Hex(secret),
      lastFour: secret.slice(-4),
      createdAt: now,
      lastUsedAt: null,
      expiresAt: days === undefined ? null : new Date(now.getTime() + days * dayMs),
      revokedAt: null,
    };
    await context.store.apiKeys.insert(key);
    context.logger.info("API key made", { id: key.id, role: key.role, by: context.caller.actorId });
    return { ...shown(key), key: secret };
  },
});

export const listKeys = operation({
  name: "keys.list",
  method: "GET",
  path: "/api/keys",
  role: "admin",
  summary: "List the API keys, revoked ones included.",
  input: Empty,
  output: Type.Object({ data: Type.Array(Key) }),
  async run(context) {
    const keys = await context.store.apiKeys.list(context.caller.organizationId);
    return { data: keys.map(shown) };
  },
});

export const revokeKey = operation({
  name: "keys.revoke",
  method: "DELETE",
  path: "/api/keys/:key",
  role: "admin",
  summary: "Revoke an API key, by its id or its name; it stops working within a second.",
  input: Type.Object({ key: Type.String({ minLength: 1 }) }, { additionalProperties: false }),
  output: Key,
  async run(context, input) {
    const key = await findKey(context, input.key);
    const now = context.clock.now();
    await context.store.apiKeys.revoke(key.organizationId, key.id, now);
    context.logger.info("API key revoked", { id: key.id, by: context.caller.actorId });
    return shown({ ...key, revokedAt: key.revokedAt ?? now });
  },
});

async function findKey(context: AdminContext, idOrName: string): Promise<ApiKey> {
  const keys = await context.store.apiKeys.list(context.caller.organizationId);
  const byId = keys.find(({ id }) => id === idOrName);
  if (byId !== undefined) return byId;
  const named = keys.filter(({ name, revokedAt }) => name === idOrName && revokedAt === null);
  const [key, ...others] = named;
  if (key === undefined)
    throw new AppError("not_found", `There is no API key with this id or name: ${idOrName}`);
  if (others.length === 0) return key;
  const ids = named.map(({ id }) => id).join(", ");
  throw new AppError("conflict", `Several API keys are named ${idOrName}; name one by its id: ${ids}`);
}

function shown(key: ApiKey) {
  return {
    id: key.id,
    name: key.name,
    role: key.role,
    last_four: key.lastFour,
    created_at: timestamp(key.createdAt),
    last_used_at: nullableTimestamp(key.lastUsedAt),
    expires_at: nullableTimestamp(key.expiresAt),
    revoked_at: nullableTimestamp(key.revokedAt),
  };
}
