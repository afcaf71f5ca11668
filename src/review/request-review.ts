/** Accepts a request for a review: the row, its credit and its job in one transaction, or nothing. */
import type { Review, ReviewOptions, ReviewOrigin } from "../domain/review.ts";
import type { Clock, Ids } from "../domain/runtime.ts";
import type { Store } from "../domain/store.ts";

export interface RequestReviewDeps {
  store: Store;
  clock: Clock;
  ids: Ids;
}

export interface ReviewRequest {
  organizationId: string;
  /** `owner/repo` */
  repository: string;
  pullRequest: number;
  options: ReviewOptions;
  origin: ReviewOrigin;
}

/**
 * Answers once the review is durably stored; the code host is not asked anything. The caller wakes the worker.
 * Errors: AppError `repository_not_enabled`, `insufficient_credits`.
 */
export async function requestReview(_deps: RequestReviewDeps, _request: ReviewRequest): Promise<Review> {
  throw new Error("not built yet");
}
