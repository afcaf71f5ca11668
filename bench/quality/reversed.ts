/**
 * Reviews every public bug fix twice: backwards, as a change that brings the bug in, and forwards, as the fix. The two
 * rates only mean something side by side: what is flagged backwards is seldom the bug itself, so neither is ever to be
 * told as "bugs found".
 */
import type { PullRequest } from "../../src/domain/pull-request.ts";
import { defaultReviewOptions } from "../../src/domain/review.ts";
import type { ReviewEngine } from "../../src/domain/review-engine.ts";
import { type FixCase, type FixSet, readFixes, reversed } from "./fixes.ts";
import { fixSets } from "./sets.ts";

export interface ReversedResult {
  set: FixSet;
  cases: number;
  /** Cases with at least one inline comment when the fix is taken back. */
  flaggedBackwards: number;
  /** Cases with at least one inline comment on the fix itself. */
  flaggedForwards: number;
  /** Cases by rule. */
  byRule: ReadonlyMap<string, { backwards: number; forwards: number }>;
}

/** The largest share of fixes that may be flagged, in each set. */
export const flaggedForwardsMax = 0.15;

export async function reviewReversedFixes(
  engine: ReviewEngine,
  mirror: string | null,
): Promise<ReversedResult[]> {
  const results: ReversedResult[] = [];
  for (const set of Object.keys(fixSets) as FixSet[]) {
    results.push(await reviewSet(engine, set, await readFixes(set, mirror)));
  }
  return results;
}

async function reviewSet(
  engine: ReviewEngine,
  set: FixSet,
  cases: readonly FixCase[],
): Promise<ReversedResult> {
  const byRule = new Map<string, { backwards: number; forwards: number }>();
  const flagged = { backwards: 0, forwards: 0 };
  for (const fix of cases) {
    for (const [direction, change] of [
      ["backwards", reversed(fix)],
      ["forwards", fix],
    ] as const) {
      const rules = await inlineRules(engine, change);
      if (rules.size > 0) flagged[direction] += 1;
      for (const rule of rules) {
        const counts = byRule.get(rule) ?? { backwards: 0, forwards: 0 };
        counts[direction] += 1;
        byRule.set(rule, counts);
      }
    }
  }
  return {
    set,
    cases: cases.length,
    flaggedBackwards: flagged.backwards,
    flaggedForwards: flagged.forwards,
    byRule,
  };
}

async function inlineRules(engine: ReviewEngine, { name, files }: FixCase): Promise<ReadonlySet<string>> {
  const { candidates } = await engine.review({
    pr: { ...pullRequest, title: name },
    diff: {
      files: files.map(({ path, hunks }) => ({
        path,
        oldPath: null,
        change: "modified",
        content: "text",
        oldMode: "100644",
        newMode: "100644",
        additions: countOf(hunks, "added"),
        deletions: countOf(hunks, "removed"),
        hunks,
        omitted: null,
      })),
    },
    readFile: async (path, side) => {
      const file = files.find((one) => one.path === path);
      return file === undefined ? null : new TextEncoder().encode(side === "base" ? file.before : file.after);
    },
    listFiles: async () => [],
    search: async () => null,
    organizationId: null,
    options: defaultReviewOptions,
    signal: new AbortController().signal,
  });
  return new Set(candidates.filter(({ placement }) => placement === "inline").map(({ rule }) => rule));
}

function countOf(hunks: FixCase["files"][number]["hunks"], kind: "added" | "removed"): number {
  return hunks.reduce((sum, { lines }) => sum + lines.filter((line) => line.kind === kind).length, 0);
}

const pullRequest: PullRequest = {
  repository: "bench/fixes",
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

/** `bun run bench/quality/reversed.ts [folder of clones]` prints both rates, side by side. */
async function print(): Promise<void> {
  const { createRulesEngine } = await import("../../src/engines/rules/rules.ts");
  const { createLogger } = await import("../../src/system.ts");
  const engine = createRulesEngine({ logger: createLogger({ level: "error", format: "json" }) });
  const results = await reviewReversedFixes(engine, process.argv[2] ?? null);
  await engine.close();
  for (const { set, cases, flaggedBackwards, flaggedForwards, byRule } of results) {
    console.log(
      `${set}: ${cases} cases, backwards ${share(flaggedBackwards, cases)}, fixes ${share(flaggedForwards, cases)}`,
    );
    const sorted = [...byRule].sort(([, a], [, b]) => b.backwards - a.backwards);
    for (const [rule, { backwards, forwards }] of sorted) console.log(`  ${rule} ${backwards}/${forwards}`);
  }
  if (results.some(({ cases, flaggedForwards }) => flaggedForwards > cases * flaggedForwardsMax))
    process.exitCode = 1;
}

function share(part: number, whole: number): string {
  return `${part} (${((100 * part) / whole).toFixed(1)} %)`;
}

if (import.meta.main) await print();
