import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  constantTimeEqual,
  createApiKey,
  createKeyFileContents,
  createSecretBox,
  hmacSha256Base64,
  hmacSha256Hex,
  isWellFormedApiKey,
  SecretUnreadable,
  sha256Hex,
} from "../src/crypto.ts";
import { createIds, systemClock } from "../src/system.ts";

const ids = createIds(systemClock);
const keyFile = createKeyFileContents(ids);
const box = createSecretBox(keyFile, { ids });

/** contract: Outbound webhooks, the vector. */
const webhook = {
  secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
  body: '{"type":"review.completed","timestamp":"2026-11-21T06:00:00.000Z","data":{"review_id":"rev_01","status":"completed"}}',
  id: "msg_01JD0000000000000000000000",
  timestamp: "1795240800",
};

describe("signatures", () => {
  test("are the documented one over the raw body", () => {
    expect(hmacSha256Hex(webhook.secret, webhook.body)).toBe(
      "85948e8893137613e24d9602bcf5a441a674b3bc352ccdd30fd2d58166788cdf",
    );
  });

  test("are the documented one of Standard Webhooks", () => {
    const key = Buffer.from(webhook.secret.slice("whsec_".length), "base64");
    const signed = `${webhook.id}.${webhook.timestamp}.${webhook.body}`;
    expect(hmacSha256Base64(key, signed)).toBe("bLn+JbFUZfj4N+HMtDlTO5AqIOG3WMh03eMXuGx+GTs=");
  });

  test("take text as its UTF-8 bytes", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (key, data) => {
        expect(hmacSha256Hex(key, data)).toBe(hmacSha256Hex(Buffer.from(key), Buffer.from(data)));
      }),
    );
  });
});

test("SHA-256 is the standard's (FIPS 180-4, example of one block)", () => {
  expect(sha256Hex("abc")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
});

test("comparing says equal for equal texts only, whatever their lengths", () => {
  expect(constantTimeEqual("same", "same")).toBe(true);
  expect(constantTimeEqual("", "")).toBe(true);
  expect(constantTimeEqual("same", "sane")).toBe(false);
  expect(constantTimeEqual("same", "same ")).toBe(false);
  expect(constantTimeEqual(Buffer.from("same"), "same")).toBe(true);
});

describe("an API key", () => {
  test("is plk_, 30 random characters and a checksum of 6", () => {
    const keys = Array.from({ length: 200 }, () => createApiKey(ids));
    for (const key of keys) expect(key).toMatch(/^plk_[0-9A-Za-z]{36}$/);
    expect(keys.every(isWellFormedApiKey)).toBe(true);
    expect(new Set(keys).size).toBe(keys.length);
  });

  test("ends in the CRC-32 of its random part, in base62", () => {
    const nothingRandom = { randomBytes: (length: number) => new Uint8Array(length) };
    // zlib.crc32(b"0" * 30) is 2011552642 in Python.
    expect(createApiKey(nothingRandom)).toBe(`plk_${"0".repeat(30)}2C8GjS`);
  });

  test("is no key any more with one character changed, missing or added", () => {
    const key = createApiKey(ids);
    for (let at = 4; at < key.length; at += 1) {
      const other = key[at] === "A" ? "B" : "A";
      expect(isWellFormedApiKey(key.slice(0, at) + other + key.slice(at + 1))).toBe(false);
    }
    expect(isWellFormedApiKey(key.slice(0, -1))).toBe(false);
    expect(isWellFormedApiKey(`${key}0`)).toBe(false);
    expect(isWellFormedApiKey(key.replace("plk_", "plx_"))).toBe(false);
    expect(isWellFormedApiKey("")).toBe(false);
  });

  test("favors no character", () => {
    const counts = new Map<string, number>();
    for (let i = 0; i < 2_000; i += 1) {
      for (const character of createApiKey(ids).slice(4, 34))
        counts.set(character, (counts.get(character) ?? 0) + 1);
    }
    const expected = (2_000 * 30) / 62;
    expect(counts.size).toBe(62);
    // Six standard deviations: a fair source fails this once in millions of runs.
    for (const count of counts.values())
      expect(Math.abs(count - expected)).toBeLessThan(6 * Math.sqrt(expected));
  });
});

describe("a secret at rest", () => {
  test("comes back as it was, whatever it is", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.string(), (secret, context) => {
        expect(box.open(box.seal(secret, context), context)).toBe(secret);
      }),
    );
  });

  test("names its version and its key, and shows nothing of itself", () => {
    const sealed = box.seal("correct horse", "hosts.token.host_1");
    expect(sealed).toMatch(/^v1\.[0-9a-f]{8}\.[\w-]{16}\.[\w-]+$/);
    expect(sealed.split(".")[1]).toBe(box.keyId);
    expect(sealed).not.toContain("correct");
    expect(box.seal("correct horse", "hosts.token.host_1")).not.toBe(sealed);
  });

  test("does not open when any character of it was changed", () => {
    const sealed = box.seal("correct horse", "here");
    for (let at = 0; at < sealed.length; at += 1) {
      const tampered = sealed.slice(0, at) + (sealed[at] === "A" ? "B" : "A") + sealed.slice(at + 1);
      expect(() => box.open(tampered, "here")).toThrow(SecretUnreadable);
    }
  });

  test("does not open when it was cut short, lengthened, or is something else", () => {
    const sealed = box.seal("correct horse", "here");
    const wrong = [
      sealed.slice(0, -4),
      `${sealed}.x`,
      `${sealed}AAAA`,
      "",
      "v1",
      "v1.a.b",
      "plain text",
      "v1...",
      "v2.a.b.c",
    ];
    for (const text of wrong) expect(() => box.open(text, "here")).toThrow(SecretUnreadable);
  });

  test("does not open in another place than it was sealed for", () => {
    expect(() => box.open(box.seal("correct horse", "hosts.token.1"), "hosts.token.2")).toThrow(
      SecretUnreadable,
    );
  });

  test("does not open under another key, and says under which it was sealed", () => {
    const other = createSecretBox(createKeyFileContents(ids), { ids });
    try {
      other.open(box.seal("correct horse", "here"), "here");
      throw new Error("it opened");
    } catch (error) {
      expect(error).toBeInstanceOf(SecretUnreadable);
      expect((error as SecretUnreadable).keyId).toBe(box.keyId);
    }
  });

  test("opens under an older key that stands below the new one, and is sealed under the new one", () => {
    const sealed = box.seal("correct horse", "here");
    const rotated = createSecretBox(createKeyFileContents(ids) + keyFile, { ids });
    expect(rotated.open(sealed, "here")).toBe("correct horse");
    expect(rotated.seal("x", "here").split(".")[1]).not.toBe(box.keyId);
  });

  test("takes a key in base64 or in hexadecimal", () => {
    const bytes = Buffer.from(ids.randomBytes(32));
    const inBase64 = createSecretBox(bytes.toString("base64"), { ids });
    const inHex = createSecretBox(`\n${bytes.toString("hex").toUpperCase()}\r\n`, { ids });
    expect(inHex.open(inBase64.seal("same key", "here"), "here")).toBe("same key");
  });

  test.each([
    ["", "empty"],
    ["\n\n", "empty"],
    ["secret", "line 1"],
    [`${keyFile}short`, "line 2"],
  ])("says what is wrong with the key file %p", (contents, cause) => {
    expect(() => createSecretBox(contents, { ids })).toThrow(cause);
  });

  test("is made known to whoever keeps secrets out of the log", () => {
    const opened: string[] = [];
    const watched = createSecretBox(keyFile, { ids, onOpened: (secret) => opened.push(secret) });
    watched.open(watched.seal("correct horse", "here"), "here");
    expect(opened).toEqual(["correct horse"]);
  });

  test("gives each purpose a secret of its own, the same as long as the key is", () => {
    expect(box.derive("sign-in")).toBe(createSecretBox(keyFile, { ids }).derive("sign-in"));
    expect(box.derive("sign-in")).not.toBe(box.derive("something else"));
    expect(box.derive("sign-in")).toMatch(/^[0-9a-f]{64}$/);
  });
});
