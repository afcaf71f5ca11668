/** The built-in engine: rules, scanners and diff checks that need no model and no network. */
import type { CandidateComment } from "../../domain/comment.ts";
import type { DiffFile } from "../../domain/diff.ts";
import type {
  FileCoverage,
  ReviewEngine,
  ReviewEngineInput,
  ReviewEngineResult,
} from "../../domain/review-engine.ts";
import type { Logger } from "../../domain/runtime.ts";
import { engineName, toCandidate } from "./candidates.ts";
import { ignoreComments } from "./ignore-comments.ts";
import { applyLineRules } from "./line-rules.ts";
import { scanners } from "./scanners/all.ts";
import { type SourceFile, sourceFile } from "./source-file.ts";

export interface RulesEngineOptions {
  logger: Logger;
}

export function createRulesEngine(_options: RulesEngineOptions): ReviewEngine {
  return { name: engineName, review, close: async () => {} };
}

async function review(input: ReviewEngineInput): Promise<ReviewEngineResult> {
  const candidates: CandidateComment[] = [];
  const coverage: FileCoverage[] = [];
  for (const diff of input.diff.files) {
    input.signal.throwIfAborted();
    if (diff.content !== "text" || diff.change === "deleted" || diff.hunks.length === 0) continue;
    const file = await readSourceFile(diff, input);
    candidates.push(...candidatesOf(file));
    coverage.push(
      file.whole
        ? { path: file.path, read: "whole", reason: null }
        : { path: file.path, read: "partly", reason: "only its changed lines could be read" },
    );
  }
  return { candidates, tokensUsed: 0, coverage, problems: [] };
}

async function readSourceFile(diff: DiffFile, input: ReviewEngineInput): Promise<SourceFile> {
  const [head, base] = await Promise.all([
    input.readFile(diff.path, "head"),
    diff.change === "added" ? null : input.readFile(diff.oldPath ?? diff.path, "base"),
  ]);
  return sourceFile(diff, head, base);
}

function candidatesOf(file: SourceFile): CandidateComment[] {
  const ignored = ignoreComments(file.lines);
  const findings = scanners
    .filter((scanner) => scanner.appliesTo(file))
    .flatMap((scanner) => [...scanner.scan(file)])
    .concat([...applyLineRules(file)])
    .filter((finding) => !ignored.covers(finding.rule.id, finding.startLine ?? finding.line));
  return findings
    .flatMap((finding) => toCandidate(file, finding) ?? [])
    .sort((a, b) => a.line - b.line || compare(a.rule, b.rule));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
