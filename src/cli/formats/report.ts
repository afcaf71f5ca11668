/** A finished review as the command line shows it, wherever it was made. The fields are those of the API. */
import type { Static } from "@sinclair/typebox";
import type { getReview } from "../../admin/reviews.ts";
import type { ReviewComment } from "../../domain/comment.ts";
import type { LocalReview } from "../local-review.ts";

export type StoredReview = Static<typeof getReview.output>;

export interface Report {
  /** `acme/shop#7`, or the range of a local repository. */
  subject: string;
  summary: string;
  comments: readonly ReportComment[];
  /** For `--format json`. */
  document: unknown;
}

export type ReportComment = StoredReview["comments"][number];

/** Of a completed review. */
export function reportOf(review: StoredReview): Report {
  return {
    subject: `${review.repository}#${review.pull_request}`,
    summary: review.summary ?? "",
    comments: review.comments,
    document: review,
  };
}

export function reportOfLocal(review: LocalReview, range: string): Report {
  const { summary, metrics } = review;
  const comments = review.comments.map(wireComment);
  const document = {
    range,
    base_sha: review.baseSha,
    head_sha: review.headSha,
    summary,
    comments,
    metrics: {
      files_analyzed: metrics.filesAnalyzed,
      tokens_used: metrics.tokensUsed,
      duration_seconds: metrics.durationSeconds,
    },
  };
  return { subject: range, summary, comments, document };
}

function wireComment({ startLine, engine, rule, ...comment }: ReviewComment): ReportComment {
  return { ...comment, start_line: startLine, rule: `${engine}/${rule}` };
}
