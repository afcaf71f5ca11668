/** What each error code means to a person: the title of its problem document and its page under /errors. */
import type { ErrorKind } from "../domain/errors.ts";

export interface ErrorExplanation {
  title: string;
  meaning: string;
  remedy: string;
}

export const errorCatalogue = {
  malformed_json: {
    title: "The body is not JSON",
    meaning:
      "The request's body is empty, is not well-formed JSON, names a field twice, is nested more than 32 levels deep or has more than 20,000 fields and elements.",
    remedy: "Send one JSON document (RFC 8259) whose objects name each field once.",
  },
  invalid_encoding: {
    title: "The body is not UTF-8",
    meaning: "The request's body holds bytes that are not valid UTF-8.",
    remedy: "Encode the JSON document as UTF-8.",
  },
  bad_request: {
    title: "The request cannot be understood",
    meaning:
      "The request itself is broken: its Host header is invalid, or its body did not arrive whole or in time.",
    remedy: "Check the client or the proxy in between, then send the request again.",
  },
  unauthenticated: {
    title: "No valid API key",
    meaning: "The request carries no API key, or one that is mistyped, unknown, revoked or expired.",
    remedy:
      "Send `Authorization: Bearer <API key>`. An admin makes a key with `plumbline keys create --name NAME`.",
  },
  insufficient_credits: {
    title: "No review credits left",
    meaning: "The organization has used or reserved all review credits of this month.",
    remedy:
      "Wait for `credits.resets_at` in `GET /v1/usage`, or ask an owner to change the plan. A failed review returns its credit.",
  },
  forbidden: {
    title: "Not allowed",
    meaning: "The API key is valid, but its role may not do this.",
    remedy: "Use a key with the role that the message names.",
  },
  invalid_signature: {
    title: "The webhook's signature does not match",
    meaning: "The webhook carries no signature, or one that none of the configured secrets makes.",
    remedy:
      "Configure the same secret on both sides. The delivery was logged as failed and nothing was done.",
  },
  not_found: {
    title: "Not found",
    meaning: "There is nothing at this address, or it belongs to another organization.",
    remedy: "Check the address and that the API key belongs to the right organization.",
  },
  repository_not_enabled: {
    title: "The repository is not enabled",
    meaning: "Plumbline is not enabled on this repository, or it is not known to the organization.",
    remedy: "An admin enables it with `plumbline repos enable OWNER/REPO --host NAME`.",
  },
  method_not_allowed: {
    title: "Wrong method",
    meaning: "The address exists but does not know this method.",
    remedy: "Use one of the methods in the answer's `Allow` header.",
  },
  conflict: {
    title: "Conflict",
    meaning: "What was asked contradicts what is there, such as a name that is taken.",
    remedy: "Read the message, look at the present state and decide again.",
  },
  idempotency_in_progress: {
    title: "The first request with this key is still running",
    meaning: "Another request with the same Idempotency-Key has not been answered yet.",
    remedy: "Wait for that answer, or send the request again in a second: it is then replayed.",
  },
  body_too_large: {
    title: "The body is too large",
    meaning: "The request's body is larger than this address accepts.",
    remedy: "Send at most 1 MiB (code-host webhooks: 25 MiB).",
  },
  unsupported_media_type: {
    title: "The body has the wrong type",
    meaning: "The request's body is not declared as plain, uncompressed UTF-8 JSON.",
    remedy: "Send `Content-Type: application/json` and no `Content-Encoding`.",
  },
  validation_failed: {
    title: "The request is not valid",
    meaning: "A field or parameter is missing, unknown, of the wrong type or outside its limits.",
    remedy: "`errors` lists each of them with its place, a stable code and what is expected there.",
  },
  idempotency_mismatch: {
    title: "The key was used for another request",
    meaning: "This Idempotency-Key belongs to an earlier request with a different body.",
    remedy: "Use a new key for a new request; repeat the exact bytes of a request that you send again.",
  },
  rate_limited: {
    title: "Rate limit exceeded",
    meaning:
      "The organization has used its requests of this hour; without a valid key, the client's address has.",
    remedy: "Wait for the seconds in `Retry-After`. `X-RateLimit-Reset` is the moment the count starts anew.",
  },
  internal: {
    title: "Internal error",
    meaning: "Plumbline failed to answer. The fault is on this side and was logged under the request id.",
    remedy: "Try again later; if it stays, report the `request_id` to whoever runs this service.",
  },
  storage_full: {
    title: "The disk is full",
    meaning: "Plumbline cannot store anything new until there is room. What is stored can still be read.",
    remedy: "Whoever runs this service must make room; then send the request again.",
  },
  storage_busy: {
    title: "The database is busy",
    meaning: "The database did not answer in time. Nothing was stored.",
    remedy: "Send the request again after the seconds in `Retry-After`.",
  },
  shutting_down: {
    title: "Plumbline is stopping",
    meaning: "The service is being stopped or restarted and accepts no new requests.",
    remedy: "Send the request again after the seconds in `Retry-After`.",
  },
} as const satisfies Record<ErrorKind, ErrorExplanation>;
