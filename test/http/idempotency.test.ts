import { describe, expect, test } from "bun:test";
import type { OpenStore } from "../../src/domain/store.ts";
import { altered } from "./altered-store.ts";
import { problemOf, startTestServer, type TestServer } from "./serve.ts";

const review = { repository: "acme/shop", pull_request: 7 };

describe("a request with an Idempotency-Key", () => {
  test("is done once, and its answer repeated to the letter", async () => {
    await using server = await startTestServer();
    const first = await post(server, "k1");
    const second = await post(server, "k1");
    expect(second.status).toBe(202);
    expect(await second.text()).toBe(await first.text());
    expect(second.headers.get("location")).toBe(first.headers.get("location"));
    expect(first.headers.has("idempotency-replayed")).toBe(false);
    expect(second.headers.get("idempotency-replayed")).toBe("true");
    expect(await reviews(server)).toBe(1);
    expect(await creditsLeft(server)).toBe(999);
  });

  test("may quote its key", async () => {
    await using server = await startTestServer();
    await post(server, "k1");
    expect((await post(server, '"k1"')).headers.get("idempotency-replayed")).toBe("true");
  });

  test("is another one for another organization", async () => {
    await using server = await startTestServer();
    await server.hires("rival");
    const { key } = await server.makesKey({ organization: "rival" });
    await post(server, "k1");
    const theirs = await server.post("/v1/reviews", review, {
      "idempotency-key": "k1",
      authorization: `Bearer ${key}`,
    });
    expect(theirs.headers.has("idempotency-replayed")).toBe(false);
  });

  test("is forgotten after 24 hours", async () => {
    await using server = await startTestServer();
    await post(server, "k1");
    server.clock.passes("23 hours");
    expect((await post(server, "k1")).headers.has("idempotency-replayed")).toBe(true);
    server.clock.passes("2 hours");
    expect((await post(server, "k1")).headers.has("idempotency-replayed")).toBe(false);
    expect(await reviews(server)).toBe(2);
  });

  test("is replayed after a restart", async () => {
    await using server = await startTestServer();
    await post(server, "k1");
    await server.restarts();
    expect((await post(server, "k1")).headers.get("idempotency-replayed")).toBe("true");
  });

  test("is done once when many come at once: the others wait their turn or are told that it runs", async () => {
    await using server = await startTestServer();
    const answers = await Promise.all(Array.from({ length: 20 }, () => post(server, "k1")));
    expect(await reviews(server)).toBe(1);
    const statuses = answers.map(({ status }) => status);
    expect(statuses).toContain(202);
    for (const answer of answers.filter(({ status }) => status !== 202)) {
      expect(answer.status).toBe(409);
      expect(answer.headers.get("retry-after")).toBe("1");
      expect((await problemOf(answer)).code).toBe("idempotency_in_progress");
    }
  });

  test("is refused with another body while the first runs, too", async () => {
    await using server = await startTestServer();
    const answers = await Promise.all([
      post(server, "k1"),
      post(server, "k1", { ...review, pull_request: 8 }),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([202, 422]);
    expect(await reviews(server)).toBe(1);
  });

  test("is told by its bytes: the same JSON written differently is another body", async () => {
    await using server = await startTestServer();
    await post(server, "k1", '{"repository":"acme/shop","pull_request":7}');
    const other = await post(server, "k1", '{"pull_request":7,"repository":"acme/shop"}');
    expect((await problemOf(other)).code).toBe("idempotency_mismatch");
  });

  test("that was refused leaves its key free", async () => {
    await using server = await startTestServer();
    const wrong = { repository: "acme/unknown", pull_request: 7 };
    expect((await post(server, "k1", wrong)).status).toBe(404);
    expect((await post(server, "k1", { pull_request: 7 })).status).toBe(422);
    expect((await post(server, "k1")).status).toBe(202);
  });

  test("is replayed though the credits are gone by now", async () => {
    await using server = await startTestServer();
    await server.store.organizations.update("org_acme", { creditsPerMonth: 1 });
    expect((await post(server, "k1")).status).toBe(202);
    expect((await post(server, "k2")).status).toBe(402);
    expect((await post(server, "k1")).status).toBe(202);
  });

  test.each(["", "k".repeat(256), "k\u00e9"])("is not valid with the key %p", async (key) => {
    await using server = await startTestServer();
    const answer = await post(server, key);
    expect(answer.status).toBe(422);
    expect((await problemOf(answer)).errors?.[0]?.path).toBe("Idempotency-Key");
  });

  test("leaves neither a review nor an answer when the process dies before both are durable", async () => {
    let dies = false;
    await using server = await startTestServer({ store: (store) => dyingBeforeCommit(store, () => dies) });
    dies = true;
    expect((await post(server, "k1")).status).toBe(500);
    dies = false;
    expect(await reviews(server)).toBe(0);
    expect((await post(server, "k1")).headers.has("idempotency-replayed")).toBe(false);
    expect(await reviews(server)).toBe(1);
  });
});

test("requests without a key are each done", async () => {
  await using server = await startTestServer();
  await server.post("/v1/reviews", review);
  await server.post("/v1/reviews", review);
  expect(await reviews(server)).toBe(2);
});

test("500 requests at once on 100 credits make exactly 100 reviews", async () => {
  await using server = await startTestServer();
  await server.store.organizations.update("org_acme", { creditsPerMonth: 100 });
  const answers = await Promise.all(Array.from({ length: 500 }, () => server.post("/v1/reviews", review)));
  expect(answers.filter(({ status }) => status === 202)).toHaveLength(100);
  expect(answers.filter(({ status }) => status === 402)).toHaveLength(400);
  expect(await creditsLeft(server)).toBe(0);
});

function dyingBeforeCommit(store: OpenStore, dies: () => boolean): OpenStore {
  return altered(store, {
    transaction: (work) =>
      store.transaction(async (tx) => {
        const result = await work(tx);
        if (dies()) throw new Error("the process died");
        return result;
      }),
  });
}

function post(server: TestServer, key: string, body: unknown = review): Promise<Response> {
  return server.post("/v1/reviews", body, { "idempotency-key": key });
}

async function reviews(server: TestServer): Promise<number> {
  return (await server.store.reviews.list("org_acme", {}, { offset: 0, limit: 1 })).total;
}

async function creditsLeft(server: TestServer): Promise<number> {
  const usage = (await (await server.get("/v1/usage")).json()) as { credits: { remaining: number } };
  return usage.credits.remaining;
}
