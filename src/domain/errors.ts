/**
 * One error class for everything a person may be told. `kind` is the stable code of docs/api.md that clients
 * branch on; `message` is written for that person; the cause is for the log and never leaves the process.
 */

/** HTTP status of each kind. The kind is also the problem document's `code` (RFC 9457). */
export const errorKinds = {
  malformed_json: 400,
  invalid_encoding: 400,
  bad_request: 400,
  unauthenticated: 401,
  insufficient_credits: 402,
  forbidden: 403,
  invalid_signature: 403,
  not_found: 404,
  repository_not_enabled: 404,
  method_not_allowed: 405,
  conflict: 409,
  idempotency_in_progress: 409,
  body_too_large: 413,
  unsupported_media_type: 415,
  validation_failed: 422,
  idempotency_mismatch: 422,
  rate_limited: 429,
  internal: 500,
  storage_full: 503,
  storage_busy: 503,
  shutting_down: 503,
} as const satisfies Record<string, number>;

export type ErrorKind = keyof typeof errorKinds;

/** One thing wrong with an input; `path` is a JSON Pointer (`/options/severity_threshold`) or a parameter's name. */
export interface FieldError {
  path: string;
  code: string;
  message: string;
}

export class AppError extends Error {
  readonly kind: ErrorKind;
  readonly fields: readonly FieldError[];
  /** Seconds after which trying again makes sense; sent as `Retry-After`. */
  readonly retryAfterSeconds: number | null;

  constructor(
    kind: ErrorKind,
    publicMessage: string,
    options: { cause?: unknown; fields?: readonly FieldError[]; retryAfterSeconds?: number } = {},
  ) {
    super(publicMessage, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "AppError";
    this.kind = kind;
    this.fields = options.fields ?? [];
    this.retryAfterSeconds = options.retryAfterSeconds ?? null;
  }
}

export function isAppError(error: unknown, kind?: ErrorKind): error is AppError {
  return error instanceof AppError && (kind === undefined || error.kind === kind);
}

/** Another process has the data folder. The command line waits a little for it; a server does not. */
export class DataFolderLocked extends AppError {
  constructor(publicMessage: string, options?: { cause: unknown }) {
    super("conflict", publicMessage, options);
    this.name = "DataFolderLocked";
  }
}
