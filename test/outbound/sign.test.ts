import { describe, expect, test } from "bun:test";
import { createHmac } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { signatureHeaders } from "../../src/outbound/sign.ts";

const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const body =
  '{"type":"review.completed","timestamp":"2026-11-21T06:00:00.000Z","data":{"review_id":"rev_01","status":"completed"}}';
const message = { id: "msg_01JD0000000000000000000000", at: new Date(1795240800_000) };

describe("signing a webhook", () => {
  test("gives the published signatures for the published secret and body", () => {
    expect(signatureHeaders(body, message, { current: secret, previous: null })).toEqual({
      "X-Service-Signature": "85948e8893137613e24d9602bcf5a441a674b3bc352ccdd30fd2d58166788cdf",
      "webhook-id": "msg_01JD0000000000000000000000",
      "webhook-timestamp": "1795240800",
      "webhook-signature": "v1,bLn+JbFUZfj4N+HMtDlTO5AqIOG3WMh03eMXuGx+GTs=",
    });
  });

  test("is accepted by the Standard Webhooks library", () => {
    const headers = signatureHeaders(
      body,
      { ...message, at: new Date() },
      { current: secret, previous: null },
    );
    expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
  });

  test("is refused by the Standard Webhooks library when a byte of the body changed", () => {
    const headers = signatureHeaders(
      body,
      { ...message, at: new Date() },
      { current: secret, previous: null },
    );
    expect(() => new Webhook(secret).verify(`${body} `, headers)).toThrow("No matching signature");
  });

  test("keys both signatures with the whole text of a secret that has no base64 part", () => {
    for (const plain of [
      "correct horse",
      "whsec_",
      "whsec_not base64!",
      "whsec_abc",
      "MfKQ9r8GKYqrTwjU",
      "ключ",
    ]) {
      const headers = signatureHeaders(body, message, { current: plain, previous: null });
      const signed = `${message.id}.1795240800.${body}`;
      expect(headers["X-Service-Signature"]).toBe(createHmac("sha256", plain).update(body).digest("hex"));
      const standard = createHmac("sha256", Buffer.from(plain)).update(signed).digest("base64");
      expect(headers["webhook-signature"]).toBe(`v1,${standard}`);
    }
  });

  test("takes padded base64 after whsec_", () => {
    const padded = `whsec_${Buffer.from("sixteen bytes or so, and more").toString("base64")}`;
    expect(padded).toEndWith("=");
    const headers = signatureHeaders(
      body,
      { ...message, at: new Date() },
      { current: padded, previous: null },
    );
    expect(new Webhook(padded).verify(body, headers)).toBeDefined();
  });

  test("during a rotation satisfies receivers with the new and with the old secret", () => {
    const fresh = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD";
    const headers = signatureHeaders(
      body,
      { ...message, at: new Date() },
      { current: fresh, previous: secret },
    );
    expect(new Webhook(fresh).verify(body, headers)).toBeDefined();
    expect(new Webhook(secret).verify(body, headers)).toBeDefined();
    expect(headers["X-Service-Signature"]).toBe(createHmac("sha256", secret).update(body).digest("hex"));
  });

  test("signs the bytes of a body beyond ASCII", () => {
    const text = JSON.stringify({ summary: "naïve 🙂 \u2028" });
    const headers = signatureHeaders(
      text,
      { ...message, at: new Date() },
      { current: secret, previous: null },
    );
    expect(new Webhook(secret).verify(text, headers)).toEqual(JSON.parse(text));
  });
});
