import { describe, expect, test } from "bun:test";
import { isAppError } from "../../src/domain/errors.ts";
import { testReviewId } from "../../src/domain/webhook.ts";
import { showDelivery } from "../../src/outbound/delivery-log.ts";
import { enableEndpoint, removeEndpoint } from "../../src/outbound/manage-endpoint.ts";
import { redeliver, redeliverFailedSince } from "../../src/outbound/redeliver.ts";
import { testEndpoint } from "../../src/outbound/test-endpoint.ts";
import { answers, hangs, verify, type WebhookSink } from "../support/webhook-sink.ts";
import { secret, startOutbound, type TestOutbound } from "./start-outbound.ts";

const acme = "org_acme";

/** An event that failed at all its ten attempts. */
async function aFailedEvent(outbound: TestOutbound, sink: WebhookSink): Promise<string> {
  sink.behaves(answers(500));
  await outbound.announces();
  await outbound.work();
  const newest = async () => (await outbound.deliveries()).at(-1);
  while ((await newest())?.state === "waiting") await outbound.passesToNextAttempt();
  return (await newest())?.id ?? "";
}

describe("redelivering", () => {
  test("sends the same message under the same id, signed anew", async () => {
    await using outbound = await startOutbound();
    const sink = await outbound.receiver();
    await outbound.endpoint(sink.url);
    const failed = await aFailedEvent(outbound, sink);
    sink.behaves(answers(200));
    await redeliver(outbound.deps, acme, failed);
    await outbound.work();
    const [first, ...rest] = sink.received();
    const last = rest.at(-1);
    if (first === undefined || last === undefined) throw new Error("nothing was received");
    expect(last.headers["webhook-id"]).toBe(first.headers["webhook-id"] ?? "");
    expect(last.headers["webhook-timestamp"]).not.toBe(first.headers["webhook-timestamp"] ?? "");
    expect(last.body).toBe(first.body);
    verify(last, secret);
    expect(await outbound.deliveries()).toMatchObject([{ state: "delivered", attempts: 10 }]);
    expect((await outbound.attempts(failed)).at(-1)).toMatchObject({ attempt: 0, status: 200 });
  });

  test("goes to the endpoint there is now, when the one that the events were meant for was removed", async () => {
    await using outbound = await startOutbound();
    const gone = await outbound.receiver();
    await outbound.endpoint(gone.url);
    await aFailedEvent(outbound, gone);
    await outbound.announces();
    await removeEndpoint(outbound.deps, acme);
    await outbound.work();
    const current = await outbound.receiver();
    await outbound.endpoint(current.url);
    expect(await redeliverFailedSince(outbound.deps, acme, new Date(0))).toBe(2);
    await outbound.work();
    expect(await outbound.deliveries()).toMatchObject([{ state: "delivered" }, { state: "delivered" }]);
    expect(current.received()).toHaveLength(2);
  });

  test("uses up no attempt of the schedule when it fails", async () => {
    await using outbound = await startOutbound();
    const sink = await outbound.receiver();
    sink.behaves(answers(500));
    await outbound.endpoint(sink.url);
    await outbound.announces();
    await outbound.work();
    const [before] = await outbound.deliveries();
    await redeliver(outbound.deps, acme, before?.id ?? "");
    await outbound.work();
    const [after] = await outbound.deliveries();
    expect(after).toEqual(before as NonNullable<typeof before>);
    expect((await outbound.attempts()).map(({ attempt }) => attempt)).toEqual([1, 0]);
    await outbound.passesToNextAttempt();
    expect((await outbound.attempts()).map(({ attempt }) => attempt)).toEqual([1, 0, 2]);
  });

  test("that succeeds ends the schedule", async () => {
    await using outbound = await startOutbound();
    const sink = await outbound.receiver();
    sink.behavesInTurn(answers(500), answers(200));
    await outbound.endpoint(sink.url);
    await outbound.announces();
    await outbound.work();
    await redeliver(outbound.deps, acme, (await outbound.deliveries())[0]?.id ?? "");
    await outbound.work();
    await outbound.passes("5 days");
    expect(sink.received()).toHaveLength(2);
    expect(await outbound.deliveries()).toMatchObject([{ state: "delivered", nextAttemptAt: null }]);
  });

  test("sends again what was delivered already, and what that brings does not undo it", async () => {
    await using outbound = await startOutbound();
    const sink = await outbound.receiver();
    sink.behavesInTurn(answers(200), answers(500));
    await outbound.endpoint(sink.url);
    await outbound.announces();
    await outbound.work();
    await redeliver(outbound.deps, acme, (await outbound.deliveries())[0]?.id ?? "");
    await outbound.work();
    expect(sink.received()).toHaveLength(2);
    expect(await outbound.deliveries()).toMatchObject([{ state: "delivered", attempts: 1 }]);
  });

  test("of everything since a time brings what failed or was cancelled, once, and nothing else", async () => {
    await using outbound = await startOutbound();
    const sink = await outbound.receiver();
    const endpoint = await outbound.endpoint(sink.url);
    await aFailedEvent(outbound, sink);
    const since = outbound.clock.now();
    await outbound.passes("1 hour");
    const failed = await aFailedEvent(outbound, sink);
    await outbound.store.endpoints.disable(endpoint.id, "for the test", outbound.clock.now());
    await outbound.announces();
    await enableEndpoint(outbound.deps, acme);
    sink.behaves(answers(200));
    await outbound.announces();
    await outbound.work();
    const before = sink.received().length;

    expect(await redeliverFailedSince(outbound.deps, acme, since)).toBe(2);
    expect(await redeliverFailedSince(outbound.deps, acme, since)).toBe(2);
    await outbound.passes("1 minute");
    expect(sink.received().length - before).toBe(2);
    const deliveries = await outbound.deliveries();
    expect(deliveries.map(({ state }) => state)).toEqual(["failed", "delivered", "delivered", "delivered"]);
    expect(deliveries[1]?.id).toBe(failed);
    expect(await redeliverFailedSince(outbound.deps, acme, since)).toBe(0);
  });

  test("tries at once though the circuit is open, with one delivery first", async () => {
    await using outbound = await startOutbound();
    const sink = await outbound.receiver();
    sink.behaves(answers(500));
    await outbound.endpoint(sink.url);
    for (let i = 0; i < 10; i += 1) await outbound.announces();
    await outbound.work();
    const one = (await outbound.deliveries())[5]?.id ?? "";
    await redeliver(outbound.deps, acme, one);
    await outbound.work();
    expect(sink.received()).toHaveLength(11);
    sink.behaves(answers(200));
    await redeliver(outbound.deps, acme, one);
    await outbound.work();
    expect(await showDelivery(outbound.store, acme, one)).toMatchObject({ delivery: { state: "delivered" } });
  });

  test("of everything waits while the receiver is still failing, and changes nothing meanwhile", async () => {
    await using outbound = await startOutbound();
    const sink = await outbound.receiver();
    sink.behaves(answers(500));
    await outbound.endpoint(sink.url);
    const since = outbound.clock.now();
    for (let i = 0; i < 10; i += 1) await outbound.announces();
    await outbound.work();
    for (let i = 0; i < 100; i += 1) await outbound.passes("2 hours");
    await enableEndpoint(outbound.deps, acme);
    const failed = await outbound.deliveries();
    expect(failed.every(({ state }) => state === "failed" || state === "cancelled")).toBe(true);

    await redeliverFailedSince(outbound.deps, acme, since);
    await outbound.work();
    await redeliverFailedSince(outbound.deps, acme, since);
    await outbound.work();
    expect(await outbound.deliveries()).toEqual([...failed]);
    sink.behaves(answers(200));
    for (let i = 0; i < 60; i += 1) await outbound.passes("30 seconds");
    // The two that were tried first used up what was asked for them.
    const states = (await outbound.deliveries()).map(({ state }) => state);
    expect(states.filter((state) => state === "delivered").length).toBeWithin(8, 11);
    await redeliverFailedSince(outbound.deps, acme, since);
    await outbound.work();
    expect((await outbound.deliveries()).map(({ state }) => state)).toEqual(Array(10).fill("delivered"));
  });

  test("waits while another attempt at the same delivery is under way", async () => {
    await using outbound = await startOutbound();
    const sink = await outbound.receiver();
    sink.behaves(hangs);
    await outbound.endpoint(sink.url);
    await outbound.announces();
    await redeliver(outbound.deps, acme, (await outbound.deliveries())[0]?.id ?? "");
    await outbound.worker.start();
    await sink.untilReceived(1);
    expect(await outbound.store.jobs.claim("deliver", outbound.clock.now(), "lease")).toBeNull();
  });

  test("of one goes before what waits, of everything after it", async () => {
    await using outbound = await startOutbound({ deliveriesAtOnce: 1 });
    const sink = await outbound.receiver();
    sink.behavesInTurn(answers(410), answers(200));
    await outbound.endpoint(sink.url);
    await outbound.announces();
    await outbound.work();
    await enableEndpoint(outbound.deps, acme);
    await outbound.announces();
    const [failed, fresh] = await outbound.deliveries();
    await redeliverFailedSince(outbound.deps, acme, new Date(0));
    await outbound.work();
    await outbound.announces();
    await redeliver(outbound.deps, acme, fresh?.id ?? "");
    await outbound.work();
    const [, , newest] = await outbound.deliveries();
    const order = [failed, fresh, failed, fresh, newest].map((delivery) => delivery?.messageId ?? "");
    expect(sink.received().map(({ headers }) => headers["webhook-id"] ?? "")).toEqual(order);
  });

  test("is refused while the endpoint is disabled, and of another organization's delivery", async () => {
    await using outbound = await startOutbound();
    const sink = await outbound.receiver();
    await outbound.hires("other");
    await outbound.endpoint(sink.url, { organizationId: "org_other" });
    const endpoint = await outbound.endpoint(sink.url);
    await outbound.announces();
    const id = (await outbound.deliveries())[0]?.id ?? "";
    const kindOf = (work: Promise<unknown>) =>
      work.then(
        () => "done",
        (error: unknown) => (isAppError(error) ? error.kind : String(error)),
      );
    expect(await kindOf(redeliver(outbound.deps, "org_other", id))).toBe("not_found");
    expect(await kindOf(redeliver(outbound.deps, acme, "dlv_unknown"))).toBe("not_found");
    expect(await kindOf(showDelivery(outbound.store, "org_other", id))).toBe("not_found");
    await outbound.store.endpoints.disable(endpoint.id, "It answered 410 Gone.", outbound.clock.now());
    expect(await kindOf(redeliver(outbound.deps, acme, id))).toBe("conflict");
    expect(await kindOf(redeliverFailedSince(outbound.deps, acme, outbound.clock.now()))).toBe("conflict");
  });
});

describe("testing the endpoint", () => {
  const signal = new AbortController().signal;

  test("sends a signed example that says that it is a test, and tells what came of it", async () => {
    await using outbound = await startOutbound();
    const sink = await outbound.receiver();
    sink.behaves(answers(200, {}, "seen"));
    await outbound.endpoint(sink.url);
    const tested = await testEndpoint(outbound.deps, acme, signal);
    expect(tested.attempt).toMatchObject({ status: 200, errorClass: null, responseHead: "seen", attempt: 0 });
    const [webhook] = sink.received();
    if (webhook === undefined) throw new Error("nothing was received");
    verify(webhook, secret);
    expect(JSON.parse(webhook.body)).toEqual({
      event: "review.completed",
      timestamp: "2026-11-21T06:00:00.000Z",
      data: {
        review_id: testReviewId,
        repository: "example/repository",
        pull_request: 1,
        comments_count: 0,
        summary: "This is a test delivery. No review took place.",
        url: "http://localhost:8080",
        test: true,
      },
    });
    expect(await outbound.deliveries()).toMatchObject([
      { id: tested.deliveryId, state: "delivered", attempts: 0 },
    ]);
    expect(await outbound.attempts()).toEqual([tested.attempt]);
  });

  test("tells of a failure, which is retried by nobody and counts for nothing", async () => {
    await using outbound = await startOutbound();
    const sink = await outbound.receiver();
    sink.behaves(answers(410));
    const endpoint = await outbound.endpoint(sink.url);
    const since = outbound.clock.now();
    for (let i = 0; i < 12; i += 1) {
      expect(await testEndpoint(outbound.deps, acme, signal)).toMatchObject({
        attempt: { status: 410, errorClass: "status" },
      });
    }
    await outbound.passes("1 day");
    expect(sink.received()).toHaveLength(12);
    expect(await outbound.store.circuits.get(endpoint.id)).toMatchObject({ consecutiveFailures: 0 });
    expect(await outbound.store.endpoints.get(acme)).toMatchObject({ disabledAt: null });
    expect(await redeliverFailedSince(outbound.deps, acme, since)).toBe(0);
  });

  test("that succeeds ends the wait of what the circuit held back", async () => {
    await using outbound = await startOutbound();
    const sink = await outbound.receiver();
    sink.behaves(answers(500));
    const endpoint = await outbound.endpoint(sink.url);
    for (let i = 0; i < 10; i += 1) await outbound.announces();
    await outbound.work();
    expect((await outbound.store.circuits.get(endpoint.id)).openUntil).not.toBeNull();
    sink.behaves(answers(200));
    await testEndpoint(outbound.deps, acme, signal);
    await outbound.announces();
    await outbound.work();
    expect((await outbound.deliveries()).at(-1)).toMatchObject({ state: "delivered" });
  });

  test("needs an endpoint", async () => {
    await using outbound = await startOutbound();
    await expect(testEndpoint(outbound.deps, acme, signal)).rejects.toThrow("No webhook endpoint is set.");
  });
});
