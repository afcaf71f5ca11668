/** What was sent to the endpoint, what came of it, and sending it again. */
import { Type } from "@sinclair/typebox";
import type { DeliveryState, WebhookAttempt } from "../domain/webhook.ts";
import {
  type ListedDelivery,
  listDeliveries as list,
  showDelivery as show,
} from "../outbound/delivery-log.ts";
import { redeliver as resend, redeliverFailedSince as resendFailedSince } from "../outbound/redeliver.ts";
import { operation } from "./operation.ts";
import { Instant, instant, NullableTimestamp, nullableTimestamp, Timestamp, timestamp } from "./shapes.ts";

const deliveryStates = ["waiting", "delivered", "failed", "cancelled"] as const satisfies DeliveryState[];
const State = Type.Union(deliveryStates.map((state) => Type.Literal(state)));
const NullableText = Type.Union([Type.String(), Type.Null()]);

export const Attempt = Type.Object({
  attempt: Type.Integer({ description: "1 to 10 on the schedule; 0 by hand." }),
  url: Type.String(),
  started_at: Timestamp,
  duration_ms: Type.Integer(),
  status: Type.Union([Type.Integer(), Type.Null()]),
  error_class: NullableText,
  error: NullableText,
  response_head: NullableText,
});

const Delivery = Type.Object({
  id: Type.String(),
  event: Type.String(),
  review_id: Type.String(),
  state: State,
  attempts: Type.Integer(),
  next_attempt_at: NullableTimestamp,
  created_at: Timestamp,
  ended_at: NullableTimestamp,
});

export const listDeliveries = operation({
  name: "deliveries.list",
  method: "GET",
  path: "/api/endpoint/deliveries",
  role: "admin",
  summary: "List deliveries of review events, newest first.",
  input: Type.Object(
    {
      state: Type.Optional(State),
      page: Type.Optional(Type.Integer({ minimum: 1 })),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
    },
    { additionalProperties: false },
  ),
  output: Type.Object({
    data: Type.Array(Delivery),
    meta: Type.Object({ total: Type.Integer(), page: Type.Integer(), per_page: Type.Integer() }),
  }),
  async run({ store, caller }, input) {
    const { page = 1, limit = 20 } = input;
    const filter = input.state === undefined ? {} : { state: input.state };
    const span = { offset: (page - 1) * limit, limit };
    const { items, total } = await list(store, caller.organizationId, filter, span);
    return { data: items.map(shownDelivery), meta: { total, page, per_page: limit } };
  },
});

export const showDelivery = operation({
  name: "deliveries.show",
  method: "GET",
  path: "/api/endpoint/deliveries/:id",
  role: "admin",
  summary: "One delivery with its body and every attempt.",
  input: Type.Object({ id: Type.String({ minLength: 1 }) }, { additionalProperties: false }),
  output: Type.Object({
    ...Delivery.properties,
    message_id: Type.String({ description: "Sent as webhook-id." }),
    body: Type.String(),
    attempts_made: Type.Array(Attempt),
  }),
  async run({ store, caller }, { id }) {
    const { delivery, message, attempts } = await show(store, caller.organizationId, id);
    const { event, reviewId, body } = message;
    return {
      ...shownDelivery({ ...delivery, event, reviewId }),
      message_id: message.id,
      body,
      attempts_made: attempts.map(shownAttempt),
    };
  },
});

export const redeliver = operation({
  name: "deliveries.redeliver",
  method: "POST",
  path: "/api/endpoint/deliveries/:id/redeliver",
  role: "admin",
  summary: "Send one delivery again, under the same webhook-id.",
  input: Type.Object({ id: Type.String({ minLength: 1 }) }, { additionalProperties: false }),
  output: Type.Object({ id: Type.String() }),
  async run(context, { id }) {
    await resend(context, context.caller.organizationId, id);
    context.wakeWorker();
    context.logger.info("delivery sent again", { id, by: context.caller.actorId });
    return { id };
  },
});

export const redeliverFailed = operation({
  name: "deliveries.redeliver_failed",
  method: "POST",
  path: "/api/endpoint/redeliver",
  role: "admin",
  summary: "Send everything again that failed since a time.",
  input: Type.Object({ since: Instant }, { additionalProperties: false }),
  output: Type.Object({ redelivered: Type.Integer() }),
  async run(context, input) {
    const { organizationId, actorId } = context.caller;
    const redelivered = await resendFailedSince(context, organizationId, instant(input.since));
    context.wakeWorker();
    context.logger.info("failed deliveries sent again", { redelivered, since: input.since, by: actorId });
    return { redelivered };
  },
});

function shownDelivery(delivery: ListedDelivery) {
  return {
    id: delivery.id,
    event: delivery.event,
    review_id: delivery.reviewId,
    state: delivery.state,
    attempts: delivery.attempts,
    next_attempt_at: nullableTimestamp(delivery.nextAttemptAt),
    created_at: timestamp(delivery.createdAt),
    ended_at: nullableTimestamp(delivery.endedAt),
  };
}

export function shownAttempt(attempt: WebhookAttempt) {
  return {
    attempt: attempt.attempt,
    url: attempt.url,
    started_at: timestamp(attempt.startedAt),
    duration_ms: attempt.durationMs,
    status: attempt.status,
    error_class: attempt.errorClass,
    error: attempt.error,
    response_head: attempt.responseHead,
  };
}
