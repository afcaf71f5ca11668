/** What an administrator does to the endpoint: where webhooks go, which, and with what secret. */
import type { SecretBox } from "../crypto.ts";
import { AppError } from "../domain/errors.ts";
import type { Clock, Ids } from "../domain/runtime.ts";
import type { Store } from "../domain/store.ts";
import type { ReviewEventName, WebhookEndpoint } from "../domain/webhook.ts";
import { listAllowedTargets } from "./allowed-targets.ts";
import { createSecret, isRotating, rotationOverlapMs, sealSecret } from "./endpoint-secrets.ts";
import {
  type AddressPolicy,
  BlockedAddress,
  checkTarget,
  checkUnresolved,
  NameNotResolved,
  type TargetRequest,
} from "./guard-address.ts";

export interface EndpointDeps {
  store: Store;
  clock: Clock;
  ids: Ids;
  secretBox: SecretBox;
  addresses: AddressPolicy;
}

export interface EndpointInput {
  organizationId: string;
  url: string;
  /** Empty = all. */
  events: readonly ReviewEventName[];
  /** Null = keep the one there is, or make one. */
  secret: string | null;
  /** By the owner, or by the command line, which counts as the owner. */
  byOwner: boolean;
}

/** What was set; `secret` is the new one when one was made, and is shown nowhere else. */
export interface EndpointSet {
  endpoint: WebhookEndpoint;
  secret: string | null;
}

const urlLengthMax = 2_000;
const secretLengthMax = 1_000;

/**
 * Sets the organization's endpoint, enables it and closes its circuit; what waits goes to the new address. A given secret
 * replaces the old one at once, without an overlap. Errors: AppError `validation_failed`, when it may not be connected to
 * for one; a name that does not resolve yet is taken, because every attempt checks again.
 */
export async function setEndpoint(deps: EndpointDeps, input: EndpointInput): Promise<EndpointSet> {
  const { store, clock, ids } = deps;
  const before = await store.endpoints.get(input.organizationId);
  const setByOwner = input.byOwner || (before?.setByOwner === true && sameOrigin(before.url, input.url));
  await checkUrl(deps, input.url, setByOwner);
  if (input.secret !== null) checkSecret(input.secret);

  return store.transaction(async (tx) => {
    const existing = await tx.endpoints.get(input.organizationId);
    const { columns, made } = secretOf(deps, input, existing);
    const endpoint: WebhookEndpoint = {
      id: existing?.id ?? ids.next("ep"),
      organizationId: input.organizationId,
      url: new URL(input.url).href,
      events: input.events,
      setByOwner,
      ...columns,
      createdAt: existing?.createdAt ?? clock.now(),
      disabledReason: null,
      disabledAt: null,
    };
    await tx.circuits.close(endpoint.id);
    await tx.endpoints.put(endpoint);
    return { endpoint, secret: made };
  });
}

/** Stops sending; what waits is cancelled when its turn comes. AppError `not_found` without an endpoint. */
export async function removeEndpoint(deps: Pick<EndpointDeps, "store">, organizationId: string) {
  if (!(await deps.store.endpoints.delete(organizationId))) throw noEndpoint();
}

/** Takes up sending again after the endpoint was disabled. */
export async function enableEndpoint(
  deps: Pick<EndpointDeps, "store">,
  organizationId: string,
): Promise<void> {
  const endpoint = await endpointOf(deps.store, organizationId);
  await deps.store.transaction(async (tx) => {
    await tx.circuits.close(endpoint.id);
    await tx.endpoints.enable(endpoint.id);
  });
}

/**
 * Makes a new secret (or takes the given one). For a day the old one signs too: see sign.ts for which header shows what.
 * AppError `conflict` while a rotation is under way.
 */
export async function rotateSecret(
  deps: EndpointDeps,
  organizationId: string,
  given: string | null = null,
): Promise<EndpointSet> {
  if (given !== null) checkSecret(given);
  const secret = given ?? createSecret(deps.ids);
  const now = deps.clock.now();
  const endpoint = await changeEndpoint(deps.store, organizationId, (before) => {
    if (isRotating(before, now)) {
      throw new AppError("conflict", "A rotation is under way. Promote its new secret, then rotate again.");
    }
    return {
      ...before,
      sealedSecret: sealSecret(deps.secretBox, organizationId, secret),
      sealedPreviousSecret: before.sealedSecret,
      previousSecretExpiresAt: new Date(now.getTime() + rotationOverlapMs),
    };
  });
  return { endpoint, secret: given === null ? secret : null };
}

/** Ends a rotation's overlap now: only the new secret signs. AppError `conflict` when none is under way. */
export async function promoteSecret(
  deps: Pick<EndpointDeps, "store" | "clock">,
  organizationId: string,
): Promise<WebhookEndpoint> {
  const now = deps.clock.now();
  return changeEndpoint(deps.store, organizationId, (before) => {
    if (!isRotating(before, now)) throw new AppError("conflict", "No rotation is under way.");
    return { ...before, sealedPreviousSecret: null, previousSecretExpiresAt: null };
  });
}

async function changeEndpoint(
  store: Store,
  organizationId: string,
  change: (before: WebhookEndpoint) => WebhookEndpoint,
): Promise<WebhookEndpoint> {
  return store.transaction(async (tx) => {
    const after = change(await endpointOf(tx, organizationId));
    await tx.endpoints.put(after);
    return after;
  });
}

/** AppError `not_found` when the organization has none. */
export async function endpointOf(store: Store, organizationId: string): Promise<WebhookEndpoint> {
  const endpoint = await store.endpoints.get(organizationId);
  if (endpoint === null) throw noEndpoint();
  return endpoint;
}

function noEndpoint(): AppError {
  return new AppError("not_found", "No webhook endpoint is set.");
}

type SecretColumns = Pick<
  WebhookEndpoint,
  "sealedSecret" | "sealedPreviousSecret" | "previousSecretExpiresAt"
>;

/** The given secret; without one, the one there is; without that, one made now. */
function secretOf(
  { secretBox, ids }: EndpointDeps,
  input: EndpointInput,
  existing: WebhookEndpoint | null,
): { columns: SecretColumns; made: string | null } {
  if (input.secret === null && existing !== null) {
    const { sealedSecret, sealedPreviousSecret, previousSecretExpiresAt } = existing;
    return { columns: { sealedSecret, sealedPreviousSecret, previousSecretExpiresAt }, made: null };
  }
  const secret = input.secret ?? createSecret(ids);
  const sealedSecret = sealSecret(secretBox, input.organizationId, secret);
  const columns = { sealedSecret, sealedPreviousSecret: null, previousSecretExpiresAt: null };
  return { columns, made: input.secret === null ? secret : null };
}

/** What the owner allowed is an exact scheme, host and port; an admin may change the path. */
function sameOrigin(a: string, b: string): boolean {
  return URL.canParse(b) && new URL(a).origin === new URL(b).origin;
}

async function checkUrl(deps: EndpointDeps, url: string, setByOwner: boolean): Promise<void> {
  if (url.length > urlLengthMax) throw invalid("/url", "too_long", "The address is too long.");
  const request = { url, setByOwner, allowedTargets: () => listAllowedTargets(deps.store) };
  try {
    await checkAsFarAsKnown(request, deps.addresses);
  } catch (error) {
    if (error instanceof BlockedAddress) throw invalid("/url", "blocked_address", error.message);
    throw error;
  }
}

async function checkAsFarAsKnown(request: TargetRequest, addresses: AddressPolicy): Promise<void> {
  try {
    await checkTarget(request, addresses);
  } catch (error) {
    if (!(error instanceof NameNotResolved)) throw error;
    await checkUnresolved(request);
  }
}

function checkSecret(secret: string): void {
  if (secret.length === 0 || secret.length > secretLengthMax || /\p{Cc}/u.test(secret)) {
    throw invalid(
      "/secret",
      "malformed",
      `A secret is one line of 1 to ${secretLengthMax} characters without control characters.`,
    );
  }
}

function invalid(path: string, code: string, message: string): AppError {
  return new AppError("validation_failed", message, { fields: [{ path, code, message }] });
}
