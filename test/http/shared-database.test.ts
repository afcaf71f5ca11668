/** Several servers on one database, as several processes are on PostgreSQL. */
import { describe, expect, test } from "bun:test";
import { storeKinds } from "../support/databases.ts";
import { startTestServer, type TestServer } from "./serve.ts";

const review = { repository: "acme/shop", pull_request: 7 };

describe.each([...storeKinds()])("two servers on %s", (_, openTestStore) => {
  test("do a request with an Idempotency-Key once between them", async () => {
    await using both = await startBoth(openTestStore);
    const headers = { "idempotency-key": "k1" };
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, at) => (at % 2 === 0 ? both.first : both.second)).map((server) =>
        server.post("/v1/reviews", review, headers),
      ),
    );
    expect(answers.filter(({ status }) => status !== 202 && status !== 409)).toEqual([]);
    const accepted = answers.filter(({ status }) => status === 202);
    const ids = await Promise.all(
      accepted.map(async (answer) => ((await answer.json()) as { id: string }).id),
    );
    expect(new Set(ids).size).toBe(1);
    expect((await both.first.store.reviews.list("org_acme", {}, { offset: 0, limit: 1 })).total).toBe(1);
  });

  test("spend exactly the credits there are", async () => {
    await using both = await startBoth(openTestStore);
    await both.first.store.organizations.update("org_acme", { creditsPerMonth: 10 });
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, at) =>
        (at % 2 === 0 ? both.first : both.second).post("/v1/reviews", review),
      ),
    );
    expect(answers.filter(({ status }) => status === 202)).toHaveLength(10);
    expect(answers.filter(({ status }) => status === 402)).toHaveLength(20);
  });

  test("count one rate limit", async () => {
    await using both = await startBoth(openTestStore);
    await Promise.all(Array.from({ length: 10 }, () => both.first.get("/v1/usage")));
    await both.first.restarts();
    await both.second.get("/v1/usage");
    await both.second.restarts();
    expect((await both.first.get("/v1/usage")).headers.get("x-ratelimit-remaining")).toBe("4989");
    expect((await both.second.get("/v1/usage")).headers.get("x-ratelimit-remaining")).toBe("4988");
  });

  test("both refuse a revoked key within a second", async () => {
    await using both = await startBoth(openTestStore);
    const { id, key } = await both.first.makesKey();
    const statuses = () =>
      Promise.all(
        [both.first, both.second].map(
          async (server) => (await server.get("/v1/usage", { authorization: `Bearer ${key}` })).status,
        ),
      );
    expect(await statuses()).toEqual([200, 200]);
    await both.first.store.apiKeys.revoke("org_acme", id, both.first.clock.now());
    both.first.clock.passes("900 ms");
    expect(await statuses()).toEqual([401, 401]);
  });
});

interface Both extends AsyncDisposable {
  first: TestServer;
  second: TestServer;
}

async function startBoth(
  openTestStore: () => Promise<AsyncDisposable & { store: TestServer["store"] }>,
): Promise<Both> {
  const opened = await openTestStore();
  const first = await startTestServer({ store: () => opened.store });
  const second = await startTestServer({ beside: first });
  return {
    first,
    second,
    async [Symbol.asyncDispose]() {
      await second.server.stop(1_000);
      await first.server.stop(1_000);
      await opened[Symbol.asyncDispose]();
    },
  };
}
