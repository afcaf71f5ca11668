/** The wire shapes of reviews (specification §2), and how the domain's reviews become them. */
import { type Static, Type } from "@sinclair/typebox";
import { categories, type ReviewComment, severities } from "../../domain/comment.ts";
import { pullRequestNumberMax } from "../../domain/pull-request.ts";
import { failureCodes, type Review, type ReviewWithComments, reviewStatuses } from "../../domain/review.ts";
import type { ReviewListItem as ListedReview } from "../../domain/store.ts";
import { closed, ListMeta, Nullable, RepositoryNameShown } from "./building-blocks.ts";
import { OneOf, QueryInteger, RepositoryName, Timestamp } from "./kinds.ts";

const ReviewId = Type.String({
  pattern: "^rev_",
  description: "Identifies the review.",
  examples: ["rev_01JD8Y3Q2M9V4T6B7N8P0R1S2T"],
});
const PullRequestNumber = Type.Integer({
  minimum: 1,
  maximum: pullRequestNumberMax,
  description: "The pull request's number on its code host.",
  examples: [7],
});
const Status = OneOf(reviewStatuses, {
  description: "`pending` → `processing` → `completed` or `failed`; nothing goes back.",
});

export const ReviewListItem = Type.Object(
  {
    id: ReviewId,
    repository: RepositoryNameShown,
    pull_request: PullRequestNumber,
    status: Status,
    comments_count: Type.Integer({ minimum: 0, description: "Comments of the review.", examples: [3] }),
    created_at: Timestamp("When it was asked for."),
    completed_at: Nullable(Timestamp("When it completed or failed; null before.")),
  },
  { ...closed, $id: "ReviewListItem", description: "A review in a list (specification §2)." },
);

export const ReviewList = Type.Object(
  { data: Type.Array(ReviewListItem, { maxItems: 100 }), meta: ListMeta },
  { ...closed, $id: "ReviewList", description: "A page of reviews, newest first." },
);

export const Comment = Type.Object(
  {
    path: Type.String({
      description: "The file, as the pull request's head names it.",
      examples: ["src/cart.ts"],
    }),
    line: Type.Integer({
      minimum: 1,
      description: "The last commented line, on the head side.",
      examples: [42],
    }),
    severity: OneOf(severities, { description: "How serious it is." }),
    category: OneOf(categories, { description: "What it is about." }),
    message: Type.String({ description: "What is wrong, why, and what to do; simple Markdown." }),
    suggestion: Nullable(
      Type.String({ description: "Replaces the commented lines whole; null when there is none." }),
    ),
    start_line: Nullable(
      Type.Integer({
        minimum: 1,
        description: "The first commented line when there are several. Extension.",
      }),
    ),
    rule: Type.String({
      description: "What found it, `engine/rule`. Extension.",
      examples: ["rules/js/eval"],
    }),
    cwe: Nullable(
      Type.Integer({
        minimum: 1,
        description: "The weakness's number in the CWE list, where it has one. Extension.",
        examples: [95],
      }),
    ),
  },
  { ...closed, $id: "Comment", description: "One comment of a review (specification §2)." },
);

export const Metrics = Type.Object(
  {
    files_analyzed: Type.Integer({ minimum: 0, description: "Files that were read.", examples: [12] }),
    tokens_used: Type.Integer({
      minimum: 0,
      description: "Tokens of a language model; 0 without one.",
      examples: [0],
    }),
    duration_seconds: Type.Integer({
      minimum: 0,
      description: "From when a worker took the review up.",
      examples: [4],
    }),
  },
  { ...closed, $id: "Metrics", description: "What the review took (specification §2)." },
);

export const ReviewFailure = Type.Object(
  {
    code: OneOf(failureCodes, { description: "Stable; programs branch on it." }),
    message: Type.String({ description: "What a person can do about it." }),
  },
  { ...closed, $id: "ReviewFailure", description: "Why a review failed. Extension." },
);

export const ReviewDetail = Type.Object(
  {
    id: ReviewId,
    repository: RepositoryNameShown,
    pull_request: PullRequestNumber,
    status: Status,
    summary: Nullable(Type.String({ description: "Free text; null until the review is completed." })),
    comments: Type.Array(Comment, { description: "All comments; empty until the review is completed." }),
    metrics: Nullable(Metrics),
    comments_count: Type.Integer({ minimum: 0, description: "As in the list. Extension." }),
    created_at: Timestamp("When it was asked for. Extension."),
    started_at: Nullable(Timestamp("When a worker took it up; null before. Extension.")),
    completed_at: Nullable(Timestamp("When it completed or failed; null before. Extension.")),
    url: Type.String({
      format: "uri",
      description: "The pull request's page, or the review's own where there is none. Extension.",
    }),
    head_sha: Nullable(
      Type.String({ description: "The commit that was reviewed; null until it is known. Extension." }),
    ),
    base_sha: Nullable(
      Type.String({ description: "The merge base it was compared with; null until it is known. Extension." }),
    ),
    error: Nullable(ReviewFailure),
  },
  { ...closed, $id: "Review", description: "One review with all its comments (specification §2)." },
);

export const ReviewCreation = Type.Object(
  {
    repository: RepositoryName({
      description: "`owner/repo`, 2 to 20 segments; Plumbline must be enabled on it.",
      examples: ["acme/shop"],
    }),
    pull_request: PullRequestNumber,
    options: Type.Optional(
      Type.Object(
        {
          focus_areas: Type.Optional(
            Type.Array(OneOf(categories), {
              maxItems: 100,
              description: "Comment on these only; absent or empty = all but `style`.",
              examples: [["security", "bug"]],
            }),
          ),
          severity_threshold: Type.Optional(
            OneOf(severities, {
              description: "Leave out what is less serious; `low` when absent.",
              examples: ["medium"],
            }),
          ),
        },
        closed,
      ),
    ),
  },
  { ...closed, $id: "ReviewCreation", description: "Asks for a review (specification §2)." },
);

export const ReviewAccepted = Type.Object(
  {
    id: ReviewId,
    status: OneOf(["processing"], { description: "Always `processing`." }),
    estimated_seconds: Type.Integer({
      minimum: 1,
      description: "A guess from the last reviews.",
      examples: [20],
    }),
    webhook_url: Type.String({
      format: "uri",
      description: "The address of the review, `{base_url}/reviews/{id}`.",
      examples: ["http://localhost:8080/v1/reviews/rev_01JD8Y3Q2M9V4T6B7N8P0R1S2T"],
    }),
  },
  { ...closed, $id: "ReviewAccepted", description: "The review was stored and will run (specification §2)." },
);

const pageMax = 1_000_000_000;

export const ReviewListQuery = Type.Object(
  {
    status: Type.Optional(OneOf(reviewStatuses, { description: "Only reviews in this state." })),
    repository: Type.Optional(
      RepositoryName({
        description: "Only reviews of this repository, `owner/repo`.",
        examples: ["acme/shop"],
      }),
    ),
    limit: Type.Optional(
      QueryInteger({ minimum: 1, maximum: 100, default: 20, description: "Results a page." }),
    ),
    page: Type.Optional(
      QueryInteger({ minimum: 1, maximum: pageMax, default: 1, description: "The page, counted from 1." }),
    ),
  },
  closed,
);

export function toListItem(review: ListedReview): Static<typeof ReviewListItem> {
  return {
    id: review.id,
    repository: review.repository,
    pull_request: review.pullRequest,
    status: review.status,
    comments_count: review.commentsCount,
    created_at: review.createdAt.toISOString(),
    completed_at: review.completedAt?.toISOString() ?? null,
  };
}

/** What belongs to a completed review is left out of any other. */
export function toDetail(review: ReviewWithComments, siteUrl: string): Static<typeof ReviewDetail> {
  const completed = review.status === "completed";
  return {
    id: review.id,
    repository: review.repository,
    pull_request: review.pullRequest,
    status: review.status,
    summary: completed ? review.summary : null,
    comments: completed ? review.comments.map(toComment) : [],
    metrics: completed && review.metrics !== null ? toMetrics(review.metrics) : null,
    comments_count: review.commentsCount,
    created_at: review.createdAt.toISOString(),
    started_at: review.startedAt?.toISOString() ?? null,
    completed_at: review.completedAt?.toISOString() ?? null,
    url: review.pullRequestUrl ?? `${siteUrl}/reviews/${review.id}`,
    head_sha: review.headSha,
    base_sha: review.baseSha,
    error: review.failure,
  };
}

function toComment(comment: ReviewComment): Static<typeof Comment> {
  return {
    path: comment.path,
    line: comment.line,
    severity: comment.severity,
    category: comment.category,
    message: comment.message,
    suggestion: comment.suggestion,
    start_line: comment.startLine,
    rule: `${comment.engine}/${comment.rule}`,
    cwe: comment.cwe,
  };
}

function toMetrics(metrics: NonNullable<Review["metrics"]>): Static<typeof Metrics> {
  return {
    files_analyzed: metrics.filesAnalyzed,
    tokens_used: metrics.tokensUsed,
    duration_seconds: Math.round(metrics.durationSeconds),
  };
}
