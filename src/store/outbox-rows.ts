/** Messages, deliveries and attempts between rows and the domain. */

import type { WebhookAttempt, WebhookMessage } from "../domain/webhook.ts";
import type { Delivery, DeliveryProgress } from "../domain/webhook-store.ts";
import { millisecondsOrNull, timeOrNull } from "./columns.ts";
import type { AttemptRow, DeliveryRow, MessageRow } from "./tables.ts";

export function fromMessage(message: WebhookMessage): MessageRow {
  return {
    id: message.id,
    organization_id: message.organizationId,
    review_id: message.reviewId,
    event: message.event,
    created_at: message.createdAt.getTime(),
    body: message.body,
  };
}

export function toMessage(row: MessageRow): WebhookMessage {
  return {
    id: row.id,
    organizationId: row.organization_id,
    reviewId: row.review_id,
    event: row.event,
    body: row.body,
    createdAt: new Date(row.created_at),
  };
}

export function fromProgress(
  after: DeliveryProgress,
): Pick<DeliveryRow, "state" | "attempts" | "next_attempt_at" | "ended_at"> {
  return {
    state: after.state,
    attempts: after.attempts,
    next_attempt_at: millisecondsOrNull(after.nextAttemptAt),
    ended_at: millisecondsOrNull(after.endedAt),
  };
}

export function fromDelivery(delivery: Delivery): DeliveryRow {
  return {
    id: delivery.id,
    message_id: delivery.messageId,
    endpoint_id: delivery.endpointId,
    organization_id: delivery.organizationId,
    created_at: delivery.createdAt.getTime(),
    ...fromProgress(delivery),
  };
}

export function toDelivery(row: DeliveryRow): Delivery {
  return {
    id: row.id,
    messageId: row.message_id,
    endpointId: row.endpoint_id,
    organizationId: row.organization_id,
    state: row.state,
    attempts: row.attempts,
    nextAttemptAt: timeOrNull(row.next_attempt_at),
    createdAt: new Date(row.created_at),
    endedAt: timeOrNull(row.ended_at),
  };
}

export function fromAttempt(
  attempt: WebhookAttempt,
  of: Pick<DeliveryRow, "endpoint_id" | "message_id">,
): AttemptRow {
  return {
    id: attempt.id,
    delivery_id: attempt.deliveryId,
    endpoint_id: of.endpoint_id,
    message_id: of.message_id,
    url: attempt.url,
    attempt: attempt.attempt,
    started_at: attempt.startedAt.getTime(),
    duration_ms: attempt.durationMs,
    status: attempt.status,
    error_class: attempt.errorClass,
    error: attempt.error,
    response_head: attempt.responseHead,
  };
}

export function toAttempt(row: AttemptRow): WebhookAttempt {
  return {
    id: row.id,
    deliveryId: row.delivery_id,
    url: row.url,
    attempt: row.attempt,
    startedAt: new Date(row.started_at),
    durationMs: row.duration_ms,
    status: row.status,
    errorClass: row.error_class,
    error: row.error,
    responseHead: row.response_head,
  };
}
