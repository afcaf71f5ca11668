/** What an attempt changes: the delivery log, the delivery, its next attempt, the endpoint's circuit, the endpoint itself. */
import type { JobRun } from "../domain/job-handler.ts";
import type { Clock, Ids, LogFields } from "../domain/runtime.ts";
import type { Store } from "../domain/store.ts";
import type { Circuit, WebhookAttempt, WebhookEndpoint, WebhookMessage } from "../domain/webhook.ts";
import type { Delivery, DeliveryProgress } from "../domain/webhook-store.ts";
import { type Admitted, countFailure } from "./circuit.ts";
import { type DeliverPayload, deliverJob } from "./deliver-job.ts";
import { randomFraction } from "./random-fraction.ts";
import { retryDelayMs } from "./retry-schedule.ts";
import type { SentWebhook } from "./send-webhook.ts";

/** What an attempt is about. */
export interface Work {
  delivery: Delivery;
  message: WebhookMessage;
  endpoint: WebhookEndpoint;
}

export interface AttemptOutcome {
  attemptId: string;
  cause: DeliverPayload["cause"];
  admission: Admitted;
  sent: SentWebhook;
}

/** Something an administrator should read, to be logged once it is committed. */
export interface Notice {
  message: string;
  fields: LogFields;
}

/** The endpoint is disabled when nothing but failures came for so long, of so many different events. */
const onlyFailuresMs = 5 * 24 * 3_600_000;
const onlyFailuresMessages = 10;

/** Ends the job with it, all in one transaction. Throws `LeaseLost`, and then nothing is kept. */
export async function recordAttempt(
  run: JobRun,
  work: Work,
  outcome: AttemptOutcome,
  deps: { clock: Clock; ids: Ids },
): Promise<readonly Notice[]> {
  const { store, job } = run;
  const now = deps.clock.now();
  // The delivery is as it was when the attempt began: its job's lock key keeps every other attempt at it waiting.
  const after = progress(work.delivery, outcome, now, randomFraction(deps.ids));
  const attempt = toAttempt(work, outcome, after);
  if (changesNothingElse(outcome)) {
    await run.completeBy((at) => store.outbox.finishAttempt(job, attempt, after, at));
    return [];
  }
  return store.transaction(async (tx) => {
    await run.complete(tx);
    await tx.outbox.recordAttempt(attempt, after);
    return recordConsequences(tx, work, outcome, { after, now });
  });
}

/** A delivery that succeeds while all is well, as nearly all do. */
function changesNothingElse({ sent, admission }: AttemptOutcome): boolean {
  return sent.errorClass === null && !admission.failing;
}

function toAttempt(
  { delivery, endpoint }: Work,
  { attemptId, cause, sent }: AttemptOutcome,
  after: DeliveryProgress,
): WebhookAttempt {
  const { startedAt, durationMs, status, errorClass, error, responseHead } = sent;
  return {
    id: attemptId,
    deliveryId: delivery.id,
    url: endpoint.url,
    attempt: cause === "scheduled" ? after.attempts : 0,
    ...{ startedAt, durationMs, status, errorClass, error, responseHead },
  };
}

/** The next attempt, the circuit, the endpoint. */
async function recordConsequences(
  tx: Store,
  { delivery, endpoint }: Work,
  outcome: AttemptOutcome,
  { after, now }: { after: DeliveryProgress; now: Date },
): Promise<readonly Notice[]> {
  if (after.nextAttemptAt !== null && outcome.cause === "scheduled") {
    await tx.jobs.enqueue(deliverJob(delivery, "scheduled", after.nextAttemptAt), now);
  }
  if (outcome.sent.errorClass !== null) return recordFailure(tx, endpoint, outcome, now);
  if (outcome.admission.failing) await tx.circuits.close(endpoint.id);
  return [];
}

/** An attempt by hand that fails leaves the delivery and its schedule as they were. */
function progress(delivery: Delivery, outcome: AttemptOutcome, now: Date, random: number): DeliveryProgress {
  const scheduled = outcome.cause === "scheduled";
  const attempts = delivery.attempts + (scheduled ? 1 : 0);
  if (outcome.sent.errorClass === null) {
    return { state: "delivered", attempts, nextAttemptAt: null, endedAt: delivery.endedAt ?? now };
  }
  if (!scheduled) {
    const { state, nextAttemptAt, endedAt } = delivery;
    return { state, attempts, nextAttemptAt, endedAt };
  }
  const { status, errorClass, retryAfterMs } = outcome.sent;
  const failed = { status, timedOut: errorClass === "timeout", retryAfterMs };
  const delayMs = isGone(outcome) ? null : retryDelayMs(attempts, failed, random);
  if (delayMs === null) return { state: "failed", attempts, nextAttemptAt: null, endedAt: now };
  return {
    state: "waiting",
    attempts,
    nextAttemptAt: new Date(now.getTime() + delayMs),
    endedAt: null,
  };
}

async function recordFailure(
  tx: Store,
  endpoint: WebhookEndpoint,
  outcome: AttemptOutcome,
  now: Date,
): Promise<readonly Notice[]> {
  const { circuit, openedUntil } = await countFailure(tx, endpoint.id, {
    startedAt: outcome.sent.startedAt,
    endedAt: now,
    probe: outcome.admission.probe,
  });
  const notices: Notice[] = [];
  if (openedUntil !== null) {
    const fields = { endpoint_id: endpoint.id, until: openedUntil, failures: circuit.consecutiveFailures };
    notices.push({ message: "the webhook endpoint keeps failing: its deliveries wait", fields });
  }
  const reason = isGone(outcome)
    ? "It answered 410 Gone."
    : await onlyFailuresReason(tx, endpoint.id, circuit, now);
  if (reason !== null && (await tx.endpoints.disable(endpoint.id, reason, now))) {
    const fields = { endpoint_id: endpoint.id, organization_id: endpoint.organizationId, reason };
    notices.push({ message: "the webhook endpoint was disabled", fields });
  }
  return notices;
}

async function onlyFailuresReason(
  tx: Store,
  endpointId: string,
  circuit: Circuit,
  now: Date,
): Promise<string | null> {
  const { failingSince } = circuit;
  if (failingSince === null || now.getTime() - failingSince.getTime() < onlyFailuresMs) return null;
  const { failedMessages, succeeded } = await tx.outbox.health(endpointId, failingSince);
  if (succeeded > 0 || failedMessages < onlyFailuresMessages) return null;
  return `Nothing but failures since ${failingSince.toISOString()}, of ${failedMessages} different events.`;
}

function isGone(outcome: AttemptOutcome): boolean {
  return outcome.sent.status === 410;
}
