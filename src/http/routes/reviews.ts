/** Reviews: list, create, one with its comments (specification §4). */
import { Type } from "@sinclair/typebox";
import { Elysia, status } from "elysia";
import { AppError } from "../../domain/errors.ts";
import { callerOf, callOf } from "../call.ts";
import { isUnchanged, revalidated, weakTag } from "../conditional.ts";
import { createReviewCreator } from "../create-review.ts";
import { documented } from "../openapi/documented.ts";
import { pageLinks } from "../page-links.ts";
import { refuseRepeatedParameters } from "../query-string.ts";
import { readJsonBody } from "../read-body.ts";
import { NoParameters, Unchanged } from "../schemas/building-blocks.ts";
import {
  ReviewAccepted,
  ReviewCreation,
  ReviewDetail,
  ReviewList,
  ReviewListQuery,
  toDetail,
  toListItem,
} from "../schemas/review.ts";
import type { ServerDeps } from "../server-deps.ts";
import { reviewNotes } from "./review-notes.ts";

const ReviewPath = Type.Object({ id: Type.String({ description: "The review's id, `rev_…`." }) });

export function reviewRoutes(deps: ServerDeps) {
  const { store, siteUrl, version } = deps;
  const createReview = createReviewCreator(deps);

  return new Elysia()
    .onTransform(({ request }) => refuseRepeatedParameters(callOf(request).query))
    .get(
      "/v1/reviews",
      async ({ request, query, set }) => {
        const { organizationId } = callerOf(request);
        const asOf = await store.reviews.version(organizationId);
        const tag = weakTag(["reviews", version, siteUrl(), organizationId, asOf, callOf(request).query]);
        Object.assign(set.headers, revalidated(tag));
        if (isUnchanged(request.headers.get("if-none-match"), tag)) return status(304, undefined);
        const perPage = Number(query.limit);
        const page = Number(query.page);
        const { items, total } = await store.reviews.list(organizationId, query, {
          offset: (page - 1) * perPage,
          limit: perPage,
        });
        set.headers.link = pageLinks({ url: `${siteUrl()}/v1/reviews`, query, page, perPage, total });
        return { data: items.map(toListItem), meta: { total, page, per_page: perPage } };
      },
      {
        query: ReviewListQuery,
        response: { 200: ReviewList, 304: Unchanged },
        detail: documented(reviewNotes.list),
      },
    )
    .post(
      "/v1/reviews",
      async ({ request, body, set }) => {
        const { answer, replayed } = await createReview(request, body);
        Object.assign(set.headers, answer.headers);
        if (replayed) set.headers["idempotency-replayed"] = "true";
        set.status = 202;
        return JSON.parse(answer.body);
      },
      {
        query: NoParameters,
        parse: readJsonBody,
        body: ReviewCreation,
        response: { 202: ReviewAccepted },
        detail: documented(reviewNotes.create),
      },
    )
    .get(
      "/v1/reviews/:id",
      async ({ request, params, set }) => {
        const { organizationId } = callerOf(request);
        const asOf = await store.reviews.version(organizationId);
        const tag = weakTag(["review", version, siteUrl(), organizationId, asOf, params.id]);
        Object.assign(set.headers, revalidated(tag));
        if (isUnchanged(request.headers.get("if-none-match"), tag)) return status(304, undefined);
        const review = await store.reviews.get(organizationId, params.id);
        if (review === null) throw new AppError("not_found", "There is no review with this id.");
        return toDetail(review, siteUrl());
      },
      {
        params: ReviewPath,
        query: NoParameters,
        response: { 200: ReviewDetail, 304: Unchanged },
        detail: documented(reviewNotes.get),
      },
    );
}
