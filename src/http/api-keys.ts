/**
 * API keys (specification §5). A key is looked up by its SHA-256 and remembered; twice a second at most the database is asked
 * whether any key changed, so that a steady client costs no query and a revoked key stops working within a second everywhere.
 */
import { isWellFormedApiKey, sha256Hex } from "../crypto.ts";
import { AppError } from "../domain/errors.ts";
import type { ApiKey, Caller } from "../domain/organization.ts";
import type { Clock, Logger } from "../domain/runtime.ts";
import type { Store } from "../domain/store.ts";

export interface ApiKeys {
  /** The whole Authorization header. Errors: AppError `unauthenticated`. */
  authenticate(authorization: string | null): Promise<Caller>;
  /** Writes down when keys were last used. */
  flush(): Promise<void>;
}

const trustedForMs = 500;
const touchEveryMs = 60_000;
const rememberedMax = 10_000;

export function createApiKeys(deps: { store: Store; clock: Clock; logger: Logger }): ApiKeys {
  const { store, clock, logger } = deps;
  const remembered = new Map<string, ApiKey | null>();
  const touchedAtMs = new Map<string, number>();
  const toTouch = new Map<string, Date>();
  let version = Number.NaN;
  let checkedAtMs = Number.NEGATIVE_INFINITY;
  let checking: Promise<void> | null = null;

  async function checkVersion(): Promise<void> {
    const startedMs = clock.monotonicMs();
    const current = await store.apiKeys.version();
    if (current !== version) remembered.clear();
    version = current;
    checkedAtMs = startedMs;
  }

  function refresh(): Promise<void> {
    checking ??= checkVersion().finally(() => {
      checking = null;
    });
    return checking;
  }

  async function lookUp(hash: string): Promise<ApiKey | null> {
    const asOf = version;
    const key = await store.apiKeys.byHash(hash);
    // A key that changed while it was read is not remembered.
    if (asOf === version) remember(hash, key);
    return key;
  }

  function remember(hash: string, key: ApiKey | null): void {
    const oldest = remembered.keys().next();
    if (remembered.size >= rememberedMax && !oldest.done) remembered.delete(oldest.value);
    remembered.set(hash, key);
  }

  function noteUse(key: ApiKey, now: Date): void {
    const last = touchedAtMs.get(key.id) ?? key.lastUsedAt?.getTime() ?? 0;
    if (Math.abs(now.getTime() - last) < touchEveryMs) return;
    touchedAtMs.set(key.id, now.getTime());
    toTouch.set(key.id, now);
  }

  return {
    async authenticate(authorization) {
      const text = bearerToken(authorization);
      if (!isWellFormedApiKey(text)) {
        throw new AppError("unauthenticated", "This is no API key: it is mistyped or cut short.");
      }
      if (clock.monotonicMs() - checkedAtMs >= trustedForMs) await refresh();
      const hash = sha256Hex(text);
      const known = remembered.get(hash);
      const key = known === undefined ? await lookUp(hash) : known;
      const now = clock.now();
      if (key === null || key.revokedAt !== null || (key.expiresAt !== null && key.expiresAt <= now)) {
        throw new AppError("unauthenticated", "This API key is unknown, revoked or expired.");
      }
      noteUse(key, now);
      return { organizationId: key.organizationId, role: key.role, actorId: key.id };
    },
    async flush() {
      const used = [...toTouch];
      toTouch.clear();
      try {
        for (const [id, at] of used) await store.apiKeys.touch(id, at);
      } catch (error) {
        logger.warn("could not write down when API keys were last used", { error });
      }
    },
  };
}

function bearerToken(authorization: string | null): string {
  if (authorization === null) {
    throw new AppError("unauthenticated", "Send your API key as `Authorization: Bearer <API key>`.");
  }
  const [, token] = /^Bearer +([^\s]+) *$/i.exec(authorization) ?? [];
  if (token === undefined) {
    throw new AppError("unauthenticated", "The Authorization header is not `Bearer <API key>`.");
  }
  return token;
}
