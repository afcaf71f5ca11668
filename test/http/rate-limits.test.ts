import { describe, expect, test } from "bun:test";
import { createRateLimiter } from "../../src/http/rate-limiter.ts";
import { problemOf, startTestServer, type TestServer } from "./serve.ts";

describe("the rate limit of an organization", () => {
  test("counts all its keys together and no other's", async () => {
    await using server = await startTestServer();
    await server.hires("rival");
    const second = await server.makesKey();
    const theirs = await server.makesKey({ organization: "rival" });
    expect(await remaining(server, server.key)).toBe(4999);
    expect(await remaining(server, second.key)).toBe(4998);
    expect(await remaining(server, theirs.key)).toBe(4999);
  });

  test("refuses the request after the last, says until when, and counts it not", async () => {
    await using server = await withLimit(2);
    server.clock.set("2026-11-21T06:59:10.500Z");
    expect(await remaining(server)).toBe(1);
    expect(await remaining(server)).toBe(0);
    const refused = await server.get("/v1/usage");
    expect(refused.status).toBe(429);
    expect(refused.headers.get("retry-after")).toBe("50");
    expect(refused.headers.get("x-ratelimit-remaining")).toBe("0");
    expect((await problemOf(refused)).code).toBe("rate_limited");
  });

  test("starts anew with the UTC clock hour", async () => {
    await using server = await withLimit(1);
    server.clock.set("2026-11-21T06:59:59.999Z");
    expect(await remaining(server)).toBe(0);
    expect((await server.get("/v1/usage")).status).toBe(429);
    server.clock.set("2026-11-21T07:00:00.000Z");
    const response = await server.get("/v1/usage");
    expect(response.status).toBe(200);
    expect(response.headers.get("x-ratelimit-reset")).toBe(String(Date.parse("2026-11-21T08:00:00Z") / 1000));
  });

  test("survives a restart", async () => {
    await using server = await startTestServer();
    for (let at = 0; at < 5; at += 1) await server.get("/v1/usage");
    await server.restarts();
    expect(await remaining(server)).toBe(4994);
  });

  test("is written down every second, so that a lost process loses no more", async () => {
    await using server = await startTestServer();
    await server.get("/v1/usage");
    const stored = async () => (await server.store.rates.load("2026-11-21T06"))[0]?.count ?? 0;
    while ((await stored()) === 0) await Bun.sleep(20);
    expect(await stored()).toBe(1);
  }, 3_000);

  test("is the sum over all processes on the database", async () => {
    await using server = await startTestServer();
    await server.get("/v1/usage");
    // Another process counted 100 in the meantime.
    await server.store.rates.add("org_acme", "2026-11-21T06", 100);
    while ((await remaining(server)) > 4_900) await Bun.sleep(50);
  }, 3_000);

  test("follows a change of plan within a second", async () => {
    await using server = await startTestServer();
    await server.get("/v1/usage");
    await server.store.plans.put({ name: "team", creditsPerMonth: 1_000, requestsPerHour: 10 });
    server.clock.passes("900 ms");
    expect((await server.get("/v1/usage")).headers.get("x-ratelimit-limit")).toBe("10");
  });

  test("may be the organization's own instead of its plan's", async () => {
    await using server = await withLimit(7);
    expect((await server.get("/v1/usage")).headers.get("x-ratelimit-limit")).toBe("7");
  });

  test("counts requests that fail, too", async () => {
    await using server = await startTestServer();
    await server.get("/v1/nothing");
    await server.post("/v1/reviews", "{");
    expect(await remaining(server)).toBe(4997);
  });

  test("lets exactly the limit through when many ask at once", async () => {
    await using server = await withLimit(20);
    const answers = await Promise.all(Array.from({ length: 60 }, () => server.get("/v1/usage")));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(20);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(40);
  });
});

describe("a stranger", () => {
  test("may be refused 1000 times an hour, then is told to wait", async () => {
    await using server = await startTestServer();
    const ask = () => server.get("/v1/usage", { authorization: "none" });
    for (let at = 0; at < 10; at += 1) await Promise.all(Array.from({ length: 100 }, ask));
    const refused = await ask();
    expect(refused.status).toBe(429);
    expect(refused.headers.get("x-ratelimit-limit")).toBe("1000");
    expect((await server.get("/v1/usage")).status).toBe(200);
  });

  test("cannot take another's address without a trusted proxy", async () => {
    await using server = await startTestServer();
    expect(await strangerRemaining(server, "203.0.113.9")).toBe(999);
    expect(await strangerRemaining(server, "203.0.113.10")).toBe(998);
  });

  test("is known by the address that a trusted proxy saw", async () => {
    await using server = await startTestServer({ trustedProxies: ["127.0.0.0/8"] });
    expect(await strangerRemaining(server, "203.0.113.9")).toBe(999);
    expect(await strangerRemaining(server, "203.0.113.10")).toBe(999);
    expect(await strangerRemaining(server, "spoofed, 198.51.100.1, 203.0.113.9")).toBe(998);
  });

  test("shares one count with all others once very many addresses are counted", async () => {
    await using server = await startTestServer();
    const { store, clock } = server;
    const limiter = createRateLimiter({ store, clock, logger: { ...console } });
    for (let at = 0; at < 20_000; at += 1) limiter.count(`ip:10.0.${at >> 8}.${at & 255}`, 1000);
    limiter.count("ip:203.0.113.9", 1000);
    expect(limiter.count("ip:203.0.113.10", 1000).remaining).toBe(998);
    expect(limiter.count("ip:10.0.0.1", 1000).remaining).toBe(998);
    expect(limiter.count("org_acme", 1000).remaining).toBe(999);
  });
});

async function withLimit(requestsPerHour: number): Promise<TestServer> {
  const server = await startTestServer();
  await server.store.organizations.update("org_acme", { requestsPerHour });
  return server;
}

async function remaining(server: TestServer, key = server.key): Promise<number> {
  const { headers } = await server.get("/v1/usage", { authorization: `Bearer ${key}` });
  return Number(headers.get("x-ratelimit-remaining"));
}

async function strangerRemaining(server: TestServer, forwardedFor: string): Promise<number> {
  const { headers } = await server.get("/v1/usage", {
    authorization: "none",
    "x-forwarded-for": forwardedFor,
  });
  return Number(headers.get("x-ratelimit-remaining"));
}
