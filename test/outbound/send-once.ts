/** Sends one webhook with the real sender, outside of any delivery. */
import { createSender, type SentWebhook } from "../../src/outbound/send-webhook.ts";
import { systemClock } from "../../src/system.ts";

export const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
export const message = {
  id: "msg_01JD0000000000000000000000",
  event: "review.completed",
  body: '{"event":"review.completed","data":{"summary":"naïve 🙂"}}',
} as const;

export const inAHurry = { connectMs: 300, totalMs: 400 };

export interface SendOptions {
  /** Of every name; loopback unless told otherwise. */
  resolve?: (hostname: string) => Promise<readonly string[]>;
  setByOwner?: boolean;
  extraCertificates?: string;
  limits?: { connectMs: number; totalMs: number };
  signal?: AbortSignal;
}

export function sendOnce(url: string, options: SendOptions = {}): Promise<SentWebhook> {
  const sender = createSender({
    clock: systemClock,
    addresses: {
      resolve: options.resolve ?? (async () => ["127.0.0.1"]),
      ownListeners: () => [],
    },
    extraCertificates: options.extraCertificates ?? null,
    limits: options.limits ?? { connectMs: 2_000, totalMs: 5_000 },
  });
  const target = { url, setByOwner: options.setByOwner ?? true, allowedTargets: async () => [] };
  const request = { target, message, attemptId: "att_1", secrets: { current: secret, previous: null } };
  return sender(request, options.signal ?? new AbortController().signal);
}
