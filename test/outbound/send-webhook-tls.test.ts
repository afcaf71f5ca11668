import { afterEach, describe, expect, test } from "bun:test";
import { createServer } from "node:net";
import { createCertificate } from "../support/certificates.ts";
import { floods, startWebhookSink, verify, type WebhookSink } from "../support/webhook-sink.ts";
import { inAHurry, secret, sendOnce } from "./send-once.ts";

let sink: WebhookSink | null = null;
afterEach(async () => {
  await sink?.close();
  sink = null;
});

describe("sending a webhook over TLS", () => {
  const trusted = createCertificate({ names: ["ci.example"] });
  const byName = () => `https://ci.example:${sink?.port}/hook`;
  const byAddress = () => `https://127.0.0.1:${sink?.port}/hook`;

  test("accepts a certificate of an authority that the settings name", async () => {
    sink = await startWebhookSink({ tls: trusted });
    const extraCertificates = `${createCertificate({ names: ["other"] }).certificate}${trusted.certificate}`;
    expect(await sendOnce(byName(), { extraCertificates })).toMatchObject({ status: 200, errorClass: null });
    for (const received of sink.received()) verify(received, secret);
  });

  test("accepts a certificate for an address when the address is what was set", async () => {
    const tls = createCertificate({ names: ["127.0.0.1"] });
    sink = await startWebhookSink({ tls });
    const extraCertificates = tls.certificate;
    expect(await sendOnce(byAddress(), { extraCertificates })).toMatchObject({
      status: 200,
      errorClass: null,
    });
    expect(await sendOnce(byName(), { extraCertificates })).toMatchObject({ errorClass: "tls" });
  });

  test("refuses a certificate that nobody vouches for", async () => {
    sink = await startWebhookSink({ tls: trusted });
    expect(await sendOnce(byName())).toMatchObject({ status: null, errorClass: "tls" });
    expect(sink.received()).toEqual([]);
  });

  test("refuses an expired certificate", async () => {
    const tls = createCertificate({ names: ["ci.example"], validUntil: new Date(Date.now() - 1_000) });
    sink = await startWebhookSink({ tls });
    const sent = await sendOnce(byName(), { extraCertificates: tls.certificate });
    expect(sent).toMatchObject({ status: null, errorClass: "tls" });
    expect(sent.error).toContain("expired");
    expect(sink.received()).toEqual([]);
  });

  test("refuses a certificate for another name or another address", async () => {
    const tls = createCertificate({ names: ["other.example", "127.0.0.2"] });
    sink = await startWebhookSink({ tls });
    const extraCertificates = tls.certificate;
    expect(await sendOnce(byName(), { extraCertificates })).toMatchObject({ errorClass: "tls" });
    expect(await sendOnce(byAddress(), { extraCertificates })).toMatchObject({ errorClass: "tls" });
    expect(sink.received()).toEqual([]);
  });

  test("tells a receiver without TLS from one without an answer", async () => {
    const saying = createServer((socket) => {
      socket.on("error", () => undefined);
      socket.once("data", () => socket.end("HTTP/1.1 400 Bad\r\n\r\n"));
    });
    const silent = createServer((socket) => socket.on("error", () => undefined));
    for (const [server, errorClass] of [
      [saying, "tls"],
      [silent, "timeout"],
    ] as const) {
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      const address = server.address();
      const port = typeof address === "object" ? address?.port : null;
      expect(await sendOnce(`https://127.0.0.1:${port}/`, { limits: inAHurry })).toMatchObject({
        errorClass,
      });
      server.close();
    }
  });

  test("keeps time for a name's other addresses when one says nothing", async () => {
    sink = await startWebhookSink({ tls: trusted });
    const silent = createServer((socket) => socket.on("error", () => undefined));
    const { port } = sink;
    await new Promise<void>((resolve) => silent.listen(port, "127.0.0.2", resolve));
    const resolve = async () => ["127.0.0.2", "127.0.0.1"];
    const limits = { connectMs: 1_000, totalMs: 3_000 };
    const extraCertificates = trusted.certificate;
    expect(await sendOnce(byName(), { resolve, limits, extraCertificates })).toMatchObject({ status: 200 });
    silent.close();
  });

  test("cuts an endless answer over TLS too", async () => {
    sink = await startWebhookSink({ tls: trusted });
    sink.behaves(floods({ bytes: 0 }));
    const extraCertificates = trusted.certificate;
    expect(await sendOnce(byName(), { extraCertificates })).toMatchObject({ status: 200, errorClass: null });
  });
});
