/** A review of one pull request and the states it goes through (specification §2 and §3, docs/api.md). */
import type { Category, ReviewComment, Severity } from "./comment.ts";

export const reviewStatuses = ["pending", "processing", "completed", "failed"] as const;
export type ReviewStatus = (typeof reviewStatuses)[number];

/** Who asked for it: a client of the API (or the CLI), or an event of a code host. */
export type ReviewOrigin = "api" | "event";

export interface ReviewOptions {
  /** Empty = every category but `style`. */
  focusAreas: readonly Category[];
  severityThreshold: Severity;
}

export const defaultReviewOptions: ReviewOptions = { focusAreas: [], severityThreshold: "low" };

/** Why a review failed. The code is stable; the message tells a person what to do. */
export const failureCodes = [
  "pull_request_not_found",
  "repository_unreachable",
  "access_denied",
  "diff_too_large",
  "timed_out",
  "superseded",
  "interrupted",
  "repository_disabled",
  "internal",
] as const;
export type FailureCode = (typeof failureCodes)[number];

export interface ReviewFailure {
  code: FailureCode;
  message: string;
}

export interface ReviewMetrics {
  filesAnalyzed: number;
  tokensUsed: number;
  durationSeconds: number;
}

export interface Review {
  id: string;
  organizationId: string;
  repositoryId: string;
  /** `owner/repo` at the time of the request. */
  repository: string;
  pullRequest: number;
  origin: ReviewOrigin;
  status: ReviewStatus;
  options: ReviewOptions;
  /** Known once a worker has fetched the pull request. */
  pullRequestUrl: string | null;
  headSha: string | null;
  baseSha: string | null;
  summary: string | null;
  commentsCount: number;
  metrics: ReviewMetrics | null;
  failure: ReviewFailure | null;
  createdAt: Date;
  /** When a worker first took it up. */
  startedAt: Date | null;
  /** When it completed or failed. */
  completedAt: Date | null;
}

export interface ReviewWithComments extends Review {
  comments: readonly ReviewComment[];
}

/** What the pipeline made of a pull request; stored in one transaction. */
export interface ReviewOutcome {
  summary: string;
  comments: readonly ReviewComment[];
  metrics: ReviewMetrics;
}

/** A failure that trying again cannot mend; the worker fails the review at once with its code. */
export class ReviewFailed extends Error {
  readonly failure: ReviewFailure;
  constructor(code: FailureCode, message: string, options?: { cause: unknown }) {
    super(message, options);
    this.name = "ReviewFailed";
    this.failure = { code, message };
  }
}
