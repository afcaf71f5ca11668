/** The repositories on which Plumbline is enabled (specification §4). */
import { Elysia, status } from "elysia";
import { callerOf } from "../call.ts";
import { isUnchanged, revalidated, weakTag } from "../conditional.ts";
import { documented } from "../openapi/documented.ts";
import { NoParameters, Unchanged } from "../schemas/building-blocks.ts";
import { RepositoryList, toRepository } from "../schemas/repository.ts";
import type { ServerDeps } from "../server-deps.ts";

export function repositoryRoutes({ store }: ServerDeps) {
  return new Elysia().get(
    "/v1/repositories",
    async ({ request, set }) => {
      const { organizationId } = callerOf(request);
      const list = { data: (await store.repositories.list(organizationId)).map(toRepository) };
      const tag = weakTag(["repositories", organizationId, JSON.stringify(list)]);
      Object.assign(set.headers, revalidated(tag));
      if (isUnchanged(request.headers.get("if-none-match"), tag)) return status(304, undefined);
      return list;
    },
    {
      query: NoParameters,
      response: { 200: RepositoryList, 304: Unchanged },
      detail: documented({
        operationId: "listRepositories",
        tag: "Repositories",
        summary: "List repositories",
        description: "All repositories on which Plumbline is enabled, by name.",
        reads: ["If-None-Match"],
        answers: ["ETag"],
        example: {
          data: [
            {
              id: "repo_01JD8Y3Q2M9V4T6B7N8P0R1S2T",
              name: "acme/shop",
              auto_review: true,
              reviews_count: 12,
              last_review_at: "2026-11-21T09:30:00.000Z",
            },
          ],
        },
      }),
    },
  );
}
