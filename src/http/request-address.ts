/** Finds path and query in a request's address without parsing all of it, and refuses addresses that are none. */
import { AppError } from "../domain/errors.ts";

export interface RequestAddress {
  /** `/v1/reviews` */
  path: string;
  /** `?limit=5`, or empty. */
  query: string;
}

/**
 * Bun gives an absolute address only where the Host header makes one. HTTP/1.0 needs no Host (some health checks send none);
 * anything else without a proper one is refused, as RFC 9112 §3.2 asks.
 */
export function readAddress(request: Request): RequestAddress {
  const { url } = request;
  const host = request.headers.get("host");
  if (url.startsWith("http://") || url.startsWith("https://")) {
    if (host?.includes(",")) throw new AppError("bad_request", "There is more than one Host header.");
    return split(url, url.indexOf("/", 8));
  }
  if (host === null && url.startsWith("/")) return split(url, 0);
  throw new AppError("bad_request", "The request's address or its Host header is invalid.");
}

function split(url: string, from: number): RequestAddress {
  const at = url.indexOf("?", from);
  return at < 0 ? { path: url.slice(from), query: "" } : { path: url.slice(from, at), query: url.slice(at) };
}
