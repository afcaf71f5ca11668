/** Writes an event down for the organization's webhook endpoint, in the transaction that makes it true. */
import type { Announce } from "../domain/announce.ts";
import type { Review } from "../domain/review.ts";
import type { Clock, Ids } from "../domain/runtime.ts";
import type { Store } from "../domain/store.ts";
import type { ReviewEventName, WebhookEndpoint, WebhookMessage } from "../domain/webhook.ts";
import { deliverJob } from "./deliver-job.ts";
import { reviewEventBody } from "./payload.ts";

export interface AnnouncerOptions {
  ids: Ids;
  clock: Clock;
  /** Without a trailing slash; asked at every event, because the port may be known only once the server listens. */
  siteUrl: () => string;
}

/**
 * Nothing is written when the organization has no endpoint or does not want this event. While its endpoint is disabled
 * the event is kept as `cancelled`, so that it can be redelivered afterwards. The caller wakes the worker after commit.
 */
export function createAnnouncer(options: AnnouncerOptions): Announce {
  return async (tx, event, review) => {
    const endpoint = await tx.endpoints.get(review.organizationId);
    if (endpoint === null || !wants(endpoint, event)) return;

    const now = options.clock.now();
    const message: WebhookMessage = {
      id: options.ids.next("msg"),
      organizationId: review.organizationId,
      reviewId: review.id,
      event,
      body: reviewEventBody(event, review, { at: now, url: await pageOf(tx, review, options.siteUrl()) }),
      createdAt: now,
    };
    await tx.outbox.insertMessage(message);
    await insertDelivery(tx, message, endpoint, options.ids.next("dlv"));
  };
}

function wants(endpoint: WebhookEndpoint, event: ReviewEventName): boolean {
  return endpoint.events.length === 0 || endpoint.events.includes(event);
}

async function insertDelivery(
  tx: Store,
  message: WebhookMessage,
  endpoint: WebhookEndpoint,
  id: string,
): Promise<void> {
  const now = message.createdAt;
  const enabled = endpoint.disabledAt === null;
  const delivery = {
    id,
    messageId: message.id,
    endpointId: endpoint.id,
    organizationId: message.organizationId,
    attempts: 0,
    createdAt: now,
  };
  if (!enabled) {
    await tx.outbox.insertDelivery({ ...delivery, state: "cancelled", nextAttemptAt: null, endedAt: now });
    return;
  }
  await tx.outbox.insertDelivery({ ...delivery, state: "waiting", nextAttemptAt: now, endedAt: null });
  await tx.jobs.enqueue(deliverJob(delivery, "scheduled", now), now);
}

/** The pull request's page; before the host told it, by the host's template; the review's own page where there is neither. */
async function pageOf(tx: Store, review: Review, siteUrl: string): Promise<string> {
  if (review.pullRequestUrl !== null) return review.pullRequestUrl;
  const repository = await tx.repositories.get(review.repositoryId);
  const host = repository === null ? null : await tx.codeHosts.get(repository.codeHostId);
  if (host === null || host.webUrl === null) return `${siteUrl}/reviews/${review.id}`;
  return host.webUrl
    .replaceAll("{repository}", review.repository)
    .replaceAll("{number}", String(review.pullRequest));
}
