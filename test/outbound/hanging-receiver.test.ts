import { describe, expect, test } from "bun:test";
import { answers, hangs } from "../support/webhook-sink.ts";
import { startOutbound } from "./start-outbound.ts";

const events = 1_000;

describe("a receiver that hangs", () => {
  test("holds four connections at most, and a thousand deliveries of another pass it by", async () => {
    // As in real life: what hangs now hangs for 15 s, far longer than the other's deliveries take.
    await using outbound = await startOutbound({ limits: { connectMs: 5_000, totalMs: 15_000 } });
    const [hanging, healthy] = [await outbound.receiver(), await outbound.receiver()];
    hanging.behaves(hangs);
    await outbound.hires("healthy");
    await outbound.endpoint(hanging.url);
    await outbound.endpoint(healthy.url, { organizationId: "org_healthy" });
    for (let i = 0; i < events; i += 1) await outbound.announces();
    await outbound.worker.start();
    await hanging.untilReceived(4);

    for (let i = 0; i < events; i += 1)
      await outbound.announces("review.completed", { organization: "healthy" });
    outbound.worker.wake();
    await healthy.untilReceived(events);

    expect(hanging.received()).toHaveLength(4);
    expect(hanging.connections()).toMatchObject({ open: 4, peak: 4 });
    expect(await outbound.attempts()).toEqual([]);
  }, 30_000);

  test("is left alone after ten tries, and its deliveries wait without using up attempts", async () => {
    const limits = { connectMs: 100, totalMs: 100 };
    await using outbound = await startOutbound({ limits });
    const sink = await outbound.receiver();
    sink.behaves(hangs);
    await outbound.endpoint(sink.url);
    for (let i = 0; i < 100; i += 1) await outbound.announces();
    await outbound.work();
    const deliveries = await outbound.deliveries();
    const tried = deliveries.filter(({ attempts }) => attempts === 1).length;
    // Three more may have been under way when the tenth failed.
    expect(tried).toBeWithin(10, 14);
    expect(deliveries.filter(({ attempts }) => attempts === 0)).toHaveLength(100 - tried);
    expect(await outbound.store.circuits.get(deliveries[0]?.endpointId ?? "")).toMatchObject({ openings: 1 });
    sink.behaves(answers(200));
    limits.connectMs = limits.totalMs = 15_000;
    for (let i = 0; i < 60; i += 1) await outbound.passes("10 seconds");
    expect((await outbound.deliveries()).map(({ state }) => state)).toEqual(Array(100).fill("delivered"));
  });
});
