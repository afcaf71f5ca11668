/** The heart of a review, without a store: a diff goes in, a summary and verified comments come out. */
import type { Diff } from "../domain/diff.ts";
import type { PullRequest } from "../domain/pull-request.ts";
import type { ReviewOptions, ReviewOutcome } from "../domain/review.ts";
import type { ReadFile, ReviewEngine } from "../domain/review-engine.ts";
import type { Clock } from "../domain/runtime.ts";

export interface ReviewDiffInput {
  pr: PullRequest;
  diff: Diff;
  readFile: ReadFile;
  options: ReviewOptions;
  engines: readonly ReviewEngine[];
  clock: Clock;
  signal: AbortSignal;
}

/** `problems` is what went wrong without ending the review; the summary says it too. */
export type ReviewedDiff = ReviewOutcome & { problems: readonly string[] };

/** Errors: what the engines threw, when every one of them failed. */
export async function reviewDiff(_input: ReviewDiffInput): Promise<ReviewedDiff> {
  throw new Error("not built yet");
}
