/** Liveness, readiness and metrics: for load balancers, service managers and Prometheus. */
import { Elysia } from "elysia";
import { AppError } from "../../domain/errors.ts";
import { metricsAreOpen } from "../../domain/instance-settings.ts";
import { callOf } from "../call.ts";
import { isLoopback } from "../client-address.ts";
import { documented } from "../openapi/documented.ts";
import { Health } from "../schemas/health.ts";
import type { ServerDeps } from "../server-deps.ts";

export function healthRoutes({ store, metrics }: ServerDeps) {
  return new Elysia()
    .get("/healthz", async () => ({ status: "ok" as const }), {
      response: { 200: Health },
      detail: documented({
        operationId: "getLiveness",
        tag: "Service",
        summary: "Is the process alive",
        example: { status: "ok" },
      }),
    })
    .get(
      "/readyz",
      async () => {
        await store.ping();
        return { status: "ok" as const };
      },
      {
        response: { 200: Health },
        detail: documented({
          operationId: "getReadiness",
          tag: "Service",
          summary: "Can the service answer",
          description: "Asks the database. Ready before the set-up and without a code host, too.",
          errors: ["storage_busy"],
          example: { status: "ok" },
        }),
      },
    )
    .get(
      "/metrics",
      async ({ request }) => {
        const { address } = callOf(request);
        const forwarded = request.headers.has("x-forwarded-for") || request.headers.has("forwarded");
        const isLocal = isLoopback(address) && !forwarded;
        if (!isLocal && !(await metricsAreOpen(store.settings))) {
          throw new AppError(
            "forbidden",
            "Metrics are open on this machine only, until an owner opens them.",
          );
        }
        return new Response(await metrics.text(), { headers: { "content-type": metrics.contentType } });
      },
      {
        detail: documented({
          operationId: "getMetrics",
          tag: "Service",
          summary: "Metrics in Prometheus' text format",
          errors: ["forbidden"],
          contentType: "text/plain",
        }),
      },
    );
}
