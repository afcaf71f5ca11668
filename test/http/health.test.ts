import { describe, expect, test } from "bun:test";
import { setMetricsOpen } from "../../src/domain/instance-settings.ts";
import { problemOf, startTestServer } from "./serve.ts";

const stranger = { authorization: "none" };

describe("health", () => {
  test("is told to everybody, before any set-up", async () => {
    await using server = await startTestServer();
    for (const path of ["/healthz", "/readyz"]) {
      const answer = await server.get(path, stranger);
      expect(answer.status).toBe(200);
      expect(await answer.json()).toEqual({ status: "ok" });
    }
  });

  test("is not readiness: without a database the process lives but is not ready", async () => {
    await using server = await startTestServer();
    await server.store.close();
    expect((await server.get("/healthz", stranger)).status).toBe(200);
    expect((await server.get("/readyz", stranger)).status).toBeGreaterThanOrEqual(500);
  });
});

describe("metrics", () => {
  test("are in Prometheus' text format", async () => {
    await using server = await startTestServer();
    await server.get("/v1/usage");
    const answer = await server.get("/metrics", stranger);
    expect(answer.headers.get("content-type")).toStartWith("text/plain; version=0.0.4");
    const lines = (await answer.text()).split("\n").filter((line) => line !== "");
    for (const line of lines) {
      expect(line).toMatch(/^(# (HELP|TYPE) [a-z_]+ .+|[a-z_]+(\{[^}]*\})? [0-9.eE+-]+)$/);
    }
    expect(lines).toContain(
      'plumbline_http_request_duration_seconds_count{method="GET",route="/v1/usage",status="200"} 1',
    );
  });

  test("name routes by their pattern and nobody's organization, repository, review or key", async () => {
    await using server = await startTestServer();
    const { id } = await server.asks();
    await server.get(`/v1/reviews/${id}`);
    await server.get("/v1/reviews?repository=acme/shop");
    await server.get("/secret/acme/path");
    await server.fetch("/v1/reviews", { method: "PROPFIND" });
    const text = await (await server.get("/metrics")).text();
    expect(text).toContain('route="/v1/reviews/:id"');
    expect(text).toContain('route="unmatched"');
    expect(text).toContain('method="other"');
    for (const name of ["acme", id, server.key, "PROPFIND"]) expect(text).not.toContain(name);
  });

  test("count what waits in the queue", async () => {
    await using server = await startTestServer();
    await server.asks();
    const text = await (await server.get("/metrics")).text();
    expect(text).toContain('plumbline_jobs{lane="review",state="queued"} 1');
    for (const name of ["process_resident_memory_bytes", "plumbline_event_loop_lag_seconds"]) {
      expect(text).toMatch(new RegExp(`^${name} \\d`, "m"));
    }
  });

  test("count what became of reviews and deliveries", async () => {
    await using server = await startTestServer();
    server.metrics.countReviewEvent("review.completed");
    server.metrics.countDelivery("delivered");
    server.metrics.countDelivery("delivered");
    const text = await (await server.get("/metrics")).text();
    expect(text).toContain('plumbline_review_events_total{event="review.completed"} 1');
    expect(text).toContain('plumbline_webhook_attempts_total{outcome="delivered"} 2');
  });

  test("are closed to other machines, also through a proxy on this one", async () => {
    await using server = await startTestServer();
    const answer = await server.get("/metrics", { "x-forwarded-for": "203.0.113.9" });
    expect(answer.status).toBe(403);
    expect((await problemOf(answer)).code).toBe("forbidden");
  });

  test("are open to them once that is set", async () => {
    await using server = await startTestServer();
    await setMetricsOpen(server.store.settings, true);
    expect((await server.get("/metrics", { "x-forwarded-for": "203.0.113.9" })).status).toBe(200);
  });
});
