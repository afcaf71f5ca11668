/**
 * Idempotency-Key (contract: kept 24 hours): the first answer is stored in the same transaction as the work it tells of, so a
 * crash leaves either both or neither. Requests that run at this moment are known in memory alone.
 */
import { sha256Hex } from "../crypto.ts";
import { AppError } from "../domain/errors.ts";
import type { Clock } from "../domain/runtime.ts";
import type { Store, StoredAnswer } from "../domain/store.ts";

const keyLengthMax = 255;

/** Bare or quoted (draft-ietf-httpapi-idempotency-key-header); null when absent. Errors: AppError `validation_failed`. */
export function idempotencyKeyOf(headers: Headers): string | null {
  const sent = headers.get("idempotency-key");
  if (sent === null) return null;
  const key = sent.replace(/^"(.*)"$/, "$1");
  if (/^[\x20-\x7e]+$/.test(key) && key.length <= keyLengthMax) return key;
  const message = `must be 1 to ${keyLengthMax} printable ASCII characters`;
  throw new AppError("validation_failed", `\`Idempotency-Key\` ${message}.`, {
    fields: [{ path: "Idempotency-Key", code: "invalid_format", message }],
  });
}

export interface IdempotentRequest {
  organizationId: string;
  /** `POST /v1/reviews`; the same key on another route is another key. */
  route: string;
  key: string;
  body: Uint8Array;
}

/** To be called first in the work's transaction: stores the answer, or undoes everything when there is one already. */
export type StoreAnswer = (tx: Store, answer: StoredAnswer) => Promise<void>;

export interface Idempotency {
  /** Errors: AppError `idempotency_in_progress`, `idempotency_mismatch`, and the work's own, after which the key is free. */
  run(
    request: IdempotentRequest,
    work: (store: StoreAnswer) => Promise<StoredAnswer>,
  ): Promise<{ answer: StoredAnswer; replayed: boolean }>;
}

export function createIdempotency(deps: { clock: Clock }): Idempotency {
  /** Fingerprints of the requests that run now. */
  const running = new Map<string, string>();

  return {
    async run(request, work) {
      const fingerprint = sha256Hex(request.body);
      const scope = JSON.stringify([request.organizationId, request.route, request.key]);
      const other = running.get(scope);
      if (other !== undefined) throw other === fingerprint ? inProgress() : mismatch();
      running.set(scope, fingerprint);
      try {
        const answer = await work((tx, made) => claim(tx, request, fingerprint, made, deps.clock.now()));
        return { answer, replayed: false };
      } catch (error) {
        if (error instanceof AnsweredBefore) return { answer: error.answer, replayed: true };
        throw error;
      } finally {
        running.delete(scope);
      }
    },
  };
}

/** Thrown inside the transaction so that it is rolled back. */
class AnsweredBefore extends Error {
  readonly answer: StoredAnswer;
  constructor(answer: StoredAnswer) {
    super("the request was answered before");
    this.name = "AnsweredBefore";
    this.answer = answer;
  }
}

async function claim(
  tx: Store,
  { organizationId, route, key }: IdempotentRequest,
  fingerprint: string,
  answer: StoredAnswer,
  now: Date,
): Promise<void> {
  const known = await tx.idempotency.begin(organizationId, route, key, fingerprint, now);
  if (known.state === "new") return tx.idempotency.finish(organizationId, route, key, answer);
  if (known.fingerprint !== fingerprint) throw mismatch();
  if (known.state === "running") throw inProgress();
  throw new AnsweredBefore(known.answer);
}

function inProgress(): AppError {
  return new AppError("idempotency_in_progress", "A request with this Idempotency-Key is still running.", {
    retryAfterSeconds: 1,
  });
}

function mismatch(): AppError {
  return new AppError("idempotency_mismatch", "This Idempotency-Key was used with another body.");
}
