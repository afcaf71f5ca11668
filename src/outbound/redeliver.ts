/** Sends again what was not delivered, under the same `webhook-id`. Attempts by hand leave the retry schedule as it is. */
import { AppError } from "../domain/errors.ts";
import type { Clock } from "../domain/runtime.ts";
import type { Store } from "../domain/store.ts";
import { testReviewId, type WebhookEndpoint } from "../domain/webhook.ts";
import type { Delivery } from "../domain/webhook-store.ts";
import { type DeliverPayload, deliverJob } from "./deliver-job.ts";
import type { ListedDelivery } from "./delivery-log.ts";
import { endpointOf } from "./manage-endpoint.ts";

export interface RedeliverDeps {
  store: Store;
  clock: Clock;
}

const pageSize = 500;

/** Sends one delivery again, whatever became of it before. The caller wakes the worker. Errors: AppError `not_found`, `conflict`. */
export async function redeliver(
  deps: RedeliverDeps,
  organizationId: string,
  deliveryId: string,
): Promise<void> {
  const delivery = await deps.store.outbox.delivery(deliveryId);
  if (delivery === null || delivery.organizationId !== organizationId) {
    throw new AppError("not_found", `There is no delivery ${deliveryId}.`);
  }
  const endpoint = await enabledEndpoint(deps.store, organizationId);
  await enqueue(deps, endpoint, [delivery], "resend");
}

/**
 * Sends again all events since `since` that failed, or were cancelled because the endpoint was disabled; answers how many.
 * Those that still wait for an attempt are left to their schedule. Errors: AppError `not_found`, `conflict`.
 */
export async function redeliverFailedSince(
  deps: RedeliverDeps,
  organizationId: string,
  since: Date,
): Promise<number> {
  const endpoint = await enabledEndpoint(deps.store, organizationId);
  const undelivered = await undeliveredSince(deps.store, organizationId, since);
  for (let start = 0; start < undelivered.length; start += pageSize) {
    await enqueue(deps, endpoint, undelivered.slice(start, start + pageSize), "recover");
  }
  return undelivered.length;
}

/** States are looked at here: a filter whose matches change while we turn the pages would skip some. */
async function undeliveredSince(
  store: Store,
  organizationId: string,
  since: Date,
): Promise<readonly Delivery[]> {
  const found = new Map<string, Delivery>();
  for (let offset = 0; ; offset += pageSize) {
    const page = await store.outbox.deliveries(organizationId, { since }, { offset, limit: pageSize });
    for (const delivery of page.items) {
      if (isUndelivered(delivery)) found.set(delivery.id, delivery);
    }
    if (page.items.length < pageSize) return [...found.values()];
  }
}

/** A test that failed is over: nobody missed anything. */
function isUndelivered(delivery: ListedDelivery): boolean {
  if (delivery.reviewId === testReviewId) return false;
  return delivery.state === "failed" || delivery.state === "cancelled";
}

/** Whoever redelivers believes that the receiver is well again, so an open circuit lets the first of them try at once. */
async function enqueue(
  deps: RedeliverDeps,
  endpoint: WebhookEndpoint,
  deliveries: readonly Delivery[],
  cause: DeliverPayload["cause"],
): Promise<void> {
  const now = deps.clock.now();
  await deps.store.transaction(async (tx) => {
    await tx.circuits.halfOpen(endpoint.id, now);
    for (const delivery of deliveries) await tx.jobs.enqueue(deliverJob(delivery, cause, now), now);
  });
}

async function enabledEndpoint(store: Store, organizationId: string): Promise<WebhookEndpoint> {
  const endpoint = await endpointOf(store, organizationId);
  if (endpoint.disabledAt === null) return endpoint;
  throw new AppError("conflict", `The endpoint is disabled: ${endpoint.disabledReason} Enable it first.`);
}
