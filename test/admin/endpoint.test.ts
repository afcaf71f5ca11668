import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { listDeliveries, redeliver, redeliverFailed, showDelivery } from "../../src/admin/deliveries.ts";
import {
  allowTarget,
  disallowTarget,
  enableEndpoint,
  getEndpoint,
  listAllowedTargets,
  promoteEndpointSecret,
  removeEndpoint,
  rotateEndpointSecret,
  setEndpoint,
  testEndpoint,
} from "../../src/admin/endpoint.ts";
import type { Operation } from "../../src/admin/operation.ts";
import { theOrganization } from "../../src/admin/setup.ts";
import { answers, startWebhookSink, type WebhookSink } from "../support/webhook-sink.ts";
import { refusalOf, startAdministration, type TestAdministration } from "./administration.ts";

let admin: TestAdministration;
let sink: WebhookSink;

beforeEach(async () => {
  [admin, sink] = await Promise.all([startAdministration(), startWebhookSink()]);
  await admin.setsUp();
});
afterEach(async () => {
  await Promise.all([admin[Symbol.asyncDispose](), sink.close()]);
});

describe("the webhook endpoint", () => {
  test("gets a secret of its own, which is shown when it is made and never again", async () => {
    const { secret, ...made } = await admin.run(setEndpoint, { url: sink.url });
    expect(secret).toMatch(/^whsec_/);
    const shown = await admin.run(getEndpoint, {});
    expect(shown).toEqual(made);
    expect(shown).toMatchObject({ url: sink.url, events: [], set_by_owner: true, disabled_at: null });
    expect(JSON.stringify([shown, admin.log])).not.toContain(secret ?? "");
  });

  test("keeps its secret when only the address changes", async () => {
    await admin.run(setEndpoint, { url: sink.url });
    const moved = await admin.run(setEndpoint, { url: `${sink.url}/other`, events: ["review.failed"] });
    expect(moved).toMatchObject({ secret: null, url: `${sink.url}/other`, events: ["review.failed"] });
  });

  test("may be private when the owner sets it, for admins only what was allowed", async () => {
    expect((await refusalOf(admin.run(setEndpoint, { url: sink.url }, "admin"))).kind).toBe(
      "validation_failed",
    );
    expect((await admin.run(allowTarget, { target: `127.0.0.1:${sink.port}` })).data).toHaveLength(1);
    expect(await admin.run(setEndpoint, { url: sink.url }, "admin")).toMatchObject({ set_by_owner: false });
    await admin.run(disallowTarget, { target: `127.0.0.1:${sink.port}` });
    expect((await admin.run(listAllowedTargets, {}, "admin")).data).toEqual([]);
  });

  test("is tested on request, and the answer is told", async () => {
    await admin.run(setEndpoint, { url: sink.url });
    expect(await admin.run(testEndpoint, {})).toMatchObject({
      delivered: true,
      attempt: { status: 200, attempt: 0 },
    });
    sink.behaves(answers(500));
    expect(await admin.run(testEndpoint, {})).toMatchObject({
      delivered: false,
      attempt: { status: 500, error_class: "status" },
    });
    expect(sink.received()).toHaveLength(2);
  });

  test("changes its secret with a day of overlap, which can be ended", async () => {
    await admin.run(setEndpoint, { url: sink.url });
    const rotated = await admin.run(rotateEndpointSecret, {});
    expect(rotated.secret).toMatch(/^whsec_/);
    expect(rotated.previous_secret_expires_at).toBe("2026-11-22T06:00:00.000Z");
    expect((await refusalOf(admin.run(rotateEndpointSecret, {}))).kind).toBe("conflict");
    expect((await admin.run(promoteEndpointSecret, {})).previous_secret_expires_at).toBeNull();
    expect((await admin.run(rotateEndpointSecret, { secret: "given" })).secret).toBeNull();
  });

  test("that was disabled sends again once it is enabled", async () => {
    await admin.run(setEndpoint, { url: sink.url });
    const { id } = await admin.run(getEndpoint, {});
    await admin.administration.store.endpoints.disable(id, "it answered 410", admin.clock.now());
    expect(await admin.run(getEndpoint, {})).toMatchObject({ disabled_reason: "it answered 410" });
    const wakes = admin.wakes();
    expect(await admin.run(enableEndpoint, {})).toMatchObject({ disabled_at: null, disabled_reason: null });
    expect(admin.wakes()).toBe(wakes + 1);
  });

  test("that was removed is there no more", async () => {
    await admin.run(setEndpoint, { url: sink.url });
    expect(await admin.run(removeEndpoint, {})).toEqual({ url: sink.url });
    const operations: readonly Operation[] = [getEndpoint, removeEndpoint, testEndpoint, enableEndpoint];
    for (const operation of operations) {
      expect((await refusalOf(admin.run(operation, {}))).kind).toBe("not_found");
    }
  });
});

describe("deliveries", () => {
  test("are listed newest first, page by page and by state", async () => {
    await delivers("delivered", "failed", "failed");
    const all = await admin.run(listDeliveries, {});
    expect(all.meta).toEqual({ total: 3, page: 1, per_page: 20 });
    expect(all.data.map(({ id }) => id)).toEqual([...all.data.map(({ id }) => id)].sort().reverse());
    const failed = await admin.run(listDeliveries, { state: "failed", limit: 1, page: 2 });
    expect(failed.meta).toEqual({ total: 2, page: 2, per_page: 1 });
    expect(failed.data).toHaveLength(1);
  });

  test("are shown with their body and their attempts", async () => {
    await admin.run(setEndpoint, { url: sink.url });
    const { delivery_id } = await admin.run(testEndpoint, {});
    const shown = await admin.run(showDelivery, { id: delivery_id });
    expect(shown).toMatchObject({ state: "delivered", message_id: expect.stringMatching(/^msg_/) });
    expect(shown.body).toBe(sink.received()[0]?.body ?? "");
    expect(shown.attempts_made).toMatchObject([{ attempt: 0, url: sink.url, status: 200 }]);
    expect((await refusalOf(admin.run(showDelivery, { id: "dlv_0" }))).kind).toBe("not_found");
  });

  test("are sent again one by one, or all that failed since a time; the worker hears of it", async () => {
    const [first] = await delivers("failed", "delivered", "failed");
    const wakes = admin.wakes();
    expect(await admin.run(redeliver, { id: first ?? "" })).toEqual({ id: first ?? "" });
    expect(await admin.run(redeliverFailed, { since: "2026-11-21" })).toEqual({ redelivered: 2 });
    expect(await admin.run(redeliverFailed, { since: "2026-11-21T06:00:01Z" })).toEqual({ redelivered: 0 });
    expect(admin.wakes()).toBe(wakes + 3);
  });

  test.each([["yesterday"], ["2026-13-41"], ["2026-11-21T25:00:00Z"], ["1763704800"]])(
    "are not looked for since %p",
    async (since) => {
      await delivers();
      expect((await refusalOf(admin.run(redeliverFailed, { since }))).kind).toBe("validation_failed");
    },
  );
});

/** Deliveries to the endpoint that ended so; answers their ids. */
async function delivers(...states: ("delivered" | "failed")[]): Promise<string[]> {
  const endpoint = await admin.run(setEndpoint, { url: sink.url });
  const { store, ids, clock } = admin.administration;
  const { id: organizationId } = await theOrganization(admin.administration);
  const made: string[] = [];
  for (const state of states) {
    const message = {
      id: ids.next("msg"),
      organizationId,
      reviewId: ids.next("rev"),
      createdAt: clock.now(),
    };
    const id = ids.next("dlv");
    await store.outbox.insertMessage({ ...message, event: "review.completed", body: "{}" });
    await store.outbox.insertDelivery({
      ...{ id, messageId: message.id, endpointId: endpoint.id, organizationId, state, attempts: 10 },
      ...{ nextAttemptAt: null, createdAt: clock.now(), endedAt: clock.now() },
    });
    made.push(id);
  }
  return made;
}
