/** The end of a review that could not be done: its cause, its credit back, and the news of it. */
import type { Announce } from "../domain/announce.ts";
import { CodeHostUnavailable } from "../domain/code-host.ts";
import type { ClaimedJob } from "../domain/job.ts";
import { JobInterrupted } from "../domain/job-handler.ts";
import { ReviewFailed, type ReviewFailure } from "../domain/review.ts";
import type { Clock, Logger } from "../domain/runtime.ts";
import type { Store } from "../domain/store.ts";
import { reviewIdOf } from "./review-job.ts";

/** In the transaction that buries the job. */
export async function failReview(
  deps: { clock: Clock; logger: Logger; announce: Announce },
  tx: Store,
  job: ClaimedJob,
  cause: unknown,
): Promise<void> {
  const reviewId = reviewIdOf(job);
  const failure = failureOf(reviewId, job, cause);
  const at = deps.clock.now();
  if (!(await tx.reviews.fail(reviewId, failure, at))) return;
  await tx.credits.release(reviewId, at);
  const review = await tx.reviews.get(job.organizationId, reviewId);
  if (review !== null) await deps.announce(tx, "review.failed", review);
  const level = failure.code === "internal" ? "error" : "warn";
  deps.logger[level]("review failed", {
    review_id: reviewId,
    job_id: job.id,
    code: failure.code,
    error: cause,
  });
}

/** Only errors made for people are repeated to them; of any other they learn where an admin finds it. */
function failureOf(reviewId: string, job: ClaimedJob, cause: unknown): ReviewFailure {
  if (cause instanceof ReviewFailed) return cause.failure;
  if (cause instanceof CodeHostUnavailable) {
    const message = `${cause.message} The review was tried ${job.attempt} times.`;
    return { code: "repository_unreachable", message };
  }
  if (cause instanceof JobInterrupted) {
    return { code: "interrupted", message: `The review was given up. ${cause.message}` };
  }
  return {
    code: "internal",
    message: `The review ran into a fault of Plumbline. An administrator finds it in the log under ${reviewId}.`,
  };
}
