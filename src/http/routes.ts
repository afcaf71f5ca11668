/** The route table: everything that has an address. What is below /v1 and /api is reached with a key only. */
import { Elysia } from "elysia";
import { callOf } from "./call.ts";
import { answerUnmatched, type Refuse } from "./refuse.ts";
import { createRouteList } from "./route-list.ts";
import { errorPages } from "./routes/error-pages.ts";
import { healthRoutes } from "./routes/health.ts";
import { operationRoutes } from "./routes/operations.ts";
import { referenceRoutes } from "./routes/reference.ts";
import { repositoryRoutes } from "./routes/repositories.ts";
import { reviewRoutes } from "./routes/reviews.ts";
import { usageRoutes } from "./routes/usage.ts";
import type { ServerDeps } from "./server-deps.ts";

export function createRoutes(deps: ServerDeps, refuse: Refuse, document: () => Promise<string>) {
  const app = new Elysia({ normalize: false, handler: { standardHostname: false } })
    .onError(({ code, error, request, set }) => {
      // What a route meant for its answer, such as an ETag, does not belong to an error.
      set.headers = {};
      return code === "NOT_FOUND" ? unmatched(request) : refuse(error, callOf(request));
    })
    .onTransform(({ request, route }) => {
      callOf(request).route = route;
    })
    .use(reviewRoutes(deps)) // /v1/reviews, /v1/reviews/:id
    .use(repositoryRoutes(deps)) // /v1/repositories
    .use(usageRoutes(deps)) // /v1/usage
    .use(operationRoutes(deps.operations)) // /api/…
    .use(healthRoutes(deps)) // /healthz, /readyz, /metrics
    .use(errorPages()) // /errors, /errors/:code
    .use(referenceRoutes({ document })); // /swagger, /swagger/json, /swagger/:asset

  const list = createRouteList(app.routes);
  const unmatched = (request: Request) => {
    const call = callOf(request);
    return answerUnmatched(list.methodsAt(call.path), request, call, refuse);
  };
  return app;
}
