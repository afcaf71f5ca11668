/** What the API reference says of reviews. */
import type { Static } from "@sinclair/typebox";
import type { RouteNotes } from "../openapi/documented.ts";
import type { ReviewAccepted, ReviewCreation, ReviewDetail, ReviewList } from "../schemas/review.ts";

const id = "rev_01JD8Y3Q2M9V4T6B7N8P0R1S2T";

const examples = {
  creation: {
    repository: "acme/shop",
    pull_request: 7,
    options: { focus_areas: ["security", "bug"], severity_threshold: "medium" },
  } satisfies Static<typeof ReviewCreation>,

  accepted: {
    id,
    status: "processing",
    estimated_seconds: 20,
    webhook_url: `http://localhost:8080/v1/reviews/${id}`,
  } satisfies Static<typeof ReviewAccepted>,

  list: {
    data: [
      {
        id,
        repository: "acme/shop",
        pull_request: 7,
        status: "completed",
        comments_count: 1,
        created_at: "2026-11-21T09:30:00.000Z",
        completed_at: "2026-11-21T09:30:04.000Z",
      },
    ],
    meta: { total: 1, page: 1, per_page: 20 },
  } satisfies Static<typeof ReviewList>,

  detail: {
    id,
    repository: "acme/shop",
    pull_request: 7,
    status: "completed",
    summary: "One file was changed. One comment: the discount is evaluated as code.",
    comments: [
      {
        path: "src/cart.ts",
        line: 42,
        severity: "high",
        category: "security",
        message: "`eval` runs whatever the customer typed. Parse the number instead.",
        suggestion: "  const discount = Number.parseFloat(input);",
        start_line: null,
        rule: "rules/js/eval",
        cwe: 95,
      },
    ],
    metrics: { files_analyzed: 1, tokens_used: 0, duration_seconds: 4 },
    comments_count: 1,
    created_at: "2026-11-21T09:30:00.000Z",
    started_at: "2026-11-21T09:30:00.250Z",
    completed_at: "2026-11-21T09:30:04.000Z",
    url: "https://git.acme.example/acme/shop/pulls/7",
    head_sha: "4f2a9c1b7d3e8f60a5b4c3d2e1f0a9b8c7d6e5f4",
    base_sha: "0a1b2c3d4e5f60718293a4b5c6d7e8f901234567",
    error: null,
  } satisfies Static<typeof ReviewDetail>,
};

export const reviewNotes = {
  list: {
    operationId: "listReviews",
    tag: "Reviews",
    summary: "List reviews",
    description: "All reviews of the organization, newest first.",
    reads: ["If-None-Match"],
    answers: ["ETag", "Link"],
    example: examples.list,
  },
  create: {
    operationId: "createReview",
    tag: "Reviews",
    summary: "Review a pull request",
    description:
      "Asks for a review, which costs one credit, and answers at once; poll `webhook_url` or wait for the webhook. " +
      "The code host is not asked yet: what only it knows makes the review `failed` later.",
    errors: [
      "malformed_json",
      "invalid_encoding",
      "insufficient_credits",
      "repository_not_enabled",
      "idempotency_in_progress",
      "body_too_large",
      "unsupported_media_type",
      "idempotency_mismatch",
      "storage_full",
    ],
    reads: ["Idempotency-Key"],
    answers: ["Location", "Idempotency-Replayed"],
    requestExample: examples.creation,
    example: examples.accepted,
  },
  get: {
    operationId: "getReview",
    tag: "Reviews",
    summary: "One review with all its comments",
    description:
      "Until the review is completed, `summary` and `metrics` are null and `comments` is empty. A failed one says why in `error`.",
    errors: ["not_found"],
    reads: ["If-None-Match"],
    answers: ["ETag"],
    example: examples.detail,
  },
} satisfies Record<string, RouteNotes>;
