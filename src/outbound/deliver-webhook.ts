/**
 * Makes one attempt at a delivery. What came of it, the circuit, the end of this job and the job of the next attempt are
 * one transaction: a process that dies before it loses no delivery, and repeats at most the attempts under way.
 */
import type { SecretBox } from "../crypto.ts";
import type { ClaimedJob } from "../domain/job.ts";
import type { JobHandler, JobRun } from "../domain/job-handler.ts";
import type { Clock, Ids, Logger } from "../domain/runtime.ts";
import type { Store } from "../domain/store.ts";
import type { Delivery, DeliveryProgress } from "../domain/webhook-store.ts";
import { listAllowedTargets } from "./allowed-targets.ts";
import { admit } from "./circuit.ts";
import { type DeliverPayload, deliverJob, deliverPayloadOf } from "./deliver-job.ts";
import { signingSecrets } from "./endpoint-secrets.ts";
import { randomFraction } from "./random-fraction.ts";
import { recordAttempt, type Work } from "./record-attempt.ts";
import type { SendWebhook, SentWebhook } from "./send-webhook.ts";

export interface DeliverDeps {
  clock: Clock;
  ids: Ids;
  logger: Logger;
  secretBox: SecretBox;
  send: SendWebhook;
}

export function createDeliverHandler(deps: DeliverDeps): JobHandler {
  return {
    run: (run) => deliver(run, deps),
    buried: (tx, job, error) => giveUp(tx, job, error, deps),
  };
}

async function deliver(run: JobRun, deps: DeliverDeps): Promise<void> {
  const { store, job } = run;
  const { deliveryId, cause } = deliverPayloadOf(job);
  const delivery = await store.outbox.delivery(deliveryId);
  if (delivery === null || !isWanted(delivery, cause)) return;

  const work = await load(store, delivery, cause);
  if (work === null || work.endpoint.disabledAt !== null) return cancel(run, delivery, deps);

  const admission = await admit(store, work.endpoint.id, deps.clock.now());
  if (!admission.admitted) return putOff(run, delivery, admission.until, deps);

  const attemptId = deps.ids.next("att");
  const sent = await send(work, attemptId, run, deps);
  const outcome = { cause, admission, sent, attemptId };
  const notices = await recordAttempt(run, work, outcome, deps);
  for (const { message, fields } of notices) deps.logger.warn(message, fields);
}

/** A scheduled attempt is not made at what was delivered, given up or cancelled since; one by hand may be. */
function isWanted(delivery: Delivery, cause: DeliverPayload["cause"]): boolean {
  if (cause === "resend") return true;
  return cause === "recover" ? delivery.state !== "delivered" : delivery.state === "waiting";
}

async function load(store: Store, delivery: Delivery, cause: DeliverPayload["cause"]): Promise<Work | null> {
  const [message, endpoint] = await Promise.all([
    store.outbox.message(delivery.messageId),
    // By hand it goes where events go now, though the endpoint that it was meant for was removed since.
    cause === "scheduled"
      ? store.endpoints.byId(delivery.endpointId)
      : store.endpoints.get(delivery.organizationId),
  ]);
  return message === null || endpoint === null ? null : { delivery, message, endpoint };
}

async function send(work: Work, attemptId: string, run: JobRun, deps: DeliverDeps): Promise<SentWebhook> {
  const { endpoint, message } = work;
  return deps.send(
    {
      target: {
        url: endpoint.url,
        setByOwner: endpoint.setByOwner,
        allowedTargets: () => listAllowedTargets(run.store),
      },
      message,
      attemptId,
      secrets: signingSecrets(deps.secretBox, endpoint, deps.clock.now()),
    },
    run.signal,
  );
}

/** The endpoint takes nothing any more. The event is kept and can be redelivered by hand. */
async function cancel(run: JobRun, delivery: Delivery, deps: DeliverDeps): Promise<void> {
  await run.store.transaction(async (tx) => {
    await run.complete(tx);
    if (delivery.state !== "waiting") return;
    await tx.outbox.updateDelivery(delivery.id, ended(delivery, "cancelled", deps.clock.now()));
  });
}

/** The circuit is open: wait without using up an attempt, and not all until the same moment. */
async function putOff(run: JobRun, delivery: Delivery, until: Date, deps: DeliverDeps): Promise<void> {
  const now = deps.clock.now();
  const waitMs = until.getTime() - now.getTime();
  const runAt = new Date(until.getTime() + Math.round(waitMs * 0.2 * randomFraction(deps.ids)));
  const { cause } = deliverPayloadOf(run.job);
  await run.store.transaction(async (tx) => {
    await run.complete(tx);
    await tx.jobs.enqueue(deliverJob(delivery, cause, runAt), now);
    if (cause !== "scheduled") return;
    const { state, attempts, endedAt } = delivery;
    await tx.outbox.updateDelivery(delivery.id, { state, attempts, endedAt, nextAttemptAt: runAt });
  });
}

/** Our own failure, over and over (an unreadable secret, say): the delivery must not look as if it were still waiting. */
async function giveUp(tx: Store, job: ClaimedJob, error: unknown, deps: DeliverDeps): Promise<void> {
  const { deliveryId, cause } = deliverPayloadOf(job);
  deps.logger.error("gave up a webhook delivery that could not be attempted", {
    delivery_id: deliveryId,
    error,
  });
  const delivery = await tx.outbox.delivery(deliveryId);
  if (delivery === null || delivery.state !== "waiting" || cause !== "scheduled") return;
  await tx.outbox.updateDelivery(deliveryId, ended(delivery, "failed", deps.clock.now()));
}

function ended(delivery: Delivery, state: "failed" | "cancelled", at: Date): DeliveryProgress {
  return { state, attempts: delivery.attempts, nextAttemptAt: null, endedAt: at };
}
