/** One request on its way through the server: what is known of it so far. */
import { AppError } from "../domain/errors.ts";
import type { Caller } from "../domain/organization.ts";
import type { RateStanding } from "./rate-limiter.ts";

export interface Call {
  /** `req_…`, or what the client sent as X-Request-Id. */
  requestId: string;
  /** The client's IP address; `unknown` without a socket. */
  address: string;
  /** As sent, without the query: `/v1/reviews`. */
  path: string;
  /** With its question mark; empty without one. */
  query: string;
  /** Who is asking; null before and without authentication. */
  caller: Caller | null;
  /** Null where no limit applies. */
  standing: RateStanding | null;
  /** The body's bytes once they were read. */
  body: Uint8Array;
  /** The route's pattern for metrics, `/v1/reviews/:id`; null while none matched. */
  route: string | null;
}

const calls = new WeakMap<Request, Call>();

export function beginCall(request: Request, call: Call): void {
  calls.set(request, call);
}

export function callOf(request: Request): Call {
  const call = calls.get(request);
  if (call === undefined) throw new Error("a route was reached past the front door");
  return call;
}

/** Errors: AppError `unauthenticated` when a route that needs a caller was reached without one. */
export function callerOf(request: Request): Caller {
  const { caller } = callOf(request);
  if (caller === null) throw new AppError("unauthenticated", "This needs an API key.");
  return caller;
}
