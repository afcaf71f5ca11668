/**
 * Reads a JSON body within its limits. What is over the limit is read on for a while and thrown away, because a client that
 * is still sending does not read; then it can read the 413.
 */
import { AppError } from "../domain/errors.ts";
import { callOf } from "./call.ts";
import { parseStrictJson } from "./strict-json.ts";

export interface BodyLimits {
  /** What a body may have. */
  bytes: number;
  /** Up to this much is read and thrown away; then the connection is cut. */
  drainedBytes: number;
  /** The time in which all of it must arrive. */
  ms: number;
}

const mebibyte = 1_048_576;

export const jsonBodyLimits: BodyLimits = { bytes: mebibyte, drainedBytes: 32 * mebibyte, ms: 60_000 };

/** Errors: AppError `unsupported_media_type`, `body_too_large`, `invalid_encoding`, `malformed_json`, `bad_request`. */
export async function readJson(
  request: Request,
  limits: BodyLimits = jsonBodyLimits,
): Promise<{ bytes: Uint8Array; value: unknown }> {
  if (!hasBody(request)) throw new AppError("malformed_json", "The request has no body; JSON is expected.");
  refuseOtherTypes(request.headers);
  const bytes = await readBytes(request, limits);
  return { bytes, value: parseStrictJson(decodeUtf8(bytes)) };
}

/** For a route's `parse`: the value goes to the route's schema, the bytes to the call. */
export async function readJsonBody({ request }: { request: Request }): Promise<unknown> {
  const { bytes, value } = await readJson(request);
  callOf(request).body = bytes;
  return value;
}

export function hasBody(request: Request): boolean {
  const length = request.headers.get("content-length");
  return length === null ? request.headers.has("transfer-encoding") || request.body !== null : length !== "0";
}

function refuseOtherTypes(headers: Headers): void {
  const [type = "", ...parameters] = (headers.get("content-type") ?? "").toLowerCase().split(";");
  const charset = parameters.map((p) => p.trim()).find((p) => p.startsWith("charset="));
  const isUtf8 = charset === undefined || /^charset="?utf-?8"?$/.test(charset);
  if (type.trim() !== "application/json" || !isUtf8) {
    throw new AppError(
      "unsupported_media_type",
      "The body must be sent as `Content-Type: application/json` in UTF-8.",
    );
  }
  const coding = headers.get("content-encoding");
  if (coding !== null && coding.toLowerCase() !== "identity") {
    throw new AppError("unsupported_media_type", "The body must be sent without `Content-Encoding`.");
  }
}

/** Errors: AppError `body_too_large`, `bad_request`. */
export async function readBytes(request: Request, limits: BodyLimits): Promise<Uint8Array> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    late.reject(new AppError("bad_request", `The body did not arrive within ${limits.ms / 1000} seconds.`));
  }, limits.ms);
  try {
    return await Promise.race([late.promise, collect(request, limits)]);
  } finally {
    clearTimeout(timer);
  }
}

async function collect(request: Request, limits: BodyLimits): Promise<Uint8Array> {
  const declared = request.headers.get("content-length");
  try {
    if (declared !== null && Number(declared) <= limits.bytes)
      return new Uint8Array(await request.arrayBuffer());
    return await collectChunks(request, limits);
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    throw new AppError("bad_request", "The connection ended before the body did.", { cause });
  }
}

async function collectChunks(request: Request, limits: BodyLimits): Promise<Uint8Array> {
  const kept: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of request.body ?? []) {
    length += chunk.length;
    if (length <= limits.bytes) kept.push(chunk);
    if (length > limits.drainedBytes) break;
  }
  if (length <= limits.bytes) return Buffer.concat(kept);
  throw new AppError("body_too_large", `The body is larger than ${limits.bytes / mebibyte} MiB.`);
}

/** A byte order mark in front is dropped. */
function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new AppError("invalid_encoding", "The body is not valid UTF-8.", { cause });
  }
}
