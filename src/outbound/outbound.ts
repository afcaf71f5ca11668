/** Puts the outbound webhooks together, for a server and for a command that runs without one. */
import type { Announce } from "../domain/announce.ts";
import type { JobHandler } from "../domain/job-handler.ts";
import { createDeliverHandler, type DeliverDeps } from "./deliver-webhook.ts";
import type { AddressPolicy, OwnListener, Resolve } from "./guard-address.ts";
import { type PostLimits, postLimits } from "./post.ts";
import { createAnnouncer } from "./publish-event.ts";
import { resolveName } from "./resolve-name.ts";
import { createSender, type SendWebhook } from "./send-webhook.ts";

export interface OutboundOptions extends Omit<DeliverDeps, "send"> {
  /** Without a trailing slash. */
  siteUrl: () => string;
  /** Where this service listens; none while it does not. */
  ownListeners: () => readonly OwnListener[];
  /** Certificates (PEM) to trust beside the built-in ones. */
  extraCertificates: string | null;
  resolve?: Resolve;
  limits?: PostLimits;
  /** Told of every attempt, for the metrics. */
  onAttempt?: (outcome: "delivered" | "failed") => void;
}

export interface Outbound {
  announce: Announce;
  /** For jobs of kind `deliver`. */
  deliver: JobHandler;
  addresses: AddressPolicy;
  send: SendWebhook;
}

export function createOutbound(options: OutboundOptions): Outbound {
  const { clock, extraCertificates, resolve = resolveName, limits = postLimits } = options;
  const addresses = { resolve, ownListeners: options.ownListeners };
  const sender = createSender({ clock, addresses, extraCertificates, limits });
  const send: SendWebhook = async (request, signal) => {
    const sent = await sender(request, signal);
    options.onAttempt?.(sent.errorClass === null ? "delivered" : "failed");
    return sent;
  };
  return {
    announce: createAnnouncer(options),
    deliver: createDeliverHandler({ ...options, send }),
    addresses,
    send,
  };
}
