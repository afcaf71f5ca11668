/** Sends an example event now, and waits for what the receiver says. */
import type { WebhookAttempt, WebhookMessage } from "../domain/webhook.ts";
import { testReviewId } from "../domain/webhook.ts";
import { listAllowedTargets } from "./allowed-targets.ts";
import { signingSecrets } from "./endpoint-secrets.ts";
import { type EndpointDeps, endpointOf } from "./manage-endpoint.ts";
import { testEventBody } from "./payload.ts";
import type { SendWebhook } from "./send-webhook.ts";

export interface TestDelivery {
  deliveryId: string;
  messageId: string;
  attempt: WebhookAttempt;
}

/**
 * One attempt, recorded like any other and never retried; `attempt.errorClass` is null when the receiver took it. A disabled
 * endpoint can be tested too. A success closes the circuit; a failure counts for nothing, nor does its 410 disable.
 * Errors: AppError `not_found` without an endpoint; the signal's reason.
 */
export async function testEndpoint(
  deps: EndpointDeps & { send: SendWebhook; siteUrl: () => string },
  organizationId: string,
  signal: AbortSignal,
): Promise<TestDelivery> {
  const { store, clock, ids } = deps;
  const endpoint = await endpointOf(store, organizationId);
  const createdAt = clock.now();
  const message: WebhookMessage = {
    id: ids.next("msg"),
    organizationId,
    reviewId: testReviewId,
    event: "review.completed",
    body: testEventBody({ at: createdAt, url: deps.siteUrl() }),
    createdAt,
  };
  const id = ids.next("att");
  const target = {
    url: endpoint.url,
    setByOwner: endpoint.setByOwner,
    allowedTargets: () => listAllowedTargets(store),
  };
  const secrets = signingSecrets(deps.secretBox, endpoint, createdAt);
  const { retryAfterMs: _, ...sent } = await deps.send({ target, message, attemptId: id, secrets }, signal);

  const deliveryId = ids.next("dlv");
  const attempt: WebhookAttempt = { id, deliveryId, url: endpoint.url, attempt: 0, ...sent };
  const delivered = sent.errorClass === null;
  const endedAt = clock.now();
  await store.transaction(async (tx) => {
    await tx.outbox.insertMessage(message);
    const progress = {
      state: delivered ? "delivered" : "failed",
      attempts: 0,
      nextAttemptAt: null,
      endedAt,
    } as const;
    await tx.outbox.insertDelivery({
      id: deliveryId,
      messageId: message.id,
      endpointId: endpoint.id,
      organizationId,
      createdAt,
      ...progress,
    });
    await tx.outbox.recordAttempt(attempt, progress);
    if (delivered) await tx.circuits.close(endpoint.id);
  });
  return { deliveryId, messageId: message.id, attempt };
}
