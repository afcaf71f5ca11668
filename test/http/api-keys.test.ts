import { describe, expect, test } from "bun:test";
import type { OpenStore } from "../../src/domain/store.ts";
import { altered } from "./altered-store.ts";
import { problemOf, startTestServer } from "./serve.ts";

describe("an API key", () => {
  test("stops working within a second of being revoked", async () => {
    await using server = await startTestServer();
    const { id, key } = await server.makesKey();
    const ask = async () => (await server.get("/v1/usage", { authorization: `Bearer ${key}` })).status;
    expect(await ask()).toBe(200);
    await server.store.apiKeys.revoke("org_acme", id, server.clock.now());
    server.clock.passes("900 ms");
    expect(await ask()).toBe(401);
  });

  test("works within a second of being made, though it was tried before", async () => {
    await using server = await startTestServer();
    const made = await server.makesKey();
    const keys = await server.store.apiKeys.list("org_acme");
    const stored = keys.find(({ id }) => id === made.id);
    if (stored === undefined) throw new Error("the key is not there");
    await using other = await startTestServer();
    const ask = async () => (await other.get("/v1/usage", { authorization: `Bearer ${made.key}` })).status;
    await other.store.apiKeys.revoke("org_acme", stored.id, other.clock.now());
    expect(await ask()).toBe(401);
    await other.store.apiKeys.insert({ ...stored, id: "key_again" });
    other.clock.passes("900 ms");
    expect(await ask()).toBe(200);
  });

  test("stops working the moment it expires", async () => {
    await using server = await startTestServer();
    const expiresAt = new Date("2026-11-21T07:00:00.000Z");
    const { key } = await server.makesKey({ expiresAt });
    const ask = async () => (await server.get("/v1/usage", { authorization: `Bearer ${key}` })).status;
    server.clock.set("2026-11-21T06:59:59.999Z");
    expect(await ask()).toBe(200);
    server.clock.set("2026-11-21T07:00:00.000Z");
    expect(await ask()).toBe(401);
  });

  test("that is mistyped is refused without asking the database", async () => {
    const counted = counting();
    await using server = await startTestServer({ store: counted.watch });
    const last = server.key.endsWith("0") ? "1" : "0";
    const response = await server.get("/v1/usage", {
      authorization: `Bearer ${server.key.slice(0, -1)}${last}`,
    });
    expect((await problemOf(response)).detail).toContain("mistyped");
    expect(counted.lookUps()).toBe(0);
  });

  test("costs no query in the steady state", async () => {
    const counted = counting();
    await using server = await startTestServer({ store: counted.watch });
    await server.get("/v1/usage");
    const before = counted.calls();
    for (let at = 0; at < 50; at += 1) expect((await server.get("/v1/usage")).status).toBe(200);
    expect(counted.calls()).toBe(before);
  });

  test("is looked up once for many requests at once after a change", async () => {
    const counted = counting();
    await using server = await startTestServer({ store: counted.watch });
    await Promise.all(Array.from({ length: 20 }, () => server.get("/v1/usage")));
    expect(counted.versions()).toBe(1);
  });

  test("says when it was last used, written at most once a minute", async () => {
    const counted = counting();
    await using server = await startTestServer({ store: counted.watch });
    await server.get("/v1/usage");
    await server.get("/v1/usage");
    await server.restarts();
    expect(counted.touches()).toBe(1);
    const [key] = await server.store.apiKeys.list("org_acme");
    expect(key?.lastUsedAt).toEqual(server.clock.now());
    server.clock.passes("61 seconds");
    await server.get("/v1/usage");
    await server.restarts();
    expect(counted.touches()).toBe(2);
  });

  test("is taken whatever the case of the scheme", async () => {
    await using server = await startTestServer();
    const { status } = await server.get("/v1/usage", { authorization: `bearer ${server.key}` });
    expect(status).toBe(200);
  });

  test("opens nothing in a query", async () => {
    await using server = await startTestServer();
    const { status } = await server.get(`/v1/usage?api_key=${server.key}`, { authorization: "none" });
    expect(status).toBe(401);
  });
});

/** Counts what is asked of the store's keys. */
function counting() {
  const counts = { byHash: 0, version: 0, touch: 0 };
  const watch = (store: OpenStore): OpenStore => {
    const { apiKeys } = store;
    return altered(store, {
      apiKeys: {
        byHash(hash) {
          counts.byHash += 1;
          return apiKeys.byHash(hash);
        },
        version() {
          counts.version += 1;
          return apiKeys.version();
        },
        touch(id, at) {
          counts.touch += 1;
          return apiKeys.touch(id, at);
        },
      },
    });
  };
  return {
    watch,
    lookUps: () => counts.byHash,
    versions: () => counts.version,
    touches: () => counts.touch,
    calls: () => counts.byHash + counts.version,
  };
}
