/**
 * A review from its job to its comments. A failure is thrown: the worker tries again or buries the job, and with
 * the burial the review fails (fail-review.ts).
 */
import type { Announce } from "../domain/announce.ts";
import type { CodeHost } from "../domain/code-host.ts";
import type { JobHandler, JobRun } from "../domain/job-handler.ts";
import type { PullRequest } from "../domain/pull-request.ts";
import { ReviewFailed, type ReviewOutcome } from "../domain/review.ts";
import type { ReviewEngine } from "../domain/review-engine.ts";
import type { Clock, Logger } from "../domain/runtime.ts";
import type { Store } from "../domain/store.ts";
import { failReview } from "./fail-review.ts";
import { type ReviewedDiff, reviewDiff } from "./review-diff.ts";
import { type ReviewLimits, reviewLimits } from "./review-limits.ts";
import { type StartedReview, takeUpReview } from "./take-up-review.ts";
import { TimeLimitExceeded, withinTime } from "./time-limit.ts";

export interface ReviewPullRequestDeps {
  clock: Clock;
  logger: Logger;
  /** The client of a configured code host, by `CodeHostConfig.id`. */
  codeHost(id: string): Promise<CodeHost>;
  engines: readonly ReviewEngine[];
  announce: Announce;
  limits?: ReviewLimits;
}

/** Handles jobs of kind `review`. */
export function createReviewHandler(deps: ReviewPullRequestDeps): JobHandler {
  return {
    run: (run) => reviewPullRequest(deps, run),
    buried: (tx, job, cause) => failReview(deps, tx, job, cause),
  };
}

async function reviewPullRequest(deps: ReviewPullRequestDeps, run: JobRun): Promise<void> {
  const review = await takeUpReview(deps, run);
  if (review === null) return;

  const limits = deps.limits ?? reviewLimits;
  const reviewed = await withinTime(limits.reviewMs, run.signal, async (signal) => {
    const host = await hostOf(deps, run.store, review);
    const pr = await host.getPullRequest(
      { repository: review.repository, number: review.pullRequest },
      signal,
    );
    await run.store.reviews.setPullRequest(review.id, describe(pr));
    const diff = await host.getDiff(pr, signal);
    return reviewDiff({
      organizationId: review.organizationId,
      pr,
      diff,
      readFile: (path, side) => host.getFile(pr, path, side, signal),
      listFiles: (folder, side) => host.listFiles(pr, folder, side, signal),
      search: (words, side) => host.search(pr, words, side, signal),
      options: review.options,
      engines: deps.engines,
      clock: deps.clock,
      signal,
      limits,
    });
  }).catch(asTimedOut);

  logEngineFailures(deps.logger, review, reviewed);
  await storeOutcome(deps, run, review, reviewed);
  deps.logger.info("review completed", { review_id: review.id, comments: reviewed.comments.length });
}

async function hostOf(deps: ReviewPullRequestDeps, store: Store, review: StartedReview): Promise<CodeHost> {
  const repository = await store.repositories.get(review.repositoryId);
  if (repository === null || repository.disabledAt !== null) {
    throw new ReviewFailed("repository_disabled", `Reviews are no longer enabled on ${review.repository}.`);
  }
  return deps.codeHost(repository.codeHostId);
}

function describe(pr: PullRequest) {
  return { pullRequestUrl: pr.url, headSha: pr.headSha, baseSha: pr.baseSha };
}

/** More of the same time would not help either. */
function asTimedOut(error: unknown): never {
  if (!(error instanceof TimeLimitExceeded)) throw error;
  throw new ReviewFailed("timed_out", `The review ${error.message}.`, { cause: error });
}

function logEngineFailures(logger: Logger, review: StartedReview, { engineFailures }: ReviewedDiff): void {
  for (const { engine, error } of engineFailures) {
    logger.warn("engine failed", { review_id: review.id, engine, error });
  }
}

/** The review, its comments, its credit, its announcement and the end of its job: all of it or nothing. */
async function storeOutcome(
  deps: ReviewPullRequestDeps,
  { job, store, complete }: JobRun,
  review: StartedReview,
  { summary, comments, metrics }: ReviewOutcome,
): Promise<void> {
  await store.transaction(async (tx) => {
    const at = deps.clock.now();
    const durationSeconds = wholeSeconds(review.startedAt, at);
    const outcome = { summary, comments, metrics: { ...metrics, durationSeconds } };
    if (await tx.reviews.complete(review.id, outcome, at)) {
      await tx.credits.settle(review.id, at);
      const completed = await tx.reviews.get(job.organizationId, review.id);
      if (completed !== null) await deps.announce(tx, "review.completed", completed);
    }
    await complete(tx);
  });
}

/** Rounded up, and never negative: the wall clock may have been set back meanwhile. */
function wholeSeconds(from: Date, to: Date): number {
  return Math.max(0, Math.ceil((to.getTime() - from.getTime()) / 1_000));
}
