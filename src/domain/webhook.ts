/** Outbound review webhooks (specification §6, docs/api.md): what is sent, to whom, and what came of it. */

export const reviewEvents = ["review.started", "review.completed", "review.failed"] as const;
export type ReviewEventName = (typeof reviewEvents)[number];

/** Where an organization wants its review events. */
export interface WebhookEndpoint {
  id: string;
  organizationId: string;
  url: string;
  /** Which events it wants; empty = all. */
  events: readonly ReviewEventName[];
  /** The owner set it: its exact host and port are allowed even when private, loopback or plain http. */
  setByOwner: boolean;
  sealedSecret: string;
  /** The secret before a rotation, until its day of overlap ends. */
  sealedPreviousSecret: string | null;
  previousSecretExpiresAt: Date | null;
  createdAt: Date;
  /** Why no more is sent; null while enabled. */
  disabledReason: string | null;
  disabledAt: Date | null;
}

/** One event, stored as the exact bytes that are signed and sent. */
export interface WebhookMessage {
  /** `msg_…`, sent as `webhook-id`, the same over all retries. */
  id: string;
  organizationId: string;
  /** Of a test delivery: `testReviewId`, which is no review. */
  reviewId: string;
  event: ReviewEventName;
  /** UTF-8 JSON. */
  body: string;
  createdAt: Date;
}

/** The review that test deliveries speak of: well formed, and nobody's. */
export const testReviewId = "rev_00000000000000000000000000";

/** A receiver that keeps failing is left alone for a while: nothing is sent while its circuit is open. */
export interface Circuit {
  /** Failed attempts since the last success. */
  consecutiveFailures: number;
  /** When the first of them was; null without any. */
  failingSince: Date | null;
  /** Times it opened since the last success. */
  openings: number;
  /** Null while closed. Once past, one delivery may try. */
  openUntil: Date | null;
}

/** `cancelled`: the endpoint was disabled or gone when its turn came; it can be redelivered by hand. */
export type DeliveryState = "waiting" | "delivered" | "failed" | "cancelled";

export type DeliveryErrorClass =
  | "dns"
  | "connect"
  | "tls"
  | "timeout"
  | "blocked_address"
  | "status"
  | "redirect"
  | "protocol";

export interface WebhookAttempt {
  id: string;
  deliveryId: string;
  /** Where it was sent: the endpoint's address may have changed since. */
  url: string;
  /** 1 to 10 on the schedule; 0 for a manual redelivery or a test. */
  attempt: number;
  startedAt: Date;
  durationMs: number;
  status: number | null;
  errorClass: DeliveryErrorClass | null;
  error: string | null;
  /** At most 8 KB of the answer, as text. */
  responseHead: string | null;
}
