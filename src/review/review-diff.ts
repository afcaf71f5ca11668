/** The heart of a review, without a store: a diff goes in, a summary and verified comments come out. */
import type { Diff } from "../domain/diff.ts";
import type { PullRequest } from "../domain/pull-request.ts";
import type { ReviewOptions, ReviewOutcome } from "../domain/review.ts";
import type { ListFiles, ReadFile, ReviewEngine } from "../domain/review-engine.ts";
import type { Clock } from "../domain/runtime.ts";
import type { Search } from "../domain/search.ts";
import { chooseComments } from "./choose-comments.ts";
import { rememberReads } from "./remember-reads.ts";
import { type ReviewLimits, reviewLimits } from "./review-limits.ts";
import { type EngineFailure, runEngines } from "./run-engines.ts";
import { selectFiles } from "./select-files.ts";
import { summarize } from "./summarize.ts";
import { unusualFiles } from "./unusual-files.ts";
import { verifyComments } from "./verify-comments.ts";

export interface ReviewDiffInput {
  /** Null for a review without a server. */
  organizationId: string | null;
  pr: PullRequest;
  diff: Diff;
  readFile: ReadFile;
  listFiles: ListFiles;
  search: Search;
  options: ReviewOptions;
  engines: readonly ReviewEngine[];
  clock: Clock;
  signal: AbortSignal;
  limits?: ReviewLimits;
}

export interface ReviewedDiff extends ReviewOutcome {
  /** What went wrong without ending the review; the summary says it too. */
  problems: readonly string[];
  /** The errors behind them, for the log alone. */
  engineFailures: readonly EngineFailure[];
}

/** Errors: what the engines threw when every one of them failed; what `readFile` throws; the signal's reason. */
export async function reviewDiff(input: ReviewDiffInput): Promise<ReviewedDiff> {
  const { organizationId, pr, diff, listFiles, search, options, engines, clock, signal } = input;
  const { limits = reviewLimits } = input;
  const startedMs = clock.monotonicMs();
  const readFile = rememberReads(input.readFile, limits.rememberedBytes);

  const { files, leftOut } = await selectFiles(diff, readFile, limits);
  const findings = await runEngines(
    engines,
    { organizationId, pr, diff: { files }, readFile, listFiles, search, options, signal },
    limits.engineMs,
  );
  const verified = await verifyComments(findings.candidates, files, readFile);
  const chosen = chooseComments(verified, options, limits.comments);
  const unusual = await unusualFiles(diff, readFile);

  return {
    summary: summarize({ ...findings, ...chosen, diff, options, leftOut, unusual }),
    comments: chosen.comments,
    metrics: {
      filesAnalyzed: findings.coverage.filter((entry) => entry.read !== "not").length,
      tokensUsed: findings.tokensUsed,
      durationSeconds: Math.ceil((clock.monotonicMs() - startedMs) / 1_000),
    },
    problems: findings.problems,
    engineFailures: findings.failures,
  };
}
