import { afterEach, describe, expect, test } from "bun:test";
import { LeaseLost } from "../../src/domain/job-handler.ts";
import {
  answers,
  hangs,
  resets,
  startWebhookSink,
  verify,
  type WebhookSink,
} from "../support/webhook-sink.ts";
import { secret, startOutbound, type TestOutbound } from "./start-outbound.ts";

const sinks: WebhookSink[] = [];
async function aReceiver(): Promise<WebhookSink> {
  const sink = await startWebhookSink();
  sinks.push(sink);
  return sink;
}
afterEach(async () => {
  await Promise.all(sinks.splice(0).map((sink) => sink.close()));
});

async function announceMany(outbound: TestOutbound, count: number): Promise<void> {
  for (let i = 0; i < count; i += 1) await outbound.announces();
}

describe("delivering a webhook", () => {
  test("brings every event, signed, to the endpoint", async () => {
    await using outbound = await startOutbound();
    const sink = await aReceiver();
    await outbound.endpoint(sink.url);
    await outbound.announces("review.started");
    await outbound.announces("review.completed");
    await outbound.work();
    const received = sink.received();
    expect(received.map(({ body }) => JSON.parse(body).event).toSorted()).toEqual([
      "review.completed",
      "review.started",
    ]);
    for (const webhook of received) verify(webhook, secret);
    expect(new Set(received.map(({ headers }) => headers["webhook-id"])).size).toBe(2);
  });

  test("records the attempt, and is done after the first success", async () => {
    await using outbound = await startOutbound();
    const sink = await aReceiver();
    sink.behaves(answers(201, {}, "thank you"));
    await outbound.endpoint(sink.url);
    await outbound.announces();
    await outbound.work();
    const now = outbound.clock.now();
    expect(await outbound.deliveries()).toMatchObject([
      { state: "delivered", attempts: 1, nextAttemptAt: null, endedAt: now },
    ]);
    expect(await outbound.attempts()).toMatchObject([
      {
        attempt: 1,
        url: sink.url,
        startedAt: now,
        status: 201,
        errorClass: null,
        error: null,
        responseHead: "thank you",
      },
    ]);
    await outbound.passes("10 days");
    expect(sink.received()).toHaveLength(1);
  });

  test("tries ten times over three days, each time the same message anew, then gives up", async () => {
    await using outbound = await startOutbound();
    const sink = await aReceiver();
    sink.behaves(answers(500));
    await outbound.endpoint(sink.url);
    await outbound.announces();
    await outbound.work();
    const waits: number[] = [];
    while ((await outbound.deliveries())[0]?.nextAttemptAt !== null) {
      waits.push(await outbound.passesToNextAttempt());
    }
    const scheduled = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400];
    expect(waits).toHaveLength(scheduled.length);
    for (const [i, wait] of waits.entries()) {
      expect(wait / (scheduled[i] ?? 0)).toBeWithin(0.8, 1.2000001);
    }
    expect(await outbound.deliveries()).toMatchObject([{ state: "failed", attempts: 10 }]);
    expect((await outbound.attempts()).map(({ attempt }) => attempt)).toEqual([
      1, 2, 3, 4, 5, 6, 7, 8, 9, 10,
    ]);

    const received = sink.received();
    const distinct = (header: string) => new Set(received.map(({ headers }) => headers[header])).size;
    expect(distinct("webhook-id")).toBe(1);
    expect(distinct("webhook-timestamp")).toBe(10);
    expect(distinct("x-service-delivery")).toBe(10);
    expect(new Set(received.map(({ body }) => body)).size).toBe(1);
    for (const webhook of received) verify(webhook, secret);
  });

  test("honors Retry-After between the scheduled wait and twice that", async () => {
    await using outbound = await startOutbound();
    const sink = await aReceiver();
    sink.behavesInTurn(
      answers(429, { "retry-after": "120" }),
      answers(503, { "retry-after": "86400" }),
      answers(200),
    );
    await outbound.endpoint(sink.url);
    await outbound.announces();
    await outbound.work();
    expect(await outbound.passesToNextAttempt()).toBe(120);
    expect(await outbound.passesToNextAttempt()).toBe(600);
    expect(await outbound.deliveries()).toMatchObject([{ state: "delivered", attempts: 3 }]);
  });

  test("says in the log what went wrong, class by class", async () => {
    await using outbound = await startOutbound({ limits: { connectMs: 100, totalMs: 150 } });
    const sink = await aReceiver();
    const location = "http://169.254.169.254/latest/meta-data";
    sink.behavesInTurn(answers(500), answers(302, { location }), resets, hangs);
    await outbound.endpoint(sink.url);
    await outbound.announces();
    await outbound.work();
    for (let i = 0; i < 3; i += 1) await outbound.passesToNextAttempt();
    const attempts = await outbound.attempts();
    expect(attempts.map(({ errorClass, status }) => [errorClass, status])).toEqual([
      ["status", 500],
      ["redirect", 302],
      ["connect", null],
      ["timeout", null],
    ]);
  });

  test("refuses a name that turned to a private address after it was set", async () => {
    const answersOfTheName = [["93.184.216.34"], ["127.0.0.1"]];
    await using outbound = await startOutbound({ resolve: async () => answersOfTheName.shift() ?? [] });
    const sink = await aReceiver();
    await outbound.endpoint(`https://rebinding.example:${sink.port}/`, { byOwner: false });
    await outbound.announces();
    await outbound.work();
    expect(await outbound.attempts()).toMatchObject([{ errorClass: "blocked_address", status: null }]);
    expect(sink.connections().total).toBe(0);
  });

  test("sends to the address that is set when the attempt is made", async () => {
    await using outbound = await startOutbound();
    const [before, after] = [await aReceiver(), await aReceiver()];
    before.behaves(answers(500));
    await outbound.endpoint(before.url);
    await outbound.announces();
    await outbound.work();
    await outbound.endpoint(after.url);
    await outbound.passesToNextAttempt();
    expect(after.received()).toHaveLength(1);
    expect((await outbound.attempts()).map(({ url }) => url)).toEqual([before.url, after.url]);
  });

  test("gives an attempt back when the process stops, and loses nothing", async () => {
    await using outbound = await startOutbound();
    const sink = await aReceiver();
    sink.behavesInTurn(hangs, answers(200));
    await outbound.endpoint(sink.url);
    await outbound.announces();
    await outbound.worker.start();
    await sink.untilReceived(1);
    await outbound.restarts();
    expect(await outbound.deliveries()).toMatchObject([{ state: "waiting", attempts: 0 }]);
    await outbound.work();
    expect(await outbound.deliveries()).toMatchObject([{ state: "delivered", attempts: 1 }]);
  });

  test("keeps nothing of an attempt whose job another process has by then", async () => {
    await using outbound = await startOutbound();
    const sink = await aReceiver();
    sink.behaves(answers(500));
    await outbound.endpoint(sink.url);
    await outbound.announces();
    const before = await outbound.deliveries();
    const { store, clock, deliver } = outbound;
    const job = await store.jobs.claim("deliver", clock.now(), "lease");
    if (job === null) throw new Error("nothing is due");
    const signal = new AbortController().signal;
    const complete = () => Promise.reject(new LeaseLost(job.id));
    await expect(deliver.run({ job, signal, store, complete })).rejects.toBeInstanceOf(LeaseLost);
    expect(sink.received()).toHaveLength(1);
    expect(await outbound.deliveries()).toEqual([...before]);
    expect(await outbound.attempts()).toEqual([]);
    expect(await store.jobs.counts()).toEqual([{ lane: "deliver", state: "running", count: 1 }]);
  });

  test("is not said to wait when it could never be attempted", async () => {
    await using outbound = await startOutbound();
    const endpoint = await outbound.endpoint("https://ci.example/hook");
    await outbound.store.endpoints.put({ ...endpoint, sealedSecret: "unreadable" });
    await outbound.announces();
    for (let i = 0; i < 110; i += 1) await outbound.passes("2 hours");
    expect(await outbound.deliveries()).toMatchObject([{ state: "failed", nextAttemptAt: null }]);
    expect(outbound.log.join("\n")).toContain("gave up a webhook delivery");
  });
});

describe("an endpoint that is gone", () => {
  test("is disabled by its 410 at once, says why, and gets nothing more", async () => {
    await using outbound = await startOutbound();
    const sink = await aReceiver();
    sink.behaves(answers(410));
    await outbound.endpoint(sink.url);
    await outbound.announces();
    await outbound.work();
    await outbound.announces();
    await outbound.passes("3 days");
    expect(sink.received()).toHaveLength(1);
    expect(await outbound.store.endpoints.get("org_acme")).toMatchObject({
      disabledReason: "It answered 410 Gone.",
      disabledAt: expect.any(Date),
    });
    expect(await outbound.deliveries()).toMatchObject([
      { state: "failed", attempts: 1 },
      { state: "cancelled" },
    ]);
    expect(outbound.log.filter((line) => line.includes("the webhook endpoint was disabled"))).toHaveLength(1);
  });

  test("cancels what still waits when its turn comes", async () => {
    await using outbound = await startOutbound();
    const sink = await aReceiver();
    sink.behavesInTurn(answers(500), answers(410));
    await outbound.endpoint(sink.url);
    await outbound.announces();
    await outbound.work();
    await outbound.announces();
    await outbound.work();
    expect(await outbound.deliveries()).toMatchObject([{ state: "waiting" }, { state: "failed" }]);
    await outbound.passes("1 minute");
    expect(await outbound.deliveries()).toMatchObject([
      { state: "cancelled", attempts: 1 },
      { state: "failed", attempts: 1 },
    ]);
    expect(sink.received()).toHaveLength(2);
  });
});

describe("an endpoint that keeps failing", () => {
  async function openCircuit(outbound: TestOutbound, sink: WebhookSink): Promise<void> {
    sink.behaves(answers(500));
    await outbound.endpoint(sink.url);
    await announceMany(outbound, 10);
    await outbound.work();
    expect(sink.received()).toHaveLength(10);
  }

  test("is left alone for a minute after ten failures in a row, and that uses up no attempts", async () => {
    await using outbound = await startOutbound();
    const sink = await aReceiver();
    await openCircuit(outbound, sink);
    await outbound.announces();
    await outbound.passes("10 seconds");
    const deliveries = await outbound.deliveries();
    expect(deliveries.map(({ attempts }) => attempts)).toEqual([...Array(10).fill(1), 0]);
    for (const { nextAttemptAt } of deliveries) {
      expect(nextAttemptAt?.getTime()).toBeGreaterThanOrEqual(Date.parse("2026-11-21T06:01:00.000Z"));
    }
    await outbound.passes("40 seconds");
    expect(sink.received()).toHaveLength(10);
    expect(outbound.log.join()).toContain("the webhook endpoint keeps failing");
  });

  test("gets one try when the minute is over, and twice as long when that fails too, up to an hour", async () => {
    await using outbound = await startOutbound();
    const sink = await aReceiver();
    await openCircuit(outbound, sink);
    const tries: number[] = [];
    let last = outbound.clock.now().getTime();
    while (tries.length < 8) {
      const before = sink.received().length;
      await outbound.passesToNextAttempt();
      const after = sink.received().length;
      expect(after - before).toBeLessThanOrEqual(1);
      if (after === before) continue;
      tries.push((outbound.clock.now().getTime() - last) / 1000);
      last = outbound.clock.now().getTime();
    }
    for (const [i, seconds] of [60, 120, 240, 480, 960, 1920, 3600, 3600].entries()) {
      expect(tries[i]).toBeWithin(seconds, seconds * 1.25);
    }
  });

  test("gets everything that waited once a try succeeds", async () => {
    await using outbound = await startOutbound();
    const sink = await aReceiver();
    await openCircuit(outbound, sink);
    await announceMany(outbound, 20);
    await outbound.work();
    sink.behaves(answers(200));
    await outbound.passes("61 seconds");
    for (let i = 0; i < 30; i += 1) await outbound.passes("15 seconds");
    const states = (await outbound.deliveries()).map(({ state }) => state);
    expect(states).toEqual(Array(30).fill("delivered"));
    expect(await outbound.store.circuits.get((await outbound.deliveries())[0]?.endpointId ?? "")).toEqual({
      consecutiveFailures: 0,
      failingSince: null,
      openings: 0,
      openUntil: null,
    });
  });

  test("is tried again though the process died during the try", async () => {
    await using outbound = await startOutbound();
    const sink = await aReceiver();
    await openCircuit(outbound, sink);
    const endpointId = (await outbound.deliveries())[0]?.endpointId ?? "";
    outbound.clock.passes("61 seconds");
    const now = outbound.clock.now();
    const died = await outbound.store.circuits.claimProbe(endpointId, now, new Date(now.getTime() + 30_000));
    expect(died).toBe(true);
    await outbound.work();
    expect(sink.received()).toHaveLength(10);
    sink.behaves(answers(200));
    await outbound.passes("40 seconds");
    expect(sink.received().length).toBeGreaterThan(10);
  });

  test("forgets its failures at a success in between", async () => {
    await using outbound = await startOutbound({ deliveriesAtOnce: 1 });
    const sink = await aReceiver();
    const nineFailures = Array(9).fill(answers(500));
    sink.behavesInTurn(answers(500), ...nineFailures.slice(1), answers(200), ...nineFailures, answers(200));
    await outbound.endpoint(sink.url);
    await announceMany(outbound, 19);
    await outbound.work();
    expect(sink.received()).toHaveLength(19);
    expect(outbound.log.join()).not.toContain("keeps failing");
  });

  describe("for five days", () => {
    async function failsForDays(outbound: TestOutbound, events: number, days: number): Promise<void> {
      const sink = await aReceiver();
      sink.behaves(answers(500));
      await outbound.endpoint(sink.url);
      for (let hour = 0; hour < days * 24; hour += 1) {
        if (hour % 12 === 0 && hour / 12 < events) await outbound.announces();
        await outbound.passes("1 hour");
      }
      await outbound.announces();
      await outbound.passes("2 hours");
    }

    test("is disabled, and says so", async () => {
      await using outbound = await startOutbound();
      await failsForDays(outbound, 10, 5);
      const endpoint = await outbound.store.endpoints.get("org_acme");
      expect(endpoint?.disabledReason).toMatch(
        /^Nothing but failures since 2026-11-21T07:00:00.000Z, of 11 different events\.$/,
      );
      expect(outbound.log.filter((line) => line.includes("the webhook endpoint was disabled"))).toHaveLength(
        1,
      );
    });

    test("stays enabled before the five days are over", async () => {
      await using outbound = await startOutbound();
      await failsForDays(outbound, 8, 4);
      expect(await outbound.store.endpoints.get("org_acme")).toMatchObject({ disabledAt: null });
    });

    test("stays enabled when fewer than ten different events were tried", async () => {
      await using outbound = await startOutbound();
      await failsForDays(outbound, 8, 6);
      expect(await outbound.store.endpoints.get("org_acme")).toMatchObject({ disabledAt: null });
    });

    test("stays enabled when one of them came through", async () => {
      await using outbound = await startOutbound();
      const sink = await aReceiver();
      await outbound.endpoint(sink.url);
      for (let hour = 0; hour < 6 * 24; hour += 1) {
        sink.behaves(hour === 48 ? answers(200) : answers(500));
        if (hour % 8 === 0) await outbound.announces();
        await outbound.passes("1 hour");
      }
      expect(await outbound.store.endpoints.get("org_acme")).toMatchObject({ disabledAt: null });
    });
  });
});
