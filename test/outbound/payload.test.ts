import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { Review } from "../../src/domain/review.ts";
import { reviewEventBody } from "../../src/outbound/payload.ts";

const at = new Date("2026-11-21T06:00:00.000Z");
const about = { at, url: "https://code.corp/acme/shop/pull/7" };
const completed: Review = {
  id: "rev_01JD0000000000000000000000",
  organizationId: "org_01JD0000000000000000000000",
  repositoryId: "repo_01JD0000000000000000000000",
  repository: "acme/shop",
  pullRequest: 7,
  origin: "api",
  status: "completed",
  options: { focusAreas: [], severityThreshold: "low" },
  pullRequestUrl: about.url,
  headSha: null,
  baseSha: null,
  summary: "Two comments.",
  commentsCount: 2,
  metrics: { filesAnalyzed: 1, tokensUsed: 0, durationSeconds: 1 },
  failure: null,
  createdAt: at,
  startedAt: at,
  completedAt: at,
};

describe("what a webhook says", () => {
  test("of a completed review is the specification's payload, field by field", () => {
    expect(JSON.parse(reviewEventBody("review.completed", completed, about))).toEqual({
      event: "review.completed",
      timestamp: "2026-11-21T06:00:00.000Z",
      data: {
        review_id: "rev_01JD0000000000000000000000",
        repository: "acme/shop",
        pull_request: 7,
        comments_count: 2,
        summary: "Two comments.",
        url: "https://code.corp/acme/shop/pull/7",
      },
    });
  });

  test("of a started review has null for what is not known yet", () => {
    const started: Review = { ...completed, status: "processing", summary: null, commentsCount: 0 };
    const { event, data } = JSON.parse(reviewEventBody("review.started", started, about));
    expect(event).toBe("review.started");
    expect(data).toEqual({
      review_id: completed.id,
      repository: "acme/shop",
      pull_request: 7,
      comments_count: null,
      summary: null,
      url: about.url,
    });
  });

  test("of a failed review says why", () => {
    const failure = { code: "pull_request_not_found", message: "There is no pull request 7." } as const;
    const failed: Review = { ...completed, status: "failed", summary: null, commentsCount: 0, failure };
    const { data } = JSON.parse(reviewEventBody("review.failed", failed, about));
    expect(data).toEqual({
      review_id: completed.id,
      repository: "acme/shop",
      pull_request: 7,
      comments_count: null,
      summary: null,
      url: about.url,
      error: { code: "pull_request_not_found", message: "There is no pull request 7." },
    });
  });

  test("stays under 256 KB, however long the summary is, and says that it was cut", () => {
    for (const part of ["word ", "\u0001", "🙂", "é\n", '"\\']) {
      const summary = part.repeat(300_000);
      const body = reviewEventBody("review.completed", { ...completed, summary }, about);
      expect(Buffer.byteLength(body)).toBeLessThan(256 * 1024);
      expect(Buffer.byteLength(body)).toBeGreaterThan(256 * 1024 - 50);
      const { data } = JSON.parse(body);
      expect(data.summary).toEndWith(`… (cut here: the whole summary is at ${about.url})`);
      expect(summary).toStartWith(data.summary.slice(0, data.summary.indexOf("… (cut")));
    }
  });

  test("keeps a summary that just fits", () => {
    const empty = Buffer.byteLength(
      reviewEventBody("review.completed", { ...completed, summary: "" }, about),
    );
    const summary = "x".repeat(256 * 1024 - 1 - empty);
    const body = reviewEventBody("review.completed", { ...completed, summary }, about);
    expect(JSON.parse(body).data.summary).toBe(summary);
  });

  test("is valid JSON and gives back any summary", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 200 }), (summary) => {
        const body = reviewEventBody("review.completed", { ...completed, summary }, about);
        expect(JSON.parse(body).data.summary).toBe(summary);
      }),
    );
  });
});
