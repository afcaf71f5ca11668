/** One attempt: is the target allowed, then sign, send, and say what came of it in the words of the delivery log. */
import type { Clock } from "../domain/runtime.ts";
import type { DeliveryErrorClass, WebhookAttempt, WebhookMessage } from "../domain/webhook.ts";
import { type Answer, keptBytesMax } from "./answer-reader.ts";
import {
  type AddressPolicy,
  BlockedAddress,
  type CheckedTarget,
  checkTarget,
  NameNotResolved,
  type TargetRequest,
} from "./guard-address.ts";
import { PostFailed, type PostLimits, post } from "./post.ts";
import { printable } from "./printable.ts";
import { retryAfterMs } from "./retry-after.ts";
import { type SigningSecrets, signatureHeaders } from "./sign.ts";

export interface SenderOptions {
  clock: Clock;
  addresses: AddressPolicy;
  /** Certificates (PEM) to trust beside the built-in ones. */
  extraCertificates: string | null;
  limits: PostLimits;
}

export interface WebhookRequest {
  target: TargetRequest;
  message: Pick<WebhookMessage, "id" | "event" | "body">;
  /** Unique for every attempt, sent as `X-Service-Delivery`. */
  attemptId: string;
  secrets: SigningSecrets;
}

export interface SentWebhook
  extends Pick<
    WebhookAttempt,
    "startedAt" | "durationMs" | "status" | "errorClass" | "error" | "responseHead"
  > {
  retryAfterMs: number | null;
}

/** Rejects only with the signal's reason: everything that the receiver can do wrong is an answer. */
export type SendWebhook = (request: WebhookRequest, signal: AbortSignal) => Promise<SentWebhook>;

export function createSender(options: SenderOptions): SendWebhook {
  return async (request, signal) => {
    const startedAt = options.clock.now();
    const started = options.clock.monotonicMs();
    const outcome = await attempt(request, { startedAt, started }, options, signal);
    return { ...outcome, startedAt, durationMs: Math.round(options.clock.monotonicMs() - started) };
  };
}

type Outcome = Omit<SentWebhook, "startedAt" | "durationMs">;

async function attempt(
  request: WebhookRequest,
  { startedAt, started }: { startedAt: Date; started: number },
  options: SenderOptions,
  signal: AbortSignal,
): Promise<Outcome> {
  try {
    const target = await resolvedInTime(request.target, options, signal);
    const { message, secrets } = request;
    const headers = {
      "Content-Type": "application/json",
      "User-Agent": "Plumbline",
      "Accept-Encoding": "identity",
      ...signatureHeaders(message.body, { id: message.id, at: startedAt }, secrets),
      "X-Service-Event": message.event,
      "X-Service-Delivery": request.attemptId,
    };
    const { extraCertificates, clock } = options;
    const spentMs = clock.monotonicMs() - started;
    const limits = {
      connectMs: options.limits.connectMs - spentMs,
      totalMs: options.limits.totalMs - spentMs,
    };
    const answer = await post(
      target,
      { headers, body: message.body },
      { limits, extraCertificates, clock, signal },
    );
    return answered(answer, startedAt);
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    return failed(error);
  }
}

/** A resolver cannot be interrupted, so its answer is not waited for longer than for a connection. */
async function resolvedInTime(
  target: TargetRequest,
  options: SenderOptions,
  signal: AbortSignal,
): Promise<CheckedTarget> {
  const { promise: interrupted, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(signal.reason);
  const timer = setTimeout(
    () => reject(new PostFailed("dns", "The name did not resolve in time.")),
    options.limits.connectMs,
  );
  signal.addEventListener("abort", onAbort);
  try {
    return await Promise.race([checkTarget(target, options.addresses), interrupted]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", onAbort);
  }
}

function answered(answer: Answer, at: Date): Outcome {
  const { errorClass, error } = judged(answer);
  return {
    status: answer.status,
    errorClass,
    error,
    responseHead: printable(answer.body, keptBytesMax),
    retryAfterMs: retryAfterMs(answer.headers.get("retry-after"), at),
  };
}

function judged({ status, headers }: Answer): Pick<Outcome, "errorClass" | "error"> {
  if (status >= 200 && status < 300) return { errorClass: null, error: null };
  if (status < 300 || status >= 400) return { errorClass: "status", error: `It answered ${status}.` };
  const location = printable(Buffer.from(headers.get("location") ?? "elsewhere"), 500);
  return { errorClass: "redirect", error: `It answered ${status} to ${location}, which is not followed.` };
}

function failed(error: unknown): Outcome {
  const nothing = { status: null, responseHead: null, retryAfterMs: null };
  if (error instanceof BlockedAddress)
    return { ...nothing, errorClass: "blocked_address", error: error.message };
  if (error instanceof NameNotResolved) return { ...nothing, errorClass: "dns", error: error.message };
  if (!(error instanceof PostFailed)) throw error;
  const errorClass: DeliveryErrorClass = error.errorClass;
  return { ...nothing, errorClass, error: error.message, status: error.status };
}
