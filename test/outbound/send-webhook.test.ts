import { afterEach, describe, expect, test } from "bun:test";
import type { SentWebhook } from "../../src/outbound/send-webhook.ts";
import {
  answers,
  answersAGzipBomb,
  type Behavior,
  drips,
  floods,
  hangs,
  resets,
  says,
  startWebhookSink,
  verify,
  type WebhookSink,
} from "../support/webhook-sink.ts";
import { inAHurry, message, type SendOptions, secret, sendOnce } from "./send-once.ts";

let sink: WebhookSink | null = null;
const started: WebhookSink[] = [];

async function startSink(): Promise<WebhookSink> {
  const one = await startWebhookSink();
  started.push(one);
  return one;
}

afterEach(async () => {
  await Promise.all(started.splice(0).map((one) => one.close()));
  sink = null;
});

async function sendTo(behavior: Behavior, options: SendOptions = {}): Promise<SentWebhook> {
  sink = await startSink();
  sink.behaves(behavior);
  return sendOnce(sink.url, options);
}

describe("sending a webhook", () => {
  test("posts the stored bytes with both signatures and what a receiver needs to tell deliveries apart", async () => {
    const sent = await sendTo(answers(200, {}, "thanks"));
    expect(sent).toMatchObject({ status: 200, errorClass: null, error: null, responseHead: "thanks" });
    const [received] = sink?.received() ?? [];
    if (received === undefined) throw new Error("nothing was received");
    expect(received).toMatchObject({ method: "POST", path: "/hook", body: message.body });
    expect(received.headers).toMatchObject({
      host: `127.0.0.1:${sink?.port}`,
      "content-type": "application/json",
      "webhook-id": message.id,
      "x-service-event": "review.completed",
      "x-service-delivery": "att_1",
    });
    verify(received, secret);
  });

  test("sends path and query as they were set, to the host as it was named", async () => {
    sink = await startSink();
    await sendOnce(`http://ci.example:${sink.port}/a%20b/?key=%22x%22&y#fragment`);
    expect(sink.received()[0]).toMatchObject({
      path: "/a%20b/?key=%22x%22&y",
      headers: { host: `ci.example:${sink.port}` },
    });
  });

  test.each([200, 201, 202, 204, 299])("takes %i for success", async (status) => {
    expect(await sendTo(answers(status))).toMatchObject({ status, errorClass: null });
  });

  test.each([400, 401, 404, 410, 429, 500, 503])("takes %i for a failure", async (status) => {
    const error = `It answered ${status}.`;
    expect(await sendTo(answers(status))).toMatchObject({ status, errorClass: "status", error });
  });

  test("does not follow a redirect, wherever it leads", async () => {
    const location = "http://169.254.169.254/latest/meta-data";
    const other = await startSink();
    expect(await sendTo(answers(302, { location }))).toMatchObject({
      status: 302,
      errorClass: "redirect",
      error: `It answered 302 to ${location}, which is not followed.`,
    });
    expect(await sendTo(answers(308, { location: other.url }))).toMatchObject({ errorClass: "redirect" });
    expect(other.received()).toEqual([]);
  });

  test("passes on what Retry-After asks for", async () => {
    const asked = async (value: string) =>
      (await sendTo(answers(429, { "retry-after": value }))).retryAfterMs;
    expect(await asked("120")).toBe(120_000);
    const inTwoMinutes = new Date(Date.now() + 120_000).toUTCString();
    expect(await asked(inTwoMinutes)).toBeWithin(118_000, 120_001);
    expect(await asked("Sat, 01 Jan 2000 00:00:00 GMT")).toBe(0);
    expect(await asked("soon")).toBeNull();
    expect(await asked("-5")).toBeNull();
  });

  test("keeps what can be read of the answer, and shows what cannot", async () => {
    const sent = await sendTo(answers(500, {}, "line\r\n\tnul \0 esc \u001b[31m bidi \u202e é 🙂"));
    expect(sent.responseHead).toBe("line\r\n\tnul \\u0000 esc \\u001b[31m bidi \\u202e é 🙂");
    const long = await sendTo(answers(200, {}, "x".repeat(50_000)));
    expect(long.responseHead).toHaveLength(8 * 1024);
    const escaped = await sendTo(answers(200, {}, Buffer.alloc(50_000)));
    expect(escaped.responseHead).toHaveLength(8 * 1024);
  });

  test("reads no more than it needs of an endless answer", async () => {
    const written = { bytes: 0 };
    const before = process.memoryUsage().rss;
    expect(await sendTo(floods(written))).toMatchObject({ status: 200, errorClass: null });
    expect(written.bytes).toBeLessThan(16 * 1024 * 1024);
    expect(process.memoryUsage().rss - before).toBeLessThan(64 * 1024 * 1024);
  });

  test("does not unpack a gzip bomb", async () => {
    const sent = await sendTo(answersAGzipBomb);
    expect(sent).toMatchObject({ status: 200, errorClass: null });
    expect(sent.responseHead?.length).toBeLessThanOrEqual(8 * 1024);
  });

  test("gives up a receiver that takes the request and says nothing", async () => {
    const sent = await sendTo(hangs, { limits: inAHurry });
    expect(sent).toMatchObject({ status: null, errorClass: "timeout", responseHead: null });
    expect(sent.durationMs).toBeWithin(390, 4_000);
  });

  test("gives up an answer that drips without an end", async () => {
    const sent = await sendTo(drips, { limits: inAHurry });
    expect(sent).toMatchObject({ status: 200, errorClass: "timeout" });
    expect(sent.durationMs).toBeWithin(390, 4_000);
  });

  test("leaves no connection open, whatever the receiver does", async () => {
    for (const behavior of [hangs, drips, answers(200), floods({ bytes: 0 }), resets]) {
      await sendTo(behavior, { limits: inAHurry });
      while (sink?.connections().open !== 0) await Bun.sleep(1);
    }
  });

  test("says when the connection was reset, closed, or was none of HTTP", async () => {
    expect(await sendTo(resets)).toMatchObject({ status: null, errorClass: "connect" });
    expect(await sendTo(says(""))).toMatchObject({ status: null, errorClass: "protocol" });
    expect(await sendTo(says("SSH-2.0-OpenSSH\r\n\r\n"))).toMatchObject({ errorClass: "protocol" });
    const half = await sendTo(says("HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf"));
    expect(half).toMatchObject({ status: 200, errorClass: "protocol" });
  });

  test("says when nobody listens", async () => {
    sink = await startSink();
    const { url } = sink;
    await sink.close();
    expect(await sendOnce(url)).toMatchObject({ status: null, errorClass: "connect" });
  });

  test("tries the next address of a name when one does not answer", async () => {
    sink = await startSink();
    const resolve = async () => ["::1", "127.0.0.2", "127.0.0.1"];
    expect(await sendOnce(`http://ci.example:${sink.port}/`, { resolve })).toMatchObject({ status: 200 });
  });

  test("says when the name does not resolve, or not in time", async () => {
    const failing = () => Promise.reject(new Error("SERVFAIL"));
    expect(await sendOnce("https://ci.example/", { resolve: failing })).toMatchObject({ errorClass: "dns" });
    const never = () => new Promise<never>(() => undefined);
    expect(await sendOnce("https://ci.example/", { resolve: never, limits: inAHurry })).toMatchObject({
      errorClass: "dns",
      error: "The name did not resolve in time.",
    });
  });

  test("sends nothing to an address that is not allowed", async () => {
    sink = await startSink();
    expect(await sendOnce(sink.url, { setByOwner: false })).toMatchObject({
      status: null,
      errorClass: "blocked_address",
    });
    expect(sink.connections().total).toBe(0);
  });

  test("connects to the address that was checked, though the name has another one by then", async () => {
    sink = await startSink();
    const addresses = ["127.0.0.1", "127.0.0.99"];
    const resolve = async () => [addresses.shift() ?? "127.0.0.99"];
    expect(await sendOnce(`http://rebinding.example:${sink.port}/`, { resolve })).toMatchObject({
      status: 200,
    });
    expect(addresses).toEqual(["127.0.0.99"]);
  });

  test("ends with the process, without a word about the receiver", async () => {
    const stop = new AbortController();
    const sending = sendTo(hangs, { signal: stop.signal });
    while (sink === null || sink.received().length === 0) await Bun.sleep(1);
    stop.abort(new Error("stopping"));
    await expect(sending).rejects.toThrow("stopping");
  });

  test("does not go through a proxy that the environment names", async () => {
    const proxy = await startSink();
    const saved = process.env.HTTP_PROXY;
    process.env.HTTP_PROXY = proxy.url;
    expect(await sendTo(answers(200))).toMatchObject({ status: 200 });
    if (saved === undefined) delete process.env.HTTP_PROXY;
    else process.env.HTTP_PROXY = saved;
    expect(proxy.received()).toEqual([]);
  });
});
