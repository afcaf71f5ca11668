import { describe, expect, test } from "bun:test";
import type { Store } from "../../src/domain/store.ts";
import {
  testReviewId,
  type WebhookAttempt,
  type WebhookEndpoint,
  type WebhookMessage,
} from "../../src/domain/webhook.ts";
import type { Delivery } from "../../src/domain/webhook-store.ts";
import { after, aJob, anOrganization, noon, type OpenTestStore } from "./store-world.ts";

const endpoint: WebhookEndpoint = {
  id: "ep_1",
  organizationId: "org_acme",
  url: "https://ci.corp/hook",
  events: ["review.completed"],
  setByOwner: true,
  sealedSecret: "v1.sealed",
  sealedPreviousSecret: "v1.before",
  previousSecretExpiresAt: after(86_400),
  createdAt: noon,
  disabledReason: null,
  disabledAt: null,
};

export function webhooksContract(open: OpenTestStore): void {
  describe("the webhook endpoint", () => {
    test("comes back as it was put, and keeps its id when put again", async () => {
      await using world = await open();
      await world.store.organizations.insert(anOrganization());
      await world.store.endpoints.put(endpoint);
      expect(await world.store.endpoints.get("org_acme")).toEqual(endpoint);
      await world.store.endpoints.put({ ...endpoint, id: "ep_2", url: "https://new.corp/", events: [] });
      const replaced = { ...endpoint, url: "https://new.corp/", events: [] };
      expect(await world.store.endpoints.byId("ep_1")).toEqual(replaced);
      expect(await world.store.endpoints.byId("ep_2")).toBeNull();
    });

    test("is disabled once with its reason, and enabled again", async () => {
      await using world = await open();
      await world.store.organizations.insert(anOrganization());
      await world.store.endpoints.put(endpoint);
      expect(await world.store.endpoints.disable("ep_1", "410 Gone", after(5))).toBe(true);
      expect(await world.store.endpoints.disable("ep_1", "again", after(6))).toBe(false);
      const disabled = { disabledReason: "410 Gone", disabledAt: after(5) };
      expect(await world.store.endpoints.get("org_acme")).toMatchObject(disabled);
      expect(await world.store.endpoints.enable("ep_1")).toBe(true);
      expect(await world.store.endpoints.enable("ep_1")).toBe(false);
      expect(await world.store.endpoints.get("org_acme")).toEqual(endpoint);
    });

    test("is deleted", async () => {
      await using world = await open();
      await world.store.organizations.insert(anOrganization());
      await world.store.endpoints.put(endpoint);
      expect(await world.store.endpoints.delete("org_acme")).toBe(true);
      expect(await world.store.endpoints.delete("org_acme")).toBe(false);
      expect(await world.store.endpoints.get("org_acme")).toBeNull();
    });
  });

  describe("a circuit", () => {
    test("is closed and without failures at first", async () => {
      await using world = await open();
      const closed = { consecutiveFailures: 0, failingSince: null, openings: 0, openUntil: null };
      expect(await world.store.circuits.get("ep_1")).toEqual(closed);
    });

    test("counts every failure, and remembers the first", async () => {
      await using world = await open();
      const { circuits } = world.store;
      await circuits.countFailure("ep_1", after(1));
      await Promise.all([2, 3, 4].map((n) => circuits.countFailure("ep_1", after(n))));
      const failing = { consecutiveFailures: 5, failingSince: after(1) };
      expect(await circuits.countFailure("ep_1", after(5))).toMatchObject(failing);
    });

    test("lets one delivery try when an opening has ended", async () => {
      await using world = await open();
      const { circuits } = world.store;
      await circuits.countFailure("ep_1", noon);
      await circuits.open("ep_1", after(60));
      expect(await circuits.claimProbe("ep_1", after(59), after(90))).toBe(false);
      const claims = await Promise.all(
        [1, 2, 3].map(() => circuits.claimProbe("ep_1", after(60), after(90))),
      );
      expect(claims.filter((isChosen) => isChosen)).toHaveLength(1);
      expect(await circuits.get("ep_1")).toMatchObject({
        openings: 1,
        openUntil: after(90),
        consecutiveFailures: 1,
      });
    });

    test("is half opened only while it is open, and closed forgets everything", async () => {
      await using world = await open();
      const { circuits } = world.store;
      await circuits.halfOpen("ep_1", noon);
      expect(await circuits.get("ep_1")).toMatchObject({ openUntil: null });
      await circuits.open("ep_1", after(60));
      await circuits.halfOpen("ep_1", after(10));
      expect(await circuits.get("ep_1")).toMatchObject({ openUntil: after(10), openings: 1 });
      await circuits.halfOpen("ep_1", after(20));
      expect(await circuits.get("ep_1")).toMatchObject({ openUntil: after(10) });
      await circuits.close("ep_1");
      expect(await circuits.get("ep_1")).toMatchObject({ openUntil: null, openings: 0 });
    });
  });

  describe("the outbox", () => {
    test("keeps the bytes of a message, its delivery and every attempt", async () => {
      await using world = await open();
      await world.store.organizations.insert(anOrganization());
      await send(world.store, 1);
      const { outbox } = world.store;
      expect(await outbox.message("msg_1")).toEqual(aMessage(1));
      expect(await outbox.delivery("dlv_1")).toEqual(aDelivery(1));
      const waiting = { state: "waiting", attempts: 1, nextAttemptAt: after(300), endedAt: null } as const;
      await outbox.recordAttempt(anAttempt(1, 1, { status: 503, errorClass: "status" }), waiting);
      const delivered = {
        state: "delivered",
        attempts: 2,
        nextAttemptAt: null,
        endedAt: after(301),
      } as const;
      await outbox.recordAttempt(anAttempt(1, 2), delivered);
      expect(await outbox.delivery("dlv_1")).toEqual({ ...aDelivery(1), ...delivered });
      const attempts = [anAttempt(1, 1, { status: 503, errorClass: "status" }), anAttempt(1, 2)];
      expect(await outbox.attempts("dlv_1")).toEqual(attempts);
    });

    test("keeps an attempt with the end of its job, or neither when the lease was lost", async () => {
      await using world = await open();
      const { outbox, jobs, organizations } = world.store;
      await organizations.insert(anOrganization());
      await send(world.store, 1);
      await jobs.enqueue(aJob({ lane: "deliver" }), noon);
      const job = await jobs.claim("deliver", noon, "token");
      if (job === null) throw new Error("nothing to claim");
      const delivered = { state: "delivered", attempts: 1, nextAttemptAt: null, endedAt: after(2) } as const;
      const finish = (leaseToken: string) =>
        outbox.finishAttempt({ ...job, leaseToken }, anAttempt(1, 1), delivered, after(2));

      expect(await finish("another")).toBe(false);
      expect(await outbox.delivery("dlv_1")).toEqual(aDelivery(1));
      expect(await outbox.attempts("dlv_1")).toEqual([]);

      expect(await finish("token")).toBe(true);
      expect(await outbox.delivery("dlv_1")).toEqual({ ...aDelivery(1), ...delivered });
      expect(await outbox.attempts("dlv_1")).toEqual([anAttempt(1, 1)]);
      expect((await jobs.counts()).filter(({ count }) => count > 0)).toEqual([]);
      expect(await finish("token")).toBe(false);
    });

    test("moves a delivery on without an attempt", async () => {
      await using world = await open();
      await world.store.organizations.insert(anOrganization());
      await send(world.store, 1);
      const cancelled = { state: "cancelled", attempts: 0, nextAttemptAt: null, endedAt: after(5) } as const;
      await world.store.outbox.updateDelivery("dlv_1", cancelled);
      expect(await world.store.outbox.delivery("dlv_1")).toMatchObject(cancelled);
      expect(await world.store.outbox.attempts("dlv_1")).toEqual([]);
    });

    test("lists an organization's deliveries, newest first, by state and since a time", async () => {
      await using world = await open();
      await world.store.organizations.insert(anOrganization());
      for (const n of [1, 2, 3, 4]) await send(world.store, n);
      const failed = { state: "failed", attempts: 10, nextAttemptAt: null, endedAt: after(9) } as const;
      for (const id of ["dlv_1", "dlv_3"]) await world.store.outbox.updateDelivery(id, failed);
      const page = { offset: 0, limit: 2 };
      const { outbox } = world.store;
      const all = await outbox.deliveries("org_acme", {}, page);
      expect(all).toMatchObject({
        total: 4,
        items: [{ id: "dlv_4", event: "review.completed", reviewId: "rev_4" }, { id: "dlv_3" }],
      });
      const refused = await outbox.deliveries("org_acme", { state: "failed", since: after(2) }, page);
      expect(refused).toMatchObject({ total: 1, items: [{ id: "dlv_3" }] });
      expect(await outbox.deliveries("org_other", {}, page)).toEqual({ items: [], total: 0 });
    });

    test("knows how an endpoint has answered since a time, tests left out", async () => {
      await using world = await open();
      await world.store.organizations.insert(anOrganization());
      const { outbox } = world.store;
      const state = { state: "waiting", attempts: 1, nextAttemptAt: null, endedAt: null } as const;
      for (const n of [1, 2]) await send(world.store, n);
      await send(world.store, 3, testReviewId);
      const refused = { status: 500, errorClass: "status" } as const;
      await outbox.recordAttempt(anAttempt(1, 1, { ...refused, startedAt: after(1) }), state);
      await outbox.recordAttempt(anAttempt(1, 2, { ...refused, startedAt: after(2) }), state);
      await outbox.recordAttempt(
        anAttempt(2, 1, { status: null, errorClass: "timeout", startedAt: after(3) }),
        state,
      );
      await outbox.recordAttempt(anAttempt(2, 2, { startedAt: after(4) }), state);
      await outbox.recordAttempt(anAttempt(3, 1, { startedAt: after(5) }), state);
      const health = { succeeded: 1, failedMessages: 2, firstFailureAt: after(1) };
      expect(await outbox.health("ep_1", noon)).toEqual(health);
      expect(await outbox.health("ep_1", after(3))).toEqual({
        succeeded: 1,
        failedMessages: 1,
        firstFailureAt: after(3),
      });
      expect(await outbox.health("ep_9", noon)).toEqual({
        succeeded: 0,
        failedMessages: 0,
        firstFailureAt: null,
      });
    });

    test("forgets old deliveries with all that belongs to them, and keeps a message that is still to be delivered", async () => {
      await using world = await open();
      await world.store.organizations.insert(anOrganization());
      const { outbox } = world.store;
      for (const n of [1, 2, 3]) await send(world.store, n);
      await outbox.insertDelivery({ ...aDelivery(1), id: "dlv_again" });
      const delivered = { state: "delivered", attempts: 1, nextAttemptAt: null } as const;
      for (const n of [1, 2, 3])
        await outbox.recordAttempt(anAttempt(n, 1), { ...delivered, endedAt: after(n) });
      expect(await outbox.prune(after(3), 10)).toBe(2);
      expect(await outbox.delivery("dlv_1")).toBeNull();
      expect(await outbox.message("msg_1")).not.toBeNull();
      expect(await outbox.message("msg_2")).toBeNull();
      expect(await outbox.attempts("dlv_2")).toEqual([]);
      expect(await outbox.delivery("dlv_3")).not.toBeNull();
      expect(await outbox.prune(after(3), 10)).toBe(0);
    });
  });
}

async function send(store: Store, n: number, reviewId?: string): Promise<void> {
  await store.transaction(async (tx) => {
    await tx.outbox.insertMessage({ ...aMessage(n), ...(reviewId !== undefined && { reviewId }) });
    await tx.outbox.insertDelivery(aDelivery(n));
  });
}

function aMessage(n: number): WebhookMessage {
  const body = `{"event":"review.completed","text":"größe \\u0000 ${n}"}`;
  const about = { organizationId: "org_acme", reviewId: `rev_${n}`, event: "review.completed" } as const;
  return { id: `msg_${n}`, ...about, body, createdAt: after(n) };
}

function aDelivery(n: number): Delivery {
  return {
    id: `dlv_${n}`,
    messageId: `msg_${n}`,
    endpointId: "ep_1",
    organizationId: "org_acme",
    state: "waiting",
    attempts: 0,
    nextAttemptAt: after(n),
    createdAt: after(n),
    endedAt: null,
  };
}

function anAttempt(delivery: number, attempt: number, change: Partial<WebhookAttempt> = {}): WebhookAttempt {
  return {
    id: `att_${delivery}_${attempt}`,
    deliveryId: `dlv_${delivery}`,
    url: "https://ci.corp/hook",
    attempt,
    startedAt: after(attempt * 10),
    durationMs: 12,
    status: 200,
    errorClass: null,
    error: null,
    responseHead: "ok",
    ...change,
  };
}
