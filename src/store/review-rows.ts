/** Reviews and their comments between rows and the domain. */
import type { ReviewComment } from "../domain/comment.ts";
import type { Review, ReviewFailure, ReviewMetrics, ReviewOptions } from "../domain/review.ts";
import type { ReviewListItem } from "../domain/store.ts";
import { millisecondsOrNull, timeOrNull } from "./columns.ts";
import type { CommentRow, ReviewRow } from "./tables.ts";

/** What a list reads of a review. */
export const listColumns = [
  "id",
  "repository",
  "pull_request",
  "status",
  "comments_count",
  "created_at",
  "completed_at",
] as const satisfies readonly (keyof ReviewRow)[];

export type ReviewListRow = Pick<ReviewRow, (typeof listColumns)[number]>;

export function toListItem(row: ReviewListRow): ReviewListItem {
  return {
    id: row.id,
    repository: row.repository,
    pullRequest: row.pull_request,
    status: row.status,
    commentsCount: row.comments_count,
    createdAt: new Date(row.created_at),
    completedAt: timeOrNull(row.completed_at),
  };
}

export function toReview(row: ReviewRow): Review {
  return {
    ...toListItem(row),
    organizationId: row.organization_id,
    repositoryId: row.repository_id,
    origin: row.origin,
    pullRequestUrl: row.pull_request_url,
    headSha: row.head_sha,
    baseSha: row.base_sha,
    failure: toFailure(row),
    startedAt: timeOrNull(row.started_at),
    summary: row.summary,
    options: JSON.parse(row.options) as ReviewOptions,
    metrics: toMetrics(row),
  };
}

export function fromReview(review: Review): ReviewRow {
  return {
    id: review.id,
    organization_id: review.organizationId,
    repository_id: review.repositoryId,
    repository: review.repository,
    pull_request: review.pullRequest,
    origin: review.origin,
    status: review.status,
    comments_count: review.commentsCount,
    created_at: review.createdAt.getTime(),
    started_at: millisecondsOrNull(review.startedAt),
    completed_at: millisecondsOrNull(review.completedAt),
    pull_request_url: review.pullRequestUrl,
    head_sha: review.headSha,
    base_sha: review.baseSha,
    failure_code: review.failure?.code ?? null,
    failure_message: review.failure?.message ?? null,
    ...fromMetrics(review.metrics),
    options: JSON.stringify(review.options),
    summary: review.summary,
  };
}

export function fromMetrics(
  metrics: ReviewMetrics | null,
): Pick<ReviewRow, "files_analyzed" | "tokens_used" | "duration_seconds"> {
  return {
    files_analyzed: metrics?.filesAnalyzed ?? null,
    tokens_used: metrics?.tokensUsed ?? null,
    duration_seconds: metrics?.durationSeconds ?? null,
  };
}

export function toComment(row: CommentRow): ReviewComment {
  return {
    path: row.path,
    line: row.line,
    startLine: row.start_line,
    severity: row.severity,
    category: row.category,
    message: row.message,
    suggestion: row.suggestion,
    engine: row.engine,
    rule: row.rule,
    cwe: row.cwe,
    fingerprint: row.fingerprint,
  };
}

export function fromComment(reviewId: string, comment: ReviewComment, position: number): CommentRow {
  return {
    review_id: reviewId,
    position,
    path: comment.path,
    line: comment.line,
    start_line: comment.startLine,
    severity: comment.severity,
    category: comment.category,
    message: comment.message,
    suggestion: comment.suggestion,
    engine: comment.engine,
    rule: comment.rule,
    cwe: comment.cwe,
    fingerprint: comment.fingerprint,
  };
}

function toFailure(row: Pick<ReviewRow, "failure_code" | "failure_message">): ReviewFailure | null {
  if (row.failure_code === null) return null;
  return { code: row.failure_code, message: row.failure_message ?? "" };
}

function toMetrics(row: ReviewRow): ReviewMetrics | null {
  const { files_analyzed: filesAnalyzed, tokens_used: tokensUsed, duration_seconds: durationSeconds } = row;
  if (filesAnalyzed === null || tokensUsed === null || durationSeconds === null) return null;
  return { filesAnalyzed, tokensUsed, durationSeconds };
}
