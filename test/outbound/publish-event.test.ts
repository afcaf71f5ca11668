import { describe, expect, test } from "bun:test";
import { aReview, startOutbound } from "./start-outbound.ts";

const elsewhere = "https://ci.example/hook";

async function dataOf(outbound: Awaited<ReturnType<typeof startOutbound>>) {
  const [delivery] = await outbound.deliveries();
  const message = await outbound.store.outbox.message(delivery?.messageId ?? "");
  return JSON.parse(message?.body ?? "null")?.data;
}

describe("announcing a review", () => {
  test("writes nothing down for an organization without an endpoint", async () => {
    await using outbound = await startOutbound();
    await outbound.announces();
    expect(await outbound.deliveries()).toEqual([]);
    expect(await outbound.store.jobs.counts()).toEqual([]);
  });

  test("writes the event and its delivery down, due at once", async () => {
    await using outbound = await startOutbound();
    await outbound.endpoint(elsewhere);
    await outbound.announces("review.started");
    const now = outbound.clock.now();
    expect(await outbound.deliveries()).toMatchObject([
      { event: "review.started", state: "waiting", attempts: 0, nextAttemptAt: now, endedAt: null },
    ]);
    expect(await outbound.store.jobs.counts()).toEqual([{ lane: "deliver", state: "queued", count: 1 }]);
  });

  test("happens with the change it announces, or not at all", async () => {
    await using outbound = await startOutbound();
    await outbound.endpoint(elsewhere);
    const failing = outbound.store.transaction(async (tx) => {
      await tx.settings.put("changed", true);
      await outbound.announce(
        tx,
        "review.completed",
        aReview("review.completed", "acme", "rev_1", outbound.clock.now()),
      );
      throw new Error("the change was refused");
    });
    await expect(failing).rejects.toThrow("the change was refused");
    expect(await outbound.deliveries()).toEqual([]);
    expect(await outbound.store.jobs.counts()).toEqual([]);
  });

  test("leaves out the events that the endpoint did not ask for", async () => {
    await using outbound = await startOutbound();
    await outbound.endpoint(elsewhere, { events: ["review.failed"] });
    for (const event of ["review.started", "review.completed", "review.failed"] as const) {
      await outbound.announces(event);
    }
    expect(await outbound.deliveries()).toMatchObject([{ event: "review.failed" }]);
  });

  test("links the pull request's page, by the host's template before the host told it", async () => {
    await using outbound = await startOutbound();
    await outbound.endpoint(elsewhere);
    const { store } = outbound;
    const createdAt = outbound.clock.now();
    await store.codeHosts.insert({
      ...{ id: "host_1", organizationId: "org_acme", kind: "git", name: "local", url: "file:///srv/git" },
      webUrl: "https://git.corp/{repository}/merge/{number}?of={repository}",
      ...{ settings: {}, sealedToken: null, sealedWebhookSecret: null, createdAt },
    });
    await store.repositories.insert({
      ...{ id: "repo_acme", organizationId: "org_acme", name: "acme/shop", codeHostId: "host_1" },
      ...{ autoReview: false, createdAt, disabledAt: null },
    });
    await outbound.announces("review.started", { review: { pullRequestUrl: null } });
    expect((await dataOf(outbound)).url).toBe("https://git.corp/acme/shop/merge/7?of=acme/shop");
  });

  test("links the review's own page where the host has no pages", async () => {
    await using outbound = await startOutbound();
    await outbound.endpoint(elsewhere);
    await outbound.announces("review.failed", { review: { id: "rev_7", pullRequestUrl: null } });
    expect((await dataOf(outbound)).url).toBe("http://localhost:8080/reviews/rev_7");
  });

  test("keeps the events of a disabled endpoint without sending them", async () => {
    await using outbound = await startOutbound();
    const endpoint = await outbound.endpoint(elsewhere);
    await outbound.store.endpoints.disable(endpoint.id, "It answered 410 Gone.", outbound.clock.now());
    await outbound.announces();
    expect(await outbound.deliveries()).toMatchObject([{ state: "cancelled", nextAttemptAt: null }]);
    expect(await outbound.store.jobs.counts()).toEqual([]);
  });
});
