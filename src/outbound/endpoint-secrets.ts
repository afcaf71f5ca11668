/** The secrets that sign an endpoint's deliveries: how they are made, kept and replaced. */
import type { SecretBox } from "../crypto.ts";
import type { Ids } from "../domain/runtime.ts";
import type { WebhookEndpoint } from "../domain/webhook.ts";
import type { SigningSecrets } from "./sign.ts";

/** How long the secret before a rotation still signs. */
export const rotationOverlapMs = 24 * 3_600_000;

/** 24 bytes are 32 base64 characters without padding, the length Standard Webhooks asks for at least. */
const secretBytes = 24;

export function createSecret(ids: Pick<Ids, "randomBytes">): string {
  return `whsec_${Buffer.from(ids.randomBytes(secretBytes)).toString("base64")}`;
}

export function sealSecret(box: SecretBox, organizationId: string, secret: string): string {
  return box.seal(secret, place(organizationId));
}

export function signingSecrets(box: SecretBox, endpoint: WebhookEndpoint, now: Date): SigningSecrets {
  const { sealedPreviousSecret } = endpoint;
  return {
    current: box.open(endpoint.sealedSecret, place(endpoint.organizationId)),
    previous:
      isRotating(endpoint, now) && sealedPreviousSecret !== null
        ? box.open(sealedPreviousSecret, place(endpoint.organizationId))
        : null,
  };
}

export function isRotating(endpoint: WebhookEndpoint, now: Date): boolean {
  return endpoint.previousSecretExpiresAt !== null && endpoint.previousSecretExpiresAt > now;
}

/**
 * A rotation moves the sealed value from one column to the other as it is, so both are sealed for one place; and that is
 * the organization's, which has one endpoint, whatever its id.
 */
function place(organizationId: string): string {
  return `webhook_endpoints.secret.${organizationId}`;
}
