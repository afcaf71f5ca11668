/**
 * One POST over one connection of its own, bounded in every direction: time to connect, time in all, bytes read. It speaks
 * HTTP/1.1 over a socket, because Bun's `fetch` can neither limit the time to connect on its own nor be kept from the
 * proxy that an environment variable names, and its `node:http` takes no socket that was connected elsewhere.
 */
import type { Socket } from "node:net";
import type { Clock } from "../domain/runtime.ts";
import type { DeliveryErrorClass } from "../domain/webhook.ts";
import { type Answer, AnswerReader, MalformedAnswer } from "./answer-reader.ts";
import { ConnectFailed, connect } from "./connect.ts";
import type { CheckedTarget } from "./guard-address.ts";

export interface PostLimits {
  /** Milliseconds until the connection stands, TLS included. */
  connectMs: number;
  /** Milliseconds for the whole exchange. */
  totalMs: number;
}

export const postLimits: PostLimits = { connectMs: 5_000, totalMs: 15_000 };

export interface PostOptions {
  limits: PostLimits;
  extraCertificates: string | null;
  clock: Clock;
  /** Aborting rejects with its reason; running out of time is a `PostFailed`. */
  signal: AbortSignal;
}

/** No complete answer came. `status` is what the receiver had said before it broke off. */
export class PostFailed extends Error {
  readonly errorClass: DeliveryErrorClass;
  readonly status: number | null;
  constructor(
    errorClass: DeliveryErrorClass,
    message: string,
    options: { status?: number | null; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.name = "PostFailed";
    this.errorClass = errorClass;
    this.status = options.status ?? null;
  }
}

/** Whatever the answer's status, redirects included, which nobody follows. Errors: `PostFailed`; the signal's reason. */
export async function post(
  target: CheckedTarget,
  request: { headers: Readonly<Record<string, string>>; body: string },
  options: PostOptions,
): Promise<Answer> {
  const reader = new AnswerReader();
  const deadline = new AbortController();
  const stop = AbortSignal.any([options.signal, deadline.signal]);
  const timer = setTimeout(() => deadline.abort(), options.limits.totalMs);
  try {
    const socket = await connect(target, {
      timeoutMs: options.limits.connectMs,
      extraCertificates: options.extraCertificates,
      clock: options.clock,
      signal: stop,
    });
    return await exchange(socket, requestBytes(target.url, request.headers, request.body), reader, stop);
  } catch (error) {
    if (options.signal.aborted) throw options.signal.reason;
    if (deadline.signal.aborted) {
      throw new PostFailed("timeout", "No complete answer came in time.", { status: reader.status });
    }
    throw postFailure(error, reader.status);
  } finally {
    clearTimeout(timer);
  }
}

function requestBytes(url: URL, headers: Readonly<Record<string, string>>, body: string): Buffer {
  const content = Buffer.from(body);
  const lines = [
    `POST ${url.pathname}${url.search} HTTP/1.1`,
    `Host: ${url.host}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    `Content-Length: ${content.length}`,
    "Connection: close",
  ];
  return Buffer.concat([Buffer.from(`${lines.join("\r\n")}\r\n\r\n`), content]);
}

function exchange(socket: Socket, request: Buffer, reader: AnswerReader, stop: AbortSignal): Promise<Answer> {
  return new Promise((resolve, reject) => {
    // The first end counts; what the socket still says after it settles nothing any more.
    const settle = (finish: () => void) => {
      stop.removeEventListener("abort", onAbort);
      socket.destroy();
      try {
        finish();
      } catch (error) {
        reject(error);
      }
    };
    const onAbort = () => settle(() => reject(stop.reason));
    const onEnd = () => settle(() => resolve(reader.end()));
    const onData = (bytes: Buffer) => {
      try {
        if (reader.push(bytes)) onEnd();
      } catch (error) {
        settle(() => reject(error));
      }
    };
    stop.addEventListener("abort", onAbort);
    socket.on("error", (error) => settle(() => reject(error)));
    socket.on("data", onData).on("end", onEnd).on("close", onEnd);
    if (stop.aborted) onAbort();
    else socket.write(request);
  });
}

function postFailure(error: unknown, status: number | null): PostFailed {
  if (error instanceof ConnectFailed)
    return new PostFailed(error.errorClass, error.message, { cause: error });
  if (error instanceof MalformedAnswer) {
    return new PostFailed("protocol", error.message, { status, cause: error });
  }
  const message = error instanceof Error ? error.message : String(error);
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const errorClass = /^ERR_(SSL|TLS)/.test(code) ? "tls" : "connect";
  return new PostFailed(errorClass, `The connection broke: ${message}`, { status, cause: error });
}
