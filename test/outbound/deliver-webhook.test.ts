import { describe, expect, test } from "bun:test";
import { LeaseLost } from "../../src/domain/job-handler.ts";
import { answers, hangs, resets, verify } from "../support/webhook-sink.ts";
import { secret, startOutbound } from "./start-outbound.ts";

describe("delivering a webhook", () => {
  test("brings every event, signed, to the endpoint", async () => {
    await using outbound = await startOutbound();
    const sink = await outbound.receiver();
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
    const sink = await outbound.receiver();
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
    const sink = await outbound.receiver();
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
    const sink = await outbound.receiver();
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
    const sink = await outbound.receiver();
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
    const sink = await outbound.receiver();
    await outbound.endpoint(`https://rebinding.example:${sink.port}/`, { byOwner: false });
    await outbound.announces();
    await outbound.work();
    expect(await outbound.attempts()).toMatchObject([{ errorClass: "blocked_address", status: null }]);
    expect(sink.connections().total).toBe(0);
  });

  test("sends to the address that is set when the attempt is made", async () => {
    await using outbound = await startOutbound();
    const [before, after] = [await outbound.receiver(), await outbound.receiver()];
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
    const sink = await outbound.receiver();
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

  test.each([200, 500])(
    "keeps nothing of an attempt (%p) whose job another process has by then",
    async (status) => {
      await using outbound = await startOutbound();
      const sink = await outbound.receiver();
      sink.behaves(answers(status));
      await outbound.endpoint(sink.url);
      await outbound.announces();
      const before = await outbound.deliveries();
      const { store, clock, deliver } = outbound;
      const job = await store.jobs.claim("deliver", clock.now(), "lease");
      if (job === null) throw new Error("nothing is due");
      const signal = new AbortController().signal;
      const complete = () => Promise.reject(new LeaseLost(job.id));
      const completeBy = async (write: (now: Date) => Promise<boolean>) => {
        if (!(await write(clock.now()))) throw new LeaseLost(job.id);
      };
      const run = { job: { ...job, leaseToken: "an earlier lease" }, signal, store, complete, completeBy };
      await expect(deliver.run(run)).rejects.toBeInstanceOf(LeaseLost);
      expect(sink.received()).toHaveLength(1);
      expect(await outbound.deliveries()).toEqual([...before]);
      expect(await outbound.attempts()).toEqual([]);
      expect(await store.jobs.counts()).toEqual([{ lane: "deliver", state: "running", count: 1 }]);
    },
  );

  test("is counted once an attempt, by what came of it", async () => {
    await using outbound = await startOutbound();
    const sink = await outbound.receiver();
    sink.behaves(answers(500));
    await outbound.endpoint(sink.url);
    await outbound.announces();
    await outbound.work();
    sink.behaves(answers(200));
    await outbound.passesToNextAttempt();
    expect(outbound.counted).toEqual(["failed", "delivered"]);
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
    const sink = await outbound.receiver();
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
    const sink = await outbound.receiver();
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
