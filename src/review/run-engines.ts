/** Runs every engine in its own time box. One that fails is a problem to be told, unless none is left. */
import type { CandidateComment } from "../domain/comment.ts";
import type { Diff, DiffFile } from "../domain/diff.ts";
import type {
  FileCoverage,
  ReviewEngine,
  ReviewEngineInput,
  ReviewEngineResult,
} from "../domain/review-engine.ts";
import { TimeLimitExceeded, withinTime } from "./time-limit.ts";

export interface Findings {
  candidates: readonly CandidateComment[];
  tokensUsed: number;
  /** One entry for each file of the input: the best that any engine did with it. */
  coverage: readonly FileCoverage[];
  problems: readonly string[];
  /** For the log: the problems do not repeat what an error says. */
  failures: readonly EngineFailure[];
}

export interface EngineFailure {
  engine: string;
  error: unknown;
}

/** Errors: the first engine's, when all failed; the signal's reason once it is aborted. */
export async function runEngines(
  engines: readonly ReviewEngine[],
  input: ReviewEngineInput,
  engineMs: number,
): Promise<Findings> {
  const runs = await Promise.allSettled(
    engines.map((engine) =>
      withinTime(engineMs, input.signal, (signal) => engine.review({ ...input, signal })),
    ),
  );
  input.signal.throwIfAborted();

  const results: ReviewEngineResult[] = [];
  const failures: EngineFailure[] = [];
  const problems: string[] = [];
  for (const [index, run] of runs.entries()) {
    if (run.status === "fulfilled") {
      results.push(run.value);
      problems.push(...run.value.problems);
    } else {
      const failure = { engine: engines[index]?.name ?? "", error: run.reason as unknown };
      failures.push(failure);
      problems.push(describeFailure(failure));
    }
  }
  if (results.length === 0 && failures[0] !== undefined) throw failures[0].error;

  return {
    candidates: results.flatMap((result) => result.candidates),
    tokensUsed: results.reduce((sum, result) => sum + result.tokensUsed, 0),
    coverage: bestCoverage(input.diff, results),
    problems,
    failures,
  };
}

/** An unexpected error's text may show what nobody outside should see: it is not repeated here. */
function describeFailure({ engine, error }: EngineFailure): string {
  const what = error instanceof TimeLimitExceeded ? error.message : "failed";
  return `the engine ${engine} ${what}, so what it would have found is missing`;
}

const extents = ["not", "partly", "whole"] as const satisfies readonly FileCoverage["read"][];

function bestCoverage(diff: Diff, results: readonly ReviewEngineResult[]): FileCoverage[] {
  const best = new Map<string, FileCoverage>();
  for (const entry of results.flatMap((result) => result.coverage)) {
    const known = best.get(entry.path);
    if (known === undefined || extents.indexOf(entry.read) > extents.indexOf(known.read)) {
      best.set(entry.path, entry);
    }
  }
  return diff.files.map((file) => best.get(file.path) ?? uncovered(file));
}

/** A file that went or only moved has no line of its own to read. */
function uncovered(file: DiffFile): FileCoverage {
  return file.change === "deleted" || file.hunks.length === 0
    ? { path: file.path, read: "whole", reason: null }
    : { path: file.path, read: "not", reason: "no engine reads files of this kind" };
}
