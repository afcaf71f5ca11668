/** Self-signed certificates made on the spot, so that a test can have an expired one, or one for another name. */
import { generateKeyPairSync, randomBytes, sign } from "node:crypto";

export interface Certificate {
  /** PEM */
  certificate: string;
  key: string;
}

const day = 86_400_000;

/** For DNS names and IPv4 addresses; valid from a day ago for a month unless told otherwise. Trusting it is trusting itself. */
export function createCertificate(options: { names: readonly string[]; validUntil?: Date }): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const until = options.validUntil ?? new Date(Date.now() + 30 * day);
  const from = new Date(Math.min(Date.now(), until.getTime()) - day);
  const name = sequence(set(sequence(oid("550403"), utf8(options.names[0] ?? "nobody"))));
  const toBeSigned = sequence(
    explicit(0, integer(Buffer.from([2]))),
    integer(Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    ecdsaWithSha256,
    name,
    sequence(time(from), time(until)),
    name,
    publicKey.export({ type: "spki", format: "der" }),
    explicit(
      3,
      sequence(
        sequence(oid("551d11"), octets(sequence(...options.names.map(alternativeName)))),
        sequence(oid("551d13"), octets(sequence(tagged(0x01, Buffer.from([0xff]))))),
      ),
    ),
  );
  const signature = sign("sha256", toBeSigned, privateKey);
  const der = sequence(
    toBeSigned,
    ecdsaWithSha256,
    tagged(0x03, Buffer.concat([Buffer.from([0]), signature])),
  );
  return {
    certificate: pem(der),
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
  };
}

function pem(der: Buffer): string {
  const lines = der.toString("base64").match(/.{1,64}/g) ?? [];
  return ["-----BEGIN CERTIFICATE-----", ...lines, "-----END CERTIFICATE-----", ""].join("\n");
}

/** ASN.1 DER: tag, length, content. */
function tagged(tag: number, content: Buffer): Buffer {
  const { length } = content;
  if (length < 0x80) return Buffer.concat([Buffer.from([tag, length]), content]);
  if (length < 0x100) return Buffer.concat([Buffer.from([tag, 0x81, length]), content]);
  return Buffer.concat([Buffer.from([tag, 0x82, length >> 8, length & 0xff]), content]);
}

const sequence = (...parts: Buffer[]) => tagged(0x30, Buffer.concat(parts));
const set = (...parts: Buffer[]) => tagged(0x31, Buffer.concat(parts));
const explicit = (n: number, part: Buffer) => tagged(0xa0 + n, part);
const integer = (bytes: Buffer) => tagged(0x02, bytes);
const octets = (bytes: Buffer) => tagged(0x04, bytes);
const oid = (hex: string) => tagged(0x06, Buffer.from(hex, "hex"));
const utf8 = (text: string) => tagged(0x0c, Buffer.from(text));
const time = (at: Date) =>
  tagged(0x18, Buffer.from(`${at.toISOString().slice(0, 19).replace(/[-:T]/g, "")}Z`));
const ecdsaWithSha256 = sequence(oid("2a8648ce3d040302"));

function alternativeName(name: string): Buffer {
  const isAddress = /^\d+\.\d+\.\d+\.\d+$/.test(name);
  return isAddress ? tagged(0x87, Buffer.from(name.split(".").map(Number))) : tagged(0x82, Buffer.from(name));
}
