/**
 * Scores the built-in engine on the OWASP Benchmark: the official score (true positive rate less false positive rate,
 * averaged over the categories) and strict precision, where a security finding of another category counts as false.
 */
import type { CandidateComment } from "../../src/domain/comment.ts";
import type { Diff, DiffFile } from "../../src/domain/diff.ts";
import type { PullRequest } from "../../src/domain/pull-request.ts";
import { defaultReviewOptions } from "../../src/domain/review.ts";
import type { ReviewEngine } from "../../src/domain/review-engine.ts";
import { fetchRepository, git } from "./fetch.ts";
import type { owaspSets } from "./sets.ts";

export interface OwaspResult {
  cases: number;
  truePositives: number;
  falsePositives: number;
  falseNegatives: number;
  trueNegatives: number;
  /** Security findings whose category is not the case's. */
  offCategory: number;
  /** Mean of (TPR − FPR) over the categories, in percent. */
  score: number;
  /** Right findings of all security findings. */
  strictPrecision: number;
  byCategory: ReadonlyMap<string, CategoryCounts>;
  /** Cases judged wrongly, for reading: `BenchmarkTest00001 pathtraver missed`. */
  mistakes: readonly string[];
}

interface CategoryCounts {
  tp: number;
  fp: number;
  fn: number;
  tn: number;
}

interface Case {
  name: string;
  category: string;
  vulnerable: boolean;
  cwe: number;
}

const casesPerReview = 50;

/** CWEs that say the same as the benchmark's number. */
const sameWeakness: Readonly<Record<number, readonly number[]>> = {
  22: [22, 23, 36, 73],
  78: [78, 77],
  94: [94, 95],
  327: [327, 326],
  328: [328, 327, 916],
  330: [330, 338],
  601: [601],
  614: [614, 1004],
};

export async function scoreOwasp(
  set: (typeof owaspSets)[keyof typeof owaspSets],
  engine: ReviewEngine,
  mirror: string | null,
): Promise<OwaspResult> {
  const directory = await fetchRepository(set.repository, mirror);
  const show = (path: string) => git(["-C", directory, "show", `${set.repository.commit}:${path}`]);
  const cases = parseExpected(await show(set.expected));
  const found = new Map<string, CandidateComment[]>();
  for (let at = 0; at < cases.length; at += casesPerReview) {
    const batch = cases.slice(at, at + casesPerReview);
    const sources = new Map<string, string>();
    for (const one of batch) {
      const path = `${set.sources}/${one.name}${set.extension}`;
      sources.set(path, await show(path));
    }
    for (const candidate of await review(engine, sources)) {
      const name = candidate.path.split("/").at(-1)?.replace(set.extension, "") ?? "";
      found.set(name, [...(found.get(name) ?? []), candidate]);
    }
  }
  return tally(cases, found);
}

function parseExpected(csv: string): Case[] {
  return csv
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => {
      const [name = "", category = "", vulnerable, cwe] = line.split(",").map((cell) => cell.trim());
      return { name, category, vulnerable: vulnerable === "true", cwe: Number(cwe) };
    });
}

async function review(
  engine: ReviewEngine,
  sources: ReadonlyMap<string, string>,
): Promise<readonly CandidateComment[]> {
  const diff: Diff = { files: [...sources].map(([path, text]) => addedFile(path, text)) };
  const result = await engine.review({
    organizationId: null,
    pr: benchmarkPullRequest,
    diff,
    readFile: async (path, side) => {
      const text = side === "head" ? sources.get(path) : undefined;
      return text === undefined ? null : new TextEncoder().encode(text);
    },
    listFiles: async () => [],
    search: async () => null,
    options: defaultReviewOptions,
    signal: new AbortController().signal,
  });
  const unread = result.coverage.filter((file) => file.read !== "whole");
  if (unread.length > 0 || result.problems.length > 0) {
    throw new Error(`not read whole: ${[...unread.map((file) => file.path), ...result.problems].join(", ")}`);
  }
  return result.candidates;
}

const benchmarkPullRequest: PullRequest = {
  repository: "owasp/benchmark",
  number: 1,
  title: "",
  body: "",
  author: null,
  headBranch: null,
  baseBranch: null,
  headSha: "0".repeat(40),
  baseSha: "1".repeat(40),
  url: null,
};

export function addedFile(path: string, text: string): DiffFile {
  const texts = text.split("\n");
  if (texts.at(-1) === "") texts.pop();
  const lines = texts.map((line, index) => ({ kind: "added" as const, newLine: index + 1, text: line }));
  return {
    path,
    oldPath: null,
    change: "added",
    content: "text",
    oldMode: null,
    newMode: "100644",
    additions: lines.length,
    deletions: 0,
    omitted: null,
    hunks: [{ oldStart: 0, oldLines: 0, newStart: 1, newLines: lines.length, lines }],
  };
}

function tally(cases: readonly Case[], found: ReadonlyMap<string, readonly CandidateComment[]>): OwaspResult {
  const byCategory = new Map<string, CategoryCounts>();
  const mistakes: string[] = [];
  let offCategory = 0;
  for (const one of cases) {
    const security = (found.get(one.name) ?? []).filter((candidate) => candidate.category === "security");
    const matches = sameWeakness[one.cwe] ?? [one.cwe];
    const hit = security.some((candidate) => candidate.cwe !== null && matches.includes(candidate.cwe));
    const others = security.filter((candidate) => candidate.cwe === null || !matches.includes(candidate.cwe));
    offCategory += others.length;
    const counts = byCategory.get(one.category) ?? { tp: 0, fp: 0, fn: 0, tn: 0 };
    counts[one.vulnerable ? (hit ? "tp" : "fn") : hit ? "fp" : "tn"] += 1;
    byCategory.set(one.category, counts);
    if (hit !== one.vulnerable)
      mistakes.push(`${one.name} ${one.category} ${hit ? "false alarm" : "missed"}`);
    for (const other of others)
      mistakes.push(`${one.name} ${one.category} off category: ${other.rule} line ${other.line}`);
  }
  return { cases: cases.length, ...totals(byCategory, offCategory), offCategory, byCategory, mistakes };
}

function totals(byCategory: ReadonlyMap<string, CategoryCounts>, offCategory: number) {
  const all = [...byCategory.values()];
  const sum = (key: keyof CategoryCounts) => all.reduce((total, counts) => total + counts[key], 0);
  const rate = (part: number, rest: number) => (part + rest === 0 ? 0 : part / (part + rest));
  const scores = all.map((counts) => rate(counts.tp, counts.fn) - rate(counts.fp, counts.tn));
  return {
    truePositives: sum("tp"),
    falsePositives: sum("fp"),
    falseNegatives: sum("fn"),
    trueNegatives: sum("tn"),
    score: (100 * scores.reduce((total, score) => total + score, 0)) / Math.max(1, scores.length),
    strictPrecision: rate(sum("tp"), sum("fp") + offCategory),
  };
}
