/** Reviews a pull request without a store, as `plumbline review --local` does. */
import { defaultReviewOptions, type ReviewOptions } from "../../src/domain/review.ts";
import type { ReadFile, ReviewEngine } from "../../src/domain/review-engine.ts";
import { type ReviewedDiff, reviewDiff } from "../../src/review/review-diff.ts";
import { type ReviewLimits, reviewLimits } from "../../src/review/review-limits.ts";
import type { PullRequestFixture } from "../support/builders.ts";
import { diffOfFiles } from "../support/diff-of-files.ts";
import { createFakeClock } from "../support/fake-clock.ts";

export interface Reviewing {
  engines?: readonly ReviewEngine[];
  options?: Partial<ReviewOptions>;
  limits?: Partial<ReviewLimits>;
  signal?: AbortSignal;
  readFile?: ReadFile;
}

export function reviewing(pullRequest: PullRequestFixture, how: Reviewing = {}): Promise<ReviewedDiff> {
  const { repository, number, title, base, head } = pullRequest;
  return reviewDiff({
    organizationId: "org_1",
    pr: {
      ...{ repository, number, title, body: "", author: "ada", headBranch: "topic", baseBranch: "main" },
      ...{ headSha: "a".repeat(40), baseSha: "b".repeat(40), url: null },
    },
    diff: diffOfFiles(base, head),
    readFile: how.readFile ?? (async (path, side) => bytes((side === "base" ? base : head)[path])),
    listFiles: async () => [],
    search: async () => null,
    options: { ...defaultReviewOptions, ...how.options },
    engines: how.engines ?? [],
    clock: createFakeClock(),
    signal: how.signal ?? new AbortController().signal,
    limits: { ...reviewLimits, ...how.limits },
  });
}

function bytes(content: string | Uint8Array | undefined): Uint8Array | null {
  if (content === undefined) return null;
  return typeof content === "string" ? new TextEncoder().encode(content) : content;
}

/** `src/cart.ts:2 high bug This is wrong.` */
export function said(reviewed: ReviewedDiff): string[] {
  return reviewed.comments.map(
    ({ path, line, severity, category, message }) => `${path}:${line} ${severity} ${category} ${message}`,
  );
}
