/** Reviews, as an admin at the command line asks for them and reads them. The fields are those of /v1 (specification §2). */
import { Type } from "@sinclair/typebox";
import { categories, type ReviewComment, severities } from "../domain/comment.ts";
import { AppError } from "../domain/errors.ts";
import { pullRequestNumberMax } from "../domain/pull-request.ts";
import { failureCodes, type ReviewWithComments, reviewStatuses } from "../domain/review.ts";
import { operation } from "./operation.ts";
import { NullableTimestamp, nullableTimestamp, Timestamp, timestamp } from "./shapes.ts";

const Severity = Type.Union(severities.map((severity) => Type.Literal(severity)));
const Category = Type.Union(categories.map((category) => Type.Literal(category)));
const Status = Type.Union(reviewStatuses.map((status) => Type.Literal(status)));
const FailureCode = Type.Union(failureCodes.map((code) => Type.Literal(code)));
const NullableText = Type.Union([Type.String(), Type.Null()]);

const Comment = Type.Object({
  path: Type.String(),
  line: Type.Integer(),
  start_line: Type.Union([Type.Integer(), Type.Null()]),
  severity: Severity,
  category: Category,
  message: Type.String(),
  suggestion: NullableText,
  rule: Type.String({ description: "What found it, `engine/rule`." }),
  cwe: Type.Union([Type.Integer(), Type.Null()]),
  fingerprint: Type.String(),
});

const Metrics = Type.Object({
  files_analyzed: Type.Integer(),
  tokens_used: Type.Integer(),
  duration_seconds: Type.Integer(),
});

const Review = Type.Object({
  id: Type.String(),
  repository: Type.String(),
  pull_request: Type.Integer(),
  status: Status,
  url: Type.String({ description: "The pull request's page; without one, the review's own." }),
  head_sha: NullableText,
  base_sha: NullableText,
  summary: NullableText,
  comments: Type.Array(Comment),
  metrics: Type.Union([Metrics, Type.Null()]),
  error: Type.Union([Type.Object({ code: FailureCode, message: Type.String() }), Type.Null()]),
  created_at: Timestamp,
  completed_at: NullableTimestamp,
});

export const createReview = operation({
  name: "reviews.create",
  method: "POST",
  path: "/api/reviews",
  role: "member",
  summary: "Ask for a review of a pull request.",
  input: Type.Object(
    {
      repository: Type.String({ minLength: 1 }),
      pull_request: Type.Integer({ minimum: 1, maximum: pullRequestNumberMax }),
      focus_areas: Type.Optional(Type.Array(Category)),
      severity_threshold: Type.Optional(Severity),
    },
    { additionalProperties: false },
  ),
  output: Type.Object({ id: Type.String(), status: Status }),
  async run(context, input) {
    const { id, status } = await context.requestReview({
      organizationId: context.caller.organizationId,
      repository: input.repository,
      pullRequest: input.pull_request,
      options: { focusAreas: input.focus_areas ?? [], severityThreshold: input.severity_threshold ?? "low" },
    });
    return { id, status };
  },
});

export const getReview = operation({
  name: "reviews.get",
  method: "GET",
  path: "/api/reviews/:id",
  role: "member",
  summary: "Read a review with its comments.",
  input: Type.Object({ id: Type.String({ minLength: 1 }) }, { additionalProperties: false }),
  output: Review,
  async run(context, input) {
    const review = await context.store.reviews.get(context.caller.organizationId, input.id);
    if (review === null) throw new AppError("not_found", `There is no review ${input.id}.`);
    return shown(review, context.siteUrl());
  },
});

function shownComment({ startLine, engine, rule, ...comment }: ReviewComment) {
  return { ...comment, start_line: startLine, rule: `${engine}/${rule}` };
}

function shown(review: ReviewWithComments, siteUrl: string) {
  const { metrics } = review;
  return {
    id: review.id,
    repository: review.repository,
    pull_request: review.pullRequest,
    status: review.status,
    url: review.pullRequestUrl ?? `${siteUrl}/reviews/${review.id}`,
    head_sha: review.headSha,
    base_sha: review.baseSha,
    summary: review.summary,
    comments: review.comments.map(shownComment),
    metrics: metrics && {
      files_analyzed: metrics.filesAnalyzed,
      tokens_used: metrics.tokensUsed,
      duration_seconds: metrics.durationSeconds,
    },
    error: review.failure,
    created_at: timestamp(review.createdAt),
    completed_at: nullableTimestamp(review.completedAt),
  };
}
