/** Signatures, API keys and secrets at rest. Nothing else in the service touches a cipher or a hash of a secret. */
import { createCipheriv, createDecipheriv, createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { Ids } from "./domain/runtime.ts";

type Bytes = string | Uint8Array;

/** Lower-case hexadecimal; a string is taken as its UTF-8 bytes. */
export function hmacSha256Hex(key: Bytes, data: Bytes): string {
  return createHmac("sha256", key).update(data).digest("hex");
}

/** Standard base64 with padding; a string is taken as its UTF-8 bytes. */
export function hmacSha256Base64(key: Bytes, data: Bytes): string {
  return createHmac("sha256", key).update(data).digest("base64");
}

/** Lower-case hexadecimal. */
export function sha256Hex(data: Bytes): string {
  return createHash("sha256").update(data).digest("hex");
}

/** Takes as long for a near miss as for a far one. Unequal lengths are told apart at once: lengths are no secret here. */
export function constantTimeEqual(a: Bytes, b: Bytes): boolean {
  const left = Buffer.from(a);
  const right = Buffer.from(b);
  return left.length === right.length && timingSafeEqual(left, right);
}

const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const apiKeyShape = /^plk_[0-9A-Za-z]{36}$/;
const apiKeyRandomDigits = 30;
const apiKeyChecksumDigits = 6;

/** `plk_`, 30 random base62 digits (178 bits) and the CRC-32 of those 30 in 6 base62 digits. */
export function createApiKey(ids: Pick<Ids, "randomBytes">): string {
  const random = randomBase62(apiKeyRandomDigits, ids);
  return `plk_${random}${checksum(random)}`;
}

/** Tells a mistyped or invented key without asking the database. */
export function isWellFormedApiKey(text: string): boolean {
  if (!apiKeyShape.test(text)) return false;
  return checksum(text.slice(4, -apiKeyChecksumDigits)) === text.slice(-apiKeyChecksumDigits);
}

function randomBase62(digits: number, ids: Pick<Ids, "randomBytes">): string {
  let text = "";
  while (text.length < digits) {
    for (const byte of ids.randomBytes(digits)) {
      // 248 is the largest multiple of 62 in a byte: what is above would favor the first digits.
      if (byte < 248 && text.length < digits) text += base62.charAt(byte % 62);
    }
  }
  return text;
}

function checksum(text: string): string {
  let rest = Bun.hash.crc32(text);
  let digits = "";
  for (let i = 0; i < apiKeyChecksumDigits; i += 1) {
    digits = base62.charAt(rest % 62) + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}

/**
 * Secrets at rest: AES-256-GCM, written `v1.<key id>.<nonce>.<ciphertext and tag>` in base64url. `context` names the place the
 * value is stored in (`table.column.row id`) and is authenticated: a value moved to another row does not open.
 */
export interface SecretBox {
  /** Of the key that seals: the first 8 hexadecimal digits of its SHA-256. */
  readonly keyId: string;
  seal(plaintext: string, context: string): string;
  /** Throws `SecretUnreadable` when the value was tampered with, moved, or sealed under a key that is not here. */
  open(sealed: string, context: string): string;
  /** A secret of its own for `purpose`, in hexadecimal; the same as long as the key is. */
  derive(purpose: string): string;
}

/** The context of every secret that is stored: who seals it and who opens it agree here. */
export const secretContexts = {
  codeHostToken: (codeHostId: string) => `code_hosts.token.${codeHostId}`,
  codeHostWebhookSecret: (codeHostId: string) => `code_hosts.webhook_secret.${codeHostId}`,
} as const;

export class SecretUnreadable extends Error {
  /** The id of the key it was sealed under; null when the value is not in our format at all. */
  readonly keyId: string | null;
  constructor(message: string, keyId: string | null, options?: { cause: unknown }) {
    super(message, options);
    this.name = "SecretUnreadable";
    this.keyId = keyId;
  }
}

const keyBytes = 32;
const nonceBytes = 12;
const tagBytes = 16;

/** What a new key file contains: 32 random bytes in base64 and a newline. */
export function createKeyFileContents(ids: Pick<Ids, "randomBytes">): string {
  return `${Buffer.from(ids.randomBytes(keyBytes)).toString("base64")}\n`;
}

/**
 * One key a line, 32 bytes as base64 or hexadecimal. The first one seals; the others still open what they sealed, so that a
 * key can be replaced without losing anything. Throws with a person's reason when the contents are not that.
 */
export function createSecretBox(
  keyFileContents: string,
  options: { ids: Pick<Ids, "randomBytes">; onOpened?: (plaintext: string) => void },
): SecretBox {
  const lines = keyFileContents.split("\n").map((line) => line.trim());
  const keys = lines.filter((line) => line !== "").map(parseKey);
  const [current] = keys;
  if (current === undefined) throw new Error("the file is empty");
  const byId = new Map(keys.map((key) => [key.id, key.bytes]));

  return {
    keyId: current.id,
    seal(plaintext, context) {
      const nonce = Buffer.from(options.ids.randomBytes(nonceBytes));
      const cipher = createCipheriv("aes-256-gcm", current.bytes, nonce).setAAD(Buffer.from(context));
      const sealed = Buffer.concat([cipher.update(plaintext, "utf8"), cipher.final(), cipher.getAuthTag()]);
      return ["v1", current.id, nonce.toString("base64url"), sealed.toString("base64url")].join(".");
    },
    open(sealed, context) {
      const { keyId, nonce, ciphertext, tag } = parseSealed(sealed);
      const key = byId.get(keyId);
      if (key === undefined) throw new SecretUnreadable(`it is sealed under key ${keyId}`, keyId);
      const plaintext = decrypt(key, nonce, ciphertext, tag, context, keyId);
      options.onOpened?.(plaintext);
      return plaintext;
    },
    derive: (purpose) => hmacSha256Hex(current.bytes, `plumbline ${purpose}`),
  };
}

function parseKey(line: string, index: number): { id: string; bytes: Buffer } {
  const bytes = /^[0-9a-f]{64}$/i.test(line) ? Buffer.from(line, "hex") : Buffer.from(line, "base64");
  if (bytes.length !== keyBytes) {
    throw new Error(`line ${index + 1} is not a key: 32 bytes as base64 or hexadecimal are expected`);
  }
  return { id: sha256Hex(bytes).slice(0, 8), bytes };
}

function parseSealed(sealed: string): { keyId: string; nonce: Buffer; ciphertext: Buffer; tag: Buffer } {
  const [version, keyId, nonce, body, ...more] = sealed.split(".");
  if (version !== "v1" || !keyId || !nonce || !body || more.length > 0) {
    throw new SecretUnreadable("it is not a sealed value", null);
  }
  const bytes = Buffer.from(body, "base64url");
  if (bytes.length < tagBytes) throw new SecretUnreadable("it was cut short", keyId);
  // Base64 lets the last digit vary where it holds no data; one secret has one form.
  if (bytes.toString("base64url") !== body) throw new SecretUnreadable("it was changed", keyId);
  return {
    keyId,
    nonce: Buffer.from(nonce, "base64url"),
    ciphertext: bytes.subarray(0, -tagBytes),
    tag: bytes.subarray(-tagBytes),
  };
}

function decrypt(
  key: Buffer,
  nonce: Buffer,
  ciphertext: Buffer,
  tag: Buffer,
  context: string,
  keyId: string,
): string {
  try {
    const decipher = createDecipheriv("aes-256-gcm", key, nonce, { authTagLength: tagBytes });
    decipher.setAAD(Buffer.from(context)).setAuthTag(tag);
    return Buffer.concat([decipher.update(ciphertext), decipher.final()]).toString("utf8");
  } catch (cause) {
    throw new SecretUnreadable("it was changed, or belongs to another place", keyId, { cause });
  }
}
