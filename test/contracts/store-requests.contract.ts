import { describe, expect, test } from "bun:test";
import type { StoredAnswer } from "../../src/domain/store.ts";
import { after, noon, type OpenTestStore } from "./store-world.ts";

const answer: StoredAnswer = {
  status: 202,
  headers: { location: "/v1/reviews/rev_1" },
  body: '{"id":"rev_1"}',
};
const request = ["org_acme", "POST /v1/reviews", "key-1"] as const;
const day = 24 * 3600;

export function requestsContract(open: OpenTestStore): void {
  describe("an idempotency key", () => {
    test("is claimed once, and then answers what came of it", async () => {
      await using world = await open();
      const { idempotency } = world.store;
      expect(await idempotency.begin(...request, "body-1", noon)).toEqual({ state: "new" });
      expect(await idempotency.begin(...request, "body-2", after(1))).toEqual({
        state: "running",
        fingerprint: "body-1",
      });
      await idempotency.finish(...request, answer);
      const done = { state: "done", fingerprint: "body-1", answer } as const;
      expect(await idempotency.begin(...request, "body-1", after(2))).toEqual(done);
    });

    test("is claimed by one of many requests at once", async () => {
      await using world = await open();
      const begun = await Promise.all(
        Array.from({ length: 20 }, () => world.store.idempotency.begin(...request, "body", noon)),
      );
      expect(begun.filter(({ state }) => state === "new")).toHaveLength(1);
    });

    test("means something else to another organization and on another route", async () => {
      await using world = await open();
      const { idempotency } = world.store;
      await idempotency.begin(...request, "body", noon);
      expect(await idempotency.begin("org_other", request[1], request[2], "body", noon)).toEqual({
        state: "new",
      });
      expect(await idempotency.begin(request[0], "POST /other", request[2], "body", noon)).toEqual({
        state: "new",
      });
    });

    test("is free again when the request was abandoned, but not when it was answered", async () => {
      await using world = await open();
      const { idempotency } = world.store;
      await idempotency.begin(...request, "body", noon);
      await idempotency.abandon(...request);
      expect(await idempotency.begin(...request, "body", noon)).toEqual({ state: "new" });
      await idempotency.finish(...request, answer);
      await idempotency.abandon(...request);
      expect(await idempotency.begin(...request, "body", noon)).toMatchObject({ state: "done" });
    });

    test("is kept for a day, and five minutes while a request runs that never ends", async () => {
      await using world = await open();
      const { idempotency } = world.store;
      await idempotency.begin(...request, "body", noon);
      expect(await idempotency.begin(...request, "body", after(300))).toMatchObject({ state: "running" });
      expect(await idempotency.begin(...request, "body", after(301))).toEqual({ state: "new" });
      await idempotency.finish(...request, answer);
      expect(await idempotency.begin(...request, "other", after(301 + day))).toMatchObject({ state: "done" });
      expect(await idempotency.begin(...request, "other", after(302 + day))).toEqual({ state: "new" });
      const running = { state: "running", fingerprint: "other" } as const;
      expect(await idempotency.begin(...request, "other", after(303 + day))).toEqual(running);
    });

    test("is deleted when it is old", async () => {
      await using world = await open();
      const { idempotency } = world.store;
      await idempotency.begin(...request, "body", noon);
      await idempotency.begin("org_acme", "r", "young", "body", after(10));
      expect(await idempotency.prune(after(10))).toBe(1);
      expect(await idempotency.begin("org_acme", "r", "young", "body", after(10))).toMatchObject({
        state: "running",
      });
    });
  });

  describe("request counts", () => {
    test("add up, whoever counts at once", async () => {
      await using world = await open();
      const { rates } = world.store;
      expect(await rates.add("org_acme", "2026-11-21T12", 5)).toBe(5);
      const sums = await Promise.all(
        Array.from({ length: 20 }, () => rates.add("org_acme", "2026-11-21T12", 2)),
      );
      expect(Math.max(...sums)).toBe(45);
      expect(new Set(sums).size).toBe(20);
    });

    test("are loaded by the hour, and old hours forgotten", async () => {
      await using world = await open();
      const { rates } = world.store;
      await rates.add("org_acme", "2026-11-21T11", 1);
      await rates.add("org_acme", "2026-11-21T12", 2);
      await rates.add("ip:192.0.2.1", "2026-11-21T12", 3);
      await rates.prune("2026-11-21T12");
      expect(await rates.load("2026-11-21T11")).toEqual([]);
      const counts = await rates.load("2026-11-21T12");
      expect(counts.toSorted((a, b) => a.count - b.count)).toEqual([
        { subject: "org_acme", count: 2 },
        { subject: "ip:192.0.2.1", count: 3 },
      ]);
    });
  });
}
