import { describe, expect, test } from "bun:test";
import { connect } from "node:net";
import type { OpenStore } from "../../src/domain/store.ts";
import { altered } from "./altered-store.ts";
import { startTestServer } from "./serve.ts";

describe("a server that stops", () => {
  test("finishes what runs and refuses what is new", async () => {
    const held = Promise.withResolvers<void>();
    const reached = Promise.withResolvers<void>();
    const server = await startTestServer({
      store: (store) => holdingReviews(store, reached.resolve, held.promise),
    });
    const running = server.get("/v1/reviews");
    await reached.promise;
    const stopped = server.server.stop(5_000);
    const refused = await server.server.handle(new Request("http://localhost/v1/usage"));
    expect(refused.status).toBe(503);
    expect(refused.headers.get("retry-after")).toBe("5");
    expect(refused.headers.get("x-ratelimit-limit")).not.toBeNull();
    expect(await refused.json()).toMatchObject({ code: "shutting_down" });
    await expect(fetch(`${server.address}/healthz`)).rejects.toThrow();
    held.resolve();
    expect((await running).status).toBe(200);
    await stopped;
    await server.store.close();
  });

  test("cuts what runs too long", async () => {
    const reached = Promise.withResolvers<void>();
    const never = new Promise<void>(() => {});
    const server = await startTestServer({ store: (store) => holdingReviews(store, reached.resolve, never) });
    const running = server.get("/v1/reviews").catch(() => "cut");
    await reached.promise;
    await server.server.stop(50);
    expect(await running).toBe("cut");
    await server.store.close();
  });

  test("does not wait for connections on which nothing runs", async () => {
    const server = await startTestServer();
    const idle = connect(server.port, "127.0.0.1");
    idle.on("error", () => {});
    await new Promise((resolve) => idle.on("connect", resolve));
    await server.get("/healthz");
    const startedMs = performance.now();
    await server.server.stop(5_000);
    expect(performance.now() - startedMs).toBeLessThan(2_000);
    idle.destroy();
    await server.store.close();
  });
});

test("two servers never share a port", async () => {
  await using server = await startTestServer();
  await using other = await startTestServer();
  await expect(other.server.listen("127.0.0.1", server.port)).rejects.toThrow(
    `Cannot listen on 127.0.0.1:${server.port}: the port is in use`,
  );
});

test("a server that is to listen on another machine's address says so", async () => {
  await using server = await startTestServer();
  for (const host of ["256.1.1.1", "192.0.2.99"]) {
    await expect(server.server.listen(host, 0)).rejects.toThrow(
      `Cannot listen on ${host}:0: ${host} is no address of this machine.`,
    );
  }
});

function holdingReviews(store: OpenStore, reached: () => void, held: Promise<void>): OpenStore {
  return altered(store, {
    reviews: {
      async version(organizationId) {
        reached();
        await held;
        return store.reviews.version(organizationId);
      },
    },
  });
}
