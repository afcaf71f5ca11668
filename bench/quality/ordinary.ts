/** Reviews ordinary pull requests and compares what was said with a hand-labelled, committed list. */

import { openLocalRange } from "../../src/code-hosts/git/local.ts";
import type { ReviewComment } from "../../src/domain/comment.ts";
import { defaultReviewOptions } from "../../src/domain/review.ts";
import type { ReviewEngine } from "../../src/domain/review-engine.ts";
import { reviewDiff } from "../../src/review/review-diff.ts";
import { systemClock } from "../../src/system.ts";
import { fetchRepository } from "./fetch.ts";
import labels from "./labels/ordinary.json";
import { ordinaryPullRequests } from "./pull-requests.ts";
import type { SourceRepository } from "./sets.ts";

export interface Label {
  key: string;
  path: string;
  line: number;
  rule: string;
  /** `right`: a careful reviewer would want it said. */
  verdict: "right" | "wrong";
  why: string;
}

export interface OrdinaryResult {
  pullRequests: number;
  comments: number;
  commentsPerPullRequest: number;
  right: number;
  wrong: number;
  /** Not in the list of labels; they count as wrong. */
  unlabelled: readonly (ReviewComment & { key: string })[];
  precision: number;
  byRule: ReadonlyMap<string, number>;
  /** Milliseconds a pull request, from its diff to its comments, ascending. */
  durationsMs: readonly number[];
  filesAnalyzed: number;
  /** Processor time of the whole process for all of it, in milliseconds: what another program's load falsifies least. */
  processorMs: number;
}

export async function reviewOrdinary(
  engine: ReviewEngine,
  repositories: readonly SourceRepository[],
  mirror: string | null,
): Promise<OrdinaryResult> {
  const said: (ReviewComment & { key: string })[] = [];
  const durationsMs: number[] = [];
  let [filesAnalyzed, processorMs] = [0, 0];
  for (const repository of repositories) {
    const directory = await fetchRepository(repository, mirror);
    for (const pr of await ordinaryPullRequests(repository.name, directory, repository.commit)) {
      const before = process.cpuUsage();
      const outcome = await reviewRange(engine, directory, `${pr.base}..${pr.head}`);
      const { user, system } = process.cpuUsage(before);
      processorMs += (user + system) / 1_000;
      durationsMs.push(outcome.ms);
      filesAnalyzed += outcome.metrics.filesAnalyzed;
      said.push(...outcome.comments.map((comment) => ({ ...comment, key: pr.key })));
    }
  }
  return {
    ...judge(said),
    pullRequests: durationsMs.length,
    commentsPerPullRequest: said.length / durationsMs.length,
    durationsMs: durationsMs.sort((a, b) => a - b),
    ...{ filesAnalyzed, processorMs },
  };
}

/** Both sets as one. */
export function together(a: OrdinaryResult, b: OrdinaryResult): OrdinaryResult {
  const byRule = new Map(a.byRule);
  for (const [rule, count] of b.byRule) byRule.set(rule, (byRule.get(rule) ?? 0) + count);
  const [comments, right] = [a.comments + b.comments, a.right + b.right];
  const pullRequests = a.pullRequests + b.pullRequests;
  return {
    ...{ pullRequests, comments, right, byRule },
    commentsPerPullRequest: comments / pullRequests,
    wrong: comments - right,
    unlabelled: [...a.unlabelled, ...b.unlabelled],
    precision: comments === 0 ? 1 : right / comments,
    durationsMs: [...a.durationsMs, ...b.durationsMs].sort((x, y) => x - y),
    filesAnalyzed: a.filesAnalyzed + b.filesAnalyzed,
    processorMs: a.processorMs + b.processorMs,
  };
}

/** What is said of `base..head` in a clone, and how long it took from the diff on. */
export async function reviewRange(engine: ReviewEngine, directory: string, range: string) {
  const signal = AbortSignal.timeout(120_000);
  const { close, ...opened } = await openLocalRange({ directory, range, signal });
  try {
    const options = defaultReviewOptions;
    const began = systemClock.monotonicMs();
    const outcome = await reviewDiff({
      ...{ ...opened, organizationId: null },
      ...{ options, engines: [engine], clock: systemClock, signal },
    });
    return { ...outcome, ms: systemClock.monotonicMs() - began };
  } finally {
    await close();
  }
}

function judge(said: readonly (ReviewComment & { key: string })[]) {
  const verdicts = new Map((labels as Label[]).map((label) => [labelKey(label), label.verdict]));
  const byRule = new Map<string, number>();
  for (const comment of said) byRule.set(comment.rule, (byRule.get(comment.rule) ?? 0) + 1);
  const right = said.filter((comment) => verdicts.get(labelKey(comment)) === "right").length;
  const unlabelled = said.filter((comment) => !verdicts.has(labelKey(comment)));
  return {
    comments: said.length,
    right,
    wrong: said.length - right,
    unlabelled,
    byRule,
    precision: said.length === 0 ? 1 : right / said.length,
  };
}

function labelKey(at: { key: string; path: string; line: number; rule: string }): string {
  return `${at.key} ${at.path}:${at.line} ${at.rule}`;
}
