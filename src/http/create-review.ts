/** POST /v1/reviews: stores the review, once for each Idempotency-Key. */
import type { Static } from "@sinclair/typebox";
import { defaultReviewOptions } from "../domain/review.ts";
import type { Store, StoredAnswer } from "../domain/store.ts";
import { callerOf, callOf } from "./call.ts";
import { createIdempotency, idempotencyKeyOf } from "./idempotency.ts";
import type { ReviewAccepted, ReviewCreation } from "./schemas/review.ts";
import type { ServerDeps } from "./server-deps.ts";

/** While nothing is known of this organization's reviews. */
const estimatedSecondsDefault = 20;

export function createReviewCreator(deps: ServerDeps) {
  const { store, siteUrl } = deps;
  const idempotency = createIdempotency(deps);

  /** Errors: AppError as `requestReview` and `Idempotency.run` have them. */
  return async (request: Request, body: Static<typeof ReviewCreation>) => {
    const { organizationId } = callerOf(request);
    const key = idempotencyKeyOf(request.headers);
    const recent = await store.reviews.recentDurationSeconds(organizationId);
    const estimatedSeconds = Math.max(1, Math.ceil(recent ?? estimatedSecondsDefault));
    const answer = (reviewId: string) => accepted(reviewId, estimatedSeconds, siteUrl());

    const create = async (first?: (tx: Store, answer: StoredAnswer) => Promise<void>) => {
      const review = await deps.requestReview({
        organizationId,
        repository: body.repository,
        pullRequest: body.pull_request,
        options: {
          focusAreas: body.options?.focus_areas ?? defaultReviewOptions.focusAreas,
          severityThreshold: body.options?.severity_threshold ?? defaultReviewOptions.severityThreshold,
        },
        origin: "api",
        ...(first !== undefined && { alsoInTransaction: (tx, id) => first(tx, answer(id)) }),
      });
      return answer(review.id);
    };

    if (key === null) return { answer: await create(), replayed: false };
    const route = "POST /v1/reviews";
    return idempotency.run({ organizationId, route, key, body: callOf(request).body }, create);
  };
}

function accepted(id: string, estimatedSeconds: number, siteUrl: string): StoredAnswer {
  const webhookUrl = `${siteUrl}/v1/reviews/${id}`;
  const body: Static<typeof ReviewAccepted> = {
    id,
    status: "processing",
    estimated_seconds: estimatedSeconds,
    webhook_url: webhookUrl,
  };
  return { status: 202, headers: { location: webhookUrl }, body: JSON.stringify(body) };
}
