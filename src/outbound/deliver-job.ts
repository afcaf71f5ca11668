/** The job that makes one attempt at a delivery. The delivery's row is the truth; its job only says when to look at it. */
import type { ClaimedJob, NewJob } from "../domain/job.ts";
import type { Delivery } from "../domain/webhook-store.ts";

export const deliverKind = "deliver";

export interface DeliverPayload {
  deliveryId: string;
  /**
   * `scheduled` is the next attempt of a waiting delivery. By hand: `resend` sends again whatever became of it before,
   * `recover` only what has still not been delivered.
   */
  cause: "scheduled" | "resend" | "recover";
}

/** A handler that keeps failing for reasons of ours (a full disk, say) is tried again for days before it is buried. */
const handlerAttemptsMax = 100;

/** One redelivery that somebody waits for goes first; a whole backlog of them does not delay what is new. */
const priorities = { resend: 1, scheduled: 0, recover: -1 } as const satisfies Record<
  DeliverPayload["cause"],
  number
>;

export function deliverJob(
  delivery: Pick<Delivery, "id" | "organizationId">,
  cause: DeliverPayload["cause"],
  runAt: Date,
): NewJob {
  return {
    lane: "deliver",
    organizationId: delivery.organizationId,
    kind: deliverKind,
    // An attempt by hand and a scheduled one at the same delivery must not overtake each other's record.
    lockKey: `delivery:${delivery.id}`,
    dedupeKey: null,
    payload: { deliveryId: delivery.id, cause } satisfies DeliverPayload,
    runAt,
    maxAttempts: handlerAttemptsMax,
    priority: priorities[cause],
  };
}

export function deliverPayloadOf(job: ClaimedJob): DeliverPayload {
  const { payload } = job;
  if (typeof payload === "object" && payload !== null && "deliveryId" in payload && "cause" in payload) {
    const { deliveryId, cause } = payload;
    const known = cause === "scheduled" || cause === "resend" || cause === "recover";
    if (typeof deliveryId === "string" && known) return { deliveryId, cause };
  }
  throw new Error(`Job ${job.id} names no delivery.`);
}
