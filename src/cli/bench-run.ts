/** Reviews our own cases as any pull request is reviewed, and compares what was said with what is expected. */
import { diffOfFiles } from "../code-hosts/diff-of-files.ts";
import { searchInFiles } from "../code-hosts/search-in-files.ts";
import type { ReviewComment } from "../domain/comment.ts";
import type { PullRequest } from "../domain/pull-request.ts";
import { defaultReviewOptions } from "../domain/review.ts";
import type { ReviewEngine } from "../domain/review-engine.ts";
import type { Clock } from "../domain/runtime.ts";
import { reviewDiff } from "../review/review-diff.ts";
import type { ExpectedComment, QualityCase } from "./bench-cases.ts";

export interface CaseResult {
  name: string;
  title: string;
  expected: number;
  found: number;
  /** Expected and not said: `src/a.py:3 py/eval`. */
  missed: readonly string[];
  /** Said and not expected. */
  falseAlarms: readonly string[];
  /** What the summary lacks, or what was said and must not be. */
  other: readonly string[];
  ms: number;
}

export function isPassed({ missed, falseAlarms, other }: CaseResult): boolean {
  return missed.length === 0 && falseAlarms.length === 0 && other.length === 0;
}

export async function runCase(own: QualityCase, engine: ReviewEngine, clock: Clock): Promise<CaseResult> {
  const beganMs = clock.monotonicMs();
  const { comments, summary } = await review(own, engine, clock);
  const ms = clock.monotonicMs() - beganMs;
  const expected = own.expected.map(placeOf);
  const said = comments.map(placeOf);
  const missed = expected.filter((place) => !said.includes(place));
  return {
    ...{ name: own.name, title: own.title, ms },
    expected: expected.length,
    found: expected.length - missed.length,
    missed,
    falseAlarms: said.filter((place) => !expected.includes(place)),
    other: [...lacking(own, summary), ...leaked(own, summary, comments)],
  };
}

function lacking({ summary: demanded }: QualityCase, summary: string): string[] {
  return demanded
    .filter((text) => !summary.includes(text))
    .map((text) => `the summary lacks ${JSON.stringify(text)}`);
}

function leaked({ unsaid }: QualityCase, summary: string, comments: readonly ReviewComment[]): string[] {
  const everything = [summary, ...comments.flatMap(({ message, suggestion }) => [message, suggestion ?? ""])];
  return unsaid
    .filter((text) => everything.some((said) => said.includes(text)))
    .map((text) => `${JSON.stringify(text)} was said`);
}

function placeOf({ path, line, rule }: ExpectedComment): string {
  return `${path}:${line} ${rule}`;
}

function review({ files, title }: QualityCase, engine: ReviewEngine, clock: Clock) {
  const side = (which: "before" | "after") =>
    Object.fromEntries(
      Object.entries(files).flatMap(([path, sides]): [string, string][] => {
        const text = sides[which];
        return text === null ? [] : [[path, text]];
      }),
    );
  const [base, head] = [side("before"), side("after")];
  const of = (which: "base" | "head") => (which === "base" ? base : head);
  return reviewDiff({
    organizationId: null,
    pr: { ...casePullRequest, title },
    diff: diffOfFiles(base, head),
    readFile: async (path, which) => {
      const text = of(which)[path];
      return text === undefined ? null : new TextEncoder().encode(text);
    },
    listFiles: async (folder, which) =>
      Object.keys(of(which)).filter((path) => path.slice(0, path.lastIndexOf("/")) === folder),
    search: async (words, which) => searchInFiles(of(which), words),
    options: defaultReviewOptions,
    engines: [engine],
    clock,
    signal: new AbortController().signal,
  });
}

const casePullRequest: PullRequest = {
  ...{ repository: "acme/shop", number: 7, title: "", body: "", author: "ada", url: null },
  ...{ headBranch: "topic", baseBranch: "main", headSha: "a".repeat(40), baseSha: "b".repeat(40) },
};
