/** Accepts a request for a review: the row, its credit and its job in one transaction, or nothing. */
import { AppError } from "../domain/errors.ts";
import type { Repository } from "../domain/repository.ts";
import type { Review, ReviewOptions, ReviewOrigin } from "../domain/review.ts";
import type { Clock, Ids } from "../domain/runtime.ts";
import type { Store } from "../domain/store.ts";
import { reserveCredit } from "./charge-credits.ts";
import { reviewJob } from "./review-job.ts";

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
  /** Runs first in the review's transaction, knowing the id that the review will have; what it throws undoes everything. */
  alsoInTransaction?: (tx: Store, reviewId: string) => Promise<void>;
}

/**
 * Answers once the review is durably stored; the code host is not asked anything. The caller wakes the worker.
 * Errors: AppError `repository_not_enabled`, `insufficient_credits`.
 */
export async function requestReview(deps: RequestReviewDeps, request: ReviewRequest): Promise<Review> {
  return deps.store.transaction(async (tx) => {
    const at = deps.clock.now();
    const id = deps.ids.next("rev");
    await request.alsoInTransaction?.(tx, id);
    const repository = await tx.repositories.byName(request.organizationId, request.repository);
    if (repository === null || repository.disabledAt !== null) {
      throw new AppError("repository_not_enabled", `Reviews are not enabled on ${request.repository}.`);
    }
    const review = newReview(id, request, repository, at);
    await tx.reviews.insert(review);
    if (request.origin === "api") await reserveOrRefuse(tx, review, at);
    await tx.jobs.enqueue(reviewJob(review, repository, at), at);
    return review;
  });
}

async function reserveOrRefuse(tx: Store, review: Review, at: Date): Promise<void> {
  if ((await reserveCredit(tx, review.organizationId, review.id, at)) === "reserved") return;
  throw new AppError("insufficient_credits", "All review credits of this month are used or reserved.");
}

/** One asked for by API is `processing` from its creation, queued or not; an event's waits as `pending`. */
function newReview(id: string, request: ReviewRequest, repository: Repository, at: Date): Review {
  return {
    id,
    organizationId: request.organizationId,
    repositoryId: repository.id,
    repository: repository.name,
    pullRequest: request.pullRequest,
    origin: request.origin,
    status: request.origin === "api" ? "processing" : "pending",
    options: request.options,
    pullRequestUrl: null,
    headSha: null,
    baseSha: null,
    summary: null,
    commentsCount: 0,
    metrics: null,
    failure: null,
    createdAt: at,
    startedAt: null,
    completedAt: null,
  };
}
