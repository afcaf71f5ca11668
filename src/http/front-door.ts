/**
 * What every request passes, whether a route exists for it or not: request id → authentication → rate limit → route →
 * headers. Authentication comes before anything that would tell a stranger what is there.
 */
import { AppError, isAppError } from "../domain/errors.ts";
import { anonymousRequestsPerHour } from "../domain/plan.ts";
import type { ApiKeys } from "./api-keys.ts";
import { beginCall, type Call } from "./call.ts";
import { type ClientAddresses, countedAs } from "./client-address.ts";
import type { HttpMetrics } from "./metrics.ts";
import type { RateLimiter, RateStanding } from "./rate-limiter.ts";
import { readAddress } from "./request-address.ts";
import type { RequestLimits } from "./request-limits.ts";
import { addCommonHeaders } from "./response-headers.ts";
import type { ServerDeps } from "./server-deps.ts";

export interface FrontDoor {
  /** `peer` is the address of the socket's other end, null without a socket. Never throws. */
  answer(request: Request, peer: string | null): Promise<Response>;
  /** From now on every request is refused as `shutting_down`. */
  close(): void;
}

export interface FrontDoorParts {
  deps: Pick<ServerDeps, "clock" | "ids" | "siteUrl">;
  keys: ApiKeys;
  limits: RequestLimits;
  limiter: RateLimiter;
  addresses: ClientAddresses;
  metrics: HttpMetrics;
  /** Answers what no route throws: the route table behind the door. */
  route: (request: Request) => Promise<Response>;
  /** Turns an error into the answer that tells of it. */
  refuse: (error: unknown, call: Call) => Response;
}

const retryWhenStartedSeconds = 5;

export function createFrontDoor(parts: FrontDoorParts): FrontDoor {
  const { deps, keys, limits, limiter, addresses, metrics } = parts;
  let open = true;

  async function respond(request: Request, call: Call): Promise<Response> {
    Object.assign(call, readAddress(request));
    if (!open) {
      throw new AppError("shutting_down", "Plumbline is stopping.", {
        retryAfterSeconds: retryWhenStartedSeconds,
      });
    }
    if (isGuarded(call.path)) await admit(request, call);
    return parts.route(withAbsoluteAddress(request, call));
  }

  async function admit(request: Request, call: Call): Promise<void> {
    try {
      call.caller = await keys.authenticate(request.headers.get("authorization"));
    } catch (error) {
      if (isAppError(error, "unauthenticated")) countStranger(call);
      throw error;
    }
    const { organizationId } = call.caller;
    call.standing = limiter.count(organizationId, await limits.of(organizationId));
    refuseOverLimit(call.standing, "The organization has used its requests of this hour.");
  }

  function countStranger(call: Call): void {
    call.standing = limiter.count(strangerOf(call), anonymousRequestsPerHour);
    refuseOverLimit(call.standing, "Your address sent too many requests without a valid API key this hour.");
  }

  return {
    async answer(request, peer) {
      const startedMs = deps.clock.monotonicMs();
      const call = createCall(request, addresses.of(peer, request.headers.get("x-forwarded-for")), deps.ids);
      beginCall(request, call);
      let response: Response;
      try {
        response = await respond(request, call);
      } catch (error) {
        response = parts.refuse(error, call);
      }
      if (isGuarded(call.path)) call.standing ??= limiter.look(strangerOf(call), anonymousRequestsPerHour);
      addCommonHeaders(response.headers, call, { https: deps.siteUrl().startsWith("https:") });
      if (!open) response.headers.set("connection", "close");
      metrics.observe(request.method, call.route, response.status, deps.clock.monotonicMs() - startedMs);
      return response;
    },
    close() {
      open = false;
    },
  };
}

/** Everything below needs a key. */
export function isGuarded(path: string): boolean {
  return path.startsWith("/v1/") || path.startsWith("/api/") || path === "/v1" || path === "/api";
}

function strangerOf(call: Call): string {
  return `ip:${countedAs(call.address)}`;
}

function refuseOverLimit(standing: RateStanding, message: string): void {
  if (!standing.exceeded) return;
  throw new AppError("rate_limited", message, { retryAfterSeconds: standing.retryAfterSeconds });
}

const acceptableRequestId = /^[A-Za-z0-9._~:=+/@-]{1,128}$/;

function createCall(request: Request, address: string, ids: ServerDeps["ids"]): Call {
  const sent = request.headers.get("x-request-id");
  return {
    requestId: sent !== null && acceptableRequestId.test(sent) ? sent : ids.next("req"),
    address,
    path: "",
    query: "",
    caller: null,
    standing: null,
    body: new Uint8Array(),
    route: null,
  };
}

/** The router needs one; see request-address.ts for when there is none. */
function withAbsoluteAddress(request: Request, call: Call): Request {
  if (!request.url.startsWith("/")) return request;
  const absolute = new Request(`http://localhost${request.url}`, request);
  beginCall(absolute, call);
  return absolute;
}
