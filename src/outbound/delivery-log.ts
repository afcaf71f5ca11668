/** What was sent, when, and what the receiver said to it. */
import { AppError } from "../domain/errors.ts";
import type { Page, Store } from "../domain/store.ts";
import type { DeliveryState, WebhookAttempt, WebhookMessage } from "../domain/webhook.ts";
import type { Delivery } from "../domain/webhook-store.ts";

export type ListedDelivery = Delivery & { event: string; reviewId: string };

/** Newest first. */
export async function listDeliveries(
  store: Store,
  organizationId: string,
  filter: { state?: DeliveryState; since?: Date },
  page: { offset: number; limit: number },
): Promise<Page<ListedDelivery>> {
  return store.outbox.deliveries(organizationId, filter, page);
}

export interface DeliveryDetail {
  delivery: Delivery;
  message: WebhookMessage;
  /** In the order they were made. */
  attempts: readonly WebhookAttempt[];
}

/** AppError `not_found`, for another organization's too. */
export async function showDelivery(
  store: Store,
  organizationId: string,
  deliveryId: string,
): Promise<DeliveryDetail> {
  const delivery = await store.outbox.delivery(deliveryId);
  const message = delivery === null ? null : await store.outbox.message(delivery.messageId);
  if (delivery === null || message === null || delivery.organizationId !== organizationId) {
    throw new AppError("not_found", `There is no delivery ${deliveryId}.`);
  }
  return { delivery, message, attempts: await store.outbox.attempts(deliveryId) };
}
