import { describe, expect, test } from "bun:test";
import { answers, type WebhookSink } from "../support/webhook-sink.ts";
import { startOutbound, type TestOutbound } from "./start-outbound.ts";

async function announceMany(outbound: TestOutbound, count: number): Promise<void> {
  for (let i = 0; i < count; i += 1) await outbound.announces();
}

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
    const sink = await outbound.receiver();
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
    const sink = await outbound.receiver();
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
    const sink = await outbound.receiver();
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
    const sink = await outbound.receiver();
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
    const sink = await outbound.receiver();
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
      const sink = await outbound.receiver();
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
      const sink = await outbound.receiver();
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
