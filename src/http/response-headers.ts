/** Headers that every answer carries, whoever made it. What a route has set itself stays. */
import type { Call } from "./call.ts";

const nothingMayLoad = "default-src 'none'; frame-ancestors 'none'";
const yearSeconds = 31_536_000;

export function addCommonHeaders(headers: Headers, call: Call, options: { https: boolean }): void {
  headers.set("x-request-id", call.requestId);
  headers.set("x-content-type-options", "nosniff");
  headers.set("referrer-policy", "no-referrer");
  if (!headers.has("cache-control")) headers.set("cache-control", "no-store");
  if (!headers.has("content-security-policy")) headers.set("content-security-policy", nothingMayLoad);
  if (options.https) headers.set("strict-transport-security", `max-age=${yearSeconds}`);
  if (call.standing === null) return;
  headers.set("x-ratelimit-limit", String(call.standing.limit));
  headers.set("x-ratelimit-remaining", String(call.standing.remaining));
  headers.set("x-ratelimit-reset", String(call.standing.resetAt));
}
