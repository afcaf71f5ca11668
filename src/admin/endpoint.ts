/** Where the organization's review events are sent. Its secret is shown when it is made, and never again. */
import { Type } from "@sinclair/typebox";
import { reviewEvents, type WebhookEndpoint } from "../domain/webhook.ts";
import {
  allowTarget as allow,
  disallowTarget as disallow,
  listAllowedTargets as listAllowed,
} from "../outbound/allowed-targets.ts";
import {
  enableEndpoint as enable,
  endpointOf,
  promoteSecret as promote,
  removeEndpoint as remove,
  rotateSecret as rotate,
  setEndpoint as set,
} from "../outbound/manage-endpoint.ts";
import { testEndpoint as sendTest } from "../outbound/test-endpoint.ts";
import type { AdminContext } from "./context.ts";
import { Attempt, shownAttempt } from "./deliveries.ts";
import { operation } from "./operation.ts";
import { Empty, NullableTimestamp, nullableTimestamp, Timestamp, timestamp } from "./shapes.ts";

const Event = Type.Union(reviewEvents.map((event) => Type.Literal(event)));
const Secret = Type.String({ minLength: 1, maxLength: 1000 });
const Removed = Type.Object({ url: Type.String() });
const Targets = Type.Object({ data: Type.Array(Type.String()) });
const Target = Type.Object({ target: Type.String({ minLength: 1 }) }, { additionalProperties: false });

const Endpoint = Type.Object({
  id: Type.String(),
  url: Type.String(),
  events: Type.Array(Event, { description: "Empty: every event." }),
  set_by_owner: Type.Boolean(),
  previous_secret_expires_at: NullableTimestamp,
  disabled_at: NullableTimestamp,
  disabled_reason: Type.Union([Type.String(), Type.Null()]),
  created_at: Timestamp,
});

const EndpointWithSecret = Type.Object({
  ...Endpoint.properties,
  secret: Type.Union([Type.String(), Type.Null()], {
    description: "The secret that was made now; null when it was given, or stayed.",
  }),
});

export const getEndpoint = operation({
  name: "endpoint.get",
  method: "GET",
  path: "/api/endpoint",
  role: "admin",
  summary: "Where review events are sent.",
  input: Empty,
  output: Endpoint,
  run: async ({ store, caller }) => shown(await endpointOf(store, caller.organizationId)),
});

export const setEndpoint = operation({
  name: "endpoint.set",
  method: "PUT",
  path: "/api/endpoint",
  role: "admin",
  summary: "Set where review events are sent, and enable it; the secret stays unless another is given.",
  input: Type.Object(
    {
      url: Type.String({ minLength: 1 }),
      events: Type.Optional(Type.Array(Event, { uniqueItems: true })),
      secret: Type.Optional(Secret),
    },
    { additionalProperties: false },
  ),
  output: EndpointWithSecret,
  async run(context, input) {
    const { organizationId, role, actorId } = context.caller;
    const { endpoint, secret } = await set(endpointDeps(context), {
      organizationId,
      url: input.url,
      events: input.events ?? [],
      secret: input.secret ?? null,
      byOwner: role === "owner",
    });
    context.wakeWorker();
    context.logger.info("webhook endpoint set", { id: endpoint.id, by: actorId });
    return { ...shown(endpoint), secret };
  },
});

export const removeEndpoint = operation({
  name: "endpoint.remove",
  method: "DELETE",
  path: "/api/endpoint",
  role: "admin",
  summary: "Send no more review events.",
  input: Empty,
  output: Removed,
  async run(context) {
    const { organizationId, actorId } = context.caller;
    const { id, url } = await endpointOf(context.store, organizationId);
    await remove(context, organizationId);
    context.logger.info("webhook endpoint removed", { id, by: actorId });
    return { url };
  },
});

export const enableEndpoint = operation({
  name: "endpoint.enable",
  method: "POST",
  path: "/api/endpoint/enable",
  role: "admin",
  summary: "Send again to an endpoint that was disabled.",
  input: Empty,
  output: Endpoint,
  async run(context) {
    const { organizationId, actorId } = context.caller;
    await enable(context, organizationId);
    context.wakeWorker();
    const endpoint = await endpointOf(context.store, organizationId);
    context.logger.info("webhook endpoint enabled", { id: endpoint.id, by: actorId });
    return shown(endpoint);
  },
});

export const rotateEndpointSecret = operation({
  name: "endpoint.rotate",
  method: "POST",
  path: "/api/endpoint/rotate",
  role: "admin",
  summary: "Replace the secret; the old one signs too for a day.",
  input: Type.Object({ secret: Type.Optional(Secret) }, { additionalProperties: false }),
  output: EndpointWithSecret,
  async run(context, input) {
    const { organizationId, actorId } = context.caller;
    const { endpoint, secret } = await rotate(endpointDeps(context), organizationId, input.secret ?? null);
    context.logger.info("webhook secret rotated", { id: endpoint.id, by: actorId });
    return { ...shown(endpoint), secret };
  },
});

export const promoteEndpointSecret = operation({
  name: "endpoint.promote",
  method: "POST",
  path: "/api/endpoint/promote",
  role: "admin",
  summary: "End a rotation now: only the new secret signs.",
  input: Empty,
  output: Endpoint,
  async run(context) {
    const { organizationId, actorId } = context.caller;
    const endpoint = await promote(endpointDeps(context), organizationId);
    context.logger.info("webhook secret promoted", { id: endpoint.id, by: actorId });
    return shown(endpoint);
  },
});

/** A receiver may take its time; nobody waits longer at a command line. */
const testTimeoutMs = 30_000;

export const testEndpoint = operation({
  name: "endpoint.test",
  method: "POST",
  path: "/api/endpoint/test",
  role: "admin",
  summary: "Send an example event now and say what the receiver answered.",
  input: Empty,
  output: Type.Object({ delivery_id: Type.String(), delivered: Type.Boolean(), attempt: Attempt }),
  async run(context) {
    const { webhooks, siteUrl, caller } = context;
    const deps = { ...endpointDeps(context), send: webhooks.send, siteUrl };
    const tested = await sendTest(deps, caller.organizationId, AbortSignal.timeout(testTimeoutMs));
    return {
      delivery_id: tested.deliveryId,
      delivered: tested.attempt.errorClass === null,
      attempt: shownAttempt(tested.attempt),
    };
  },
});

export const listAllowedTargets = operation({
  name: "endpoint.allowed",
  method: "GET",
  path: "/api/endpoint/allowed",
  role: "admin",
  summary: "Networks and hosts, beside the public Internet, to which admins may send webhooks.",
  input: Empty,
  output: Targets,
  run: async ({ store }) => ({ data: [...(await listAllowed(store))] }),
});

export const allowTarget = operation({
  name: "endpoint.allow",
  method: "POST",
  path: "/api/endpoint/allowed",
  role: "owner",
  summary: "Allow a network or a host, beside the public Internet, as a target of webhooks.",
  input: Target,
  output: Targets,
  async run({ store, logger, caller }, { target }) {
    const data = [...(await allow(store, target))];
    logger.info("webhook target allowed", { target, by: caller.actorId });
    return { data };
  },
});

export const disallowTarget = operation({
  name: "endpoint.disallow",
  method: "DELETE",
  path: "/api/endpoint/allowed",
  role: "owner",
  summary: "Take an allowed target of webhooks back.",
  input: Target,
  output: Targets,
  async run({ store, logger, caller }, { target }) {
    const data = [...(await disallow(store, target))];
    logger.info("webhook target disallowed", { target, by: caller.actorId });
    return { data };
  },
});

function endpointDeps({ store, clock, ids, secretBox, webhooks }: AdminContext) {
  return { store, clock, ids, secretBox, addresses: webhooks.addresses };
}

function shown(endpoint: WebhookEndpoint) {
  return {
    id: endpoint.id,
    url: endpoint.url,
    events: [...endpoint.events],
    set_by_owner: endpoint.setByOwner,
    previous_secret_expires_at: nullableTimestamp(endpoint.previousSecretExpiresAt),
    disabled_at: nullableTimestamp(endpoint.disabledAt),
    disabled_reason: endpoint.disabledReason,
    created_at: timestamp(endpoint.createdAt),
  };
}
