/** A worker takes up a review: the first time it starts, is charged if an event made it, and is announced. */
import type { Announce } from "../domain/announce.ts";
import type { JobRun } from "../domain/job-handler.ts";
import type { Review } from "../domain/review.ts";
import type { Clock } from "../domain/runtime.ts";
import type { Store } from "../domain/store.ts";
import { reserveCredit } from "./charge-credits.ts";
import { reviewIdOf, reviewJob } from "./review-job.ts";

export type StartedReview = Review & { startedAt: Date };

/** Null when there is nothing to do now: the review has ended, or waits for credits. The job has ended then. */
export async function takeUpReview(
  deps: { clock: Clock; announce: Announce },
  { job, store, complete }: JobRun,
): Promise<StartedReview | null> {
  return store.transaction(async (tx) => {
    const at = deps.clock.now();
    const review = await tx.reviews.get(job.organizationId, reviewIdOf(job));
    if (review === null || review.completedAt !== null) {
      await complete(tx);
      return null;
    }
    if (review.startedAt !== null) return { ...review, startedAt: review.startedAt };
    if (review.origin === "event" && (await lacksCredit(tx, review, at))) {
      await complete(tx);
      return null;
    }
    const started: StartedReview = { ...review, status: "processing", startedAt: at };
    await tx.reviews.start(review.id, at);
    await deps.announce(tx, "review.started", started);
    return started;
  });
}

const creditPollMs = 10 * 60_000;

/** Without a credit the review stays `pending` and a job of its own looks again later, its attempts not used up. */
async function lacksCredit(tx: Store, review: Review, at: Date): Promise<boolean> {
  if ((await reserveCredit(tx, review.organizationId, review.id, at)) === "reserved") return false;
  const repository = await tx.repositories.get(review.repositoryId);
  if (repository !== null) {
    await tx.jobs.enqueue(reviewJob(review, repository, new Date(at.getTime() + creditPollMs)), at);
  }
  return true;
}
