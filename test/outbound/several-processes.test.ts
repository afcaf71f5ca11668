import { describe, expect, test } from "bun:test";
import { emptyDatabases, hasPostgres } from "../support/databases.ts";
import { answers, hangs, verify } from "../support/webhook-sink.ts";
import { secret, startOutbound } from "./start-outbound.ts";

describe.if(hasPostgres())("processes that share a PostgreSQL database", () => {
  test("deliver every event once, over four connections together", async () => {
    await using database = await emptyDatabases.postgres();
    await using one = await startOutbound({ database });
    await using other = await startOutbound({ database, joins: true });
    const sink = await one.receiver();
    await one.endpoint(sink.url);
    for (let i = 0; i < 100; i += 1) await one.announces();
    await Promise.all([one.worker.start(), other.worker.start()]);
    await sink.untilReceived(100);
    while ((await one.deliveries()).some(({ state }) => state !== "delivered")) await Bun.sleep(10);
    const received = sink.received();
    expect(received).toHaveLength(100);
    expect(new Set(received.map(({ headers }) => headers["webhook-id"])).size).toBe(100);
    for (const webhook of received) verify(webhook, secret);
  }, 30_000);

  test("hold four connections together to a receiver that hangs", async () => {
    await using database = await emptyDatabases.postgres();
    const limits = { connectMs: 5_000, totalMs: 15_000 };
    await using one = await startOutbound({ database, limits });
    await using other = await startOutbound({ database, limits, joins: true });
    const [hanging, healthy] = [await one.receiver(), await one.receiver()];
    hanging.behaves(hangs);
    await one.hires("healthy");
    await one.endpoint(hanging.url);
    await one.endpoint(healthy.url, { organizationId: "org_healthy" });
    for (let i = 0; i < 20; i += 1) await one.announces();
    for (let i = 0; i < 50; i += 1) await one.announces("review.completed", { organization: "healthy" });
    await Promise.all([one.worker.start(), other.worker.start()]);
    await Promise.all([hanging.untilReceived(4), healthy.untilReceived(50)]);
    expect(hanging.connections()).toMatchObject({ open: 4, total: 4 });
  }, 30_000);

  test("agree to leave a hanging receiver alone", async () => {
    await using database = await emptyDatabases.postgres();
    const limits = { connectMs: 150, totalMs: 150 };
    await using one = await startOutbound({ database, limits });
    await using other = await startOutbound({ database, limits, joins: true });
    const sink = await one.receiver();
    sink.behaves(hangs);
    const endpoint = await one.endpoint(sink.url);
    for (let i = 0; i < 40; i += 1) await one.announces();
    await Promise.all([one.work(), other.work()]);
    const attemptsMade = async () =>
      (await one.deliveries()).reduce((sum, { attempts }) => sum + attempts, 0);
    const before = await attemptsMade();
    expect(before).toBeWithin(10, 14);
    expect(await one.store.circuits.get(endpoint.id)).toMatchObject({
      consecutiveFailures: before,
      openings: 1,
    });

    one.clock.passes("75 seconds");
    other.clock.passes("75 seconds");
    await Promise.all([one.work(), other.work()]);
    expect(await attemptsMade()).toBe(before + 1);
    sink.behaves(answers(200));
    limits.connectMs = limits.totalMs = 15_000;
    for (let i = 0; i < 40; i += 1) {
      one.clock.passes("10 seconds");
      other.clock.passes("10 seconds");
      await Promise.all([one.work(), other.work()]);
    }
    expect((await one.deliveries()).map(({ state }) => state)).toEqual(Array(40).fill("delivered"));
  }, 30_000);
});
