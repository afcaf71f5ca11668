/** The built-in engine: rules, scanners, taint and diff checks that need no model and no network. */
import { availableParallelism } from "node:os";
import type { ReviewEngine, ReviewEngineInput, ReviewEngineResult } from "../../domain/review-engine.ts";
import type { Logger } from "../../domain/runtime.ts";
import { AnalyzerPool } from "./analyzer-pool.ts";
import { withoutGeneral } from "./better-judged.ts";
import { engineName } from "./candidates.ts";
import { withFewDoubts } from "./few-doubts.ts";
import type { RuleSource } from "./patterns/pattern-rule.ts";
import { reviewFiles } from "./review-files.ts";
import { reviewTogether } from "./review-together.ts";
import { workerScript } from "./worker-script.ts";

export interface RulesEngineOptions {
  logger: Logger;
  /** An organization's own rules for a pull request, beside the built-in ones. */
  ownRules?: (input: ReviewEngineInput) => Promise<readonly RuleSource[]>;
  /** For tests: another worker, or less patience. */
  workerScript?: string;
  fileBudgetMs?: number;
}

const fileBudgetMs = 10_000;
/** A review is nearly all computing: one worker for each core; the server needs little meanwhile, and the system shares fairly. */
const workersMax = 4;

export function createRulesEngine(options: RulesEngineOptions): ReviewEngine {
  const size = Math.min(workersMax, availableParallelism());
  const pool = new AnalyzerPool(size, {
    script: options.workerScript ?? workerScript,
    budgetMs: options.fileBudgetMs ?? fileBudgetMs,
  });
  return {
    name: engineName,
    review: (input) => review(pool, options, input),
    close: async () => pool.close(),
  };
}

async function review(
  pool: AnalyzerPool,
  options: RulesEngineOptions,
  input: ReviewEngineInput,
): Promise<ReviewEngineResult> {
  input.signal.throwIfAborted();
  const ownRules = (await options.ownRules?.(input)) ?? [];
  const files = await reviewFiles(pool, input, ownRules);
  const together = await reviewTogether(pool, input, options.logger);
  const reports = [...files.map((file) => file.report), together];
  const problems = [...new Set(reports.flatMap((report) => report.problems))];
  const faults = new Set(reports.flatMap((report) => report.faults));
  for (const fault of faults) options.logger.error("a built-in rule failed", { fault });
  return {
    candidates: withFewDoubts(withoutGeneral(reports.flatMap((report) => report.candidates)), input.pr.title),
    tokensUsed: 0,
    coverage: files.map((file) => file.coverage),
    problems: [...problems, ...ignoredNote(reports.reduce((sum, report) => sum + report.ignored, 0))],
  };
}

function ignoredNote(ignored: number): string[] {
  if (ignored === 0) return [];
  return [
    `${ignored} ${ignored === 1 ? "finding was" : "findings were"} silenced by plumbline-ignore comments`,
  ];
}
