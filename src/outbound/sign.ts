/**
 * How a receiver tells that a delivery is ours and unaltered. Two schemes at once, and they take their keys differently:
 *
 * - `X-Service-Signature` (specification §5): lower-case hexadecimal HMAC-SHA256 of the body. The key is the secret's
 *   characters as they are shown, `whsec_` included.
 * - Standard Webhooks (github.com/standard-webhooks): `webhook-signature` is `v1,` and the base64 HMAC-SHA256 of
 *   `id.timestamp.body`. The key is the base64 part after `whsec_`, decoded; of a secret without one, all of its UTF-8 bytes.
 */
import { hmacSha256Base64, hmacSha256Hex } from "../crypto.ts";

export interface SigningSecrets {
  /** The endpoint's secret. */
  current: string;
  /** The one before a rotation, while it still counts; else null. */
  previous: string | null;
}

/**
 * During a rotation `webhook-signature` carries both signatures. `X-Service-Signature` has room for one, because receivers
 * compare it as a whole: it stays with the previous secret until the overlap ends or the new one is promoted.
 */
export function signatureHeaders(
  body: string,
  message: { id: string; at: Date },
  secrets: SigningSecrets,
): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(message.at.getTime() / 1000));
  const signed = `${message.id}.${timestamp}.${body}`;
  const live = [secrets.current, ...(secrets.previous === null ? [] : [secrets.previous])];
  return {
    "X-Service-Signature": hmacSha256Hex(secrets.previous ?? secrets.current, body),
    "webhook-id": message.id,
    "webhook-timestamp": timestamp,
    "webhook-signature": live
      .map((secret) => `v1,${hmacSha256Base64(standardWebhooksKey(secret), signed)}`)
      .join(" "),
  };
}

const base64AfterPrefix =
  /^whsec_((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{4}|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{2}==))$/;

function standardWebhooksKey(secret: string): Uint8Array {
  const encoded = base64AfterPrefix.exec(secret)?.[1];
  return encoded === undefined ? Buffer.from(secret, "utf8") : Buffer.from(encoded, "base64");
}
