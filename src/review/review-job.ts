/** The job behind a review: made with it, and made again while it waits for credits. */
import type { ClaimedJob, NewJob } from "../domain/job.ts";
import type { Repository } from "../domain/repository.ts";
import type { Review } from "../domain/review.ts";

export const reviewJobKind = "review";
const maxAttempts = 5;

/** Reviews of one pull request share a lock key, so that they run one after another, in the order of the requests. */
export function reviewJob(review: Review, repository: Repository, runAt: Date): NewJob {
  return {
    lane: "review",
    organizationId: review.organizationId,
    kind: reviewJobKind,
    lockKey: `${repository.codeHostId}/${review.repository}#${review.pullRequest}`,
    dedupeKey: null,
    payload: { reviewId: review.id } satisfies ReviewJobPayload,
    runAt,
    maxAttempts,
    priority: 0,
  };
}

interface ReviewJobPayload {
  reviewId: string;
}

export function reviewIdOf(job: ClaimedJob): string {
  const { payload } = job;
  if (typeof payload === "object" && payload !== null && "reviewId" in payload) {
    if (typeof payload.reviewId === "string") return payload.reviewId;
  }
  throw new Error(`Job ${job.id} names no review.`);
}
