/** Everything the engine does with a file's text; runs in the worker (worker.ts), where it may hang or crash alone. */
import type { CandidateComment } from "../../domain/comment.ts";
import type { DiffFile } from "../../domain/diff.ts";
import { withoutBetterJudged } from "./better-judged.ts";
import { toCandidate } from "./candidates.ts";
import type { Detector, Judged } from "./detector.ts";
import { diffChecks, pullRequestChecks } from "./diff-checks/all.ts";
import { type IgnoreComments, ignoreComments } from "./ignore-comments.ts";
import { loadLanguage, releaseTrees } from "./parser/syntax.ts";
import { describeProblem, type RuleProblem, type RuleSource } from "./patterns/pattern-rule.ts";
import { patternRules } from "./patterns/pattern-rules.ts";
import type { Finding } from "./rule.ts";
import { scanners } from "./scanners/all.ts";
import { SourceFile } from "./source-file.ts";
import { taintDetectors } from "./taint/all.ts";
import { treeChecks } from "./tree-checks/all.ts";
import { RepositoryAtHead, type SearchedRepository } from "./uses/repository-at-head.ts";

/** A changed file with the bytes of its sides, as far as they could be read. */
export interface FileBytes {
  diff: DiffFile;
  head: Uint8Array | null;
  base: Uint8Array | null;
}

export interface AnalyzeFile extends FileBytes {
  kind: "file";
  /** False = as text alone, after its tree took too long. */
  parses: boolean;
  /** Rules beside the built-in ones. */
  ownRules: readonly RuleSource[];
}

export interface AnalyzePullRequest {
  kind: "pull-request";
  files: readonly FileBytes[];
  diffs: readonly DiffFile[];
  others: ReadonlyMap<string, string>;
  /** Null when the repository was not searched. */
  found: SearchedRepository | null;
}

export interface Report {
  candidates: readonly CandidateComment[];
  /** Findings that an ignore comment silenced. */
  ignored: number;
  /** What is wrong with rules that are not built in: their authors read it in the summary. */
  problems: readonly string[];
  /** What is wrong with the built-in ones: nobody but us can mend it, so it is for the log. */
  faults: readonly string[];
}

export async function analyze(request: AnalyzeFile | AnalyzePullRequest): Promise<Report> {
  try {
    return request.kind === "file" ? await analyzeFile(request) : await analyzePullRequest(request);
  } finally {
    releaseTrees();
  }
}

async function analyzeFile(request: AnalyzeFile): Promise<Report> {
  const file = await load(request, request.parses);
  const patterns = patternRules(request.ownRules);
  const found: Finding[] = [];
  const guesses: Finding[] = [];
  const faults: string[] = [];
  const guessing = [patterns, ...treeChecks];
  for (const detector of [...scanners, ...guessing, ...taintDetectors, ...diffChecks]) {
    const failed = collect(guessing.includes(detector) ? guesses : found, file, detector);
    if (failed !== null) faults.push(failed);
  }
  found.push(...withoutBetterJudged(guesses, judgedBy(taintDetectors, file)));
  return report(
    found.map((finding) => ({ file, finding })),
    divided(patterns.problems, request.ownRules, faults),
  );
}

/** Problems of the review's own rules, and faults of ours. */
function divided(
  found: readonly RuleProblem[],
  ownRules: readonly RuleSource[],
  faults: readonly string[],
): Pick<Report, "problems" | "faults"> {
  const isOwn = ({ path }: RuleProblem) => ownRules.some((rule) => rule.path === path);
  return {
    problems: found.filter(isOwn).map(describeProblem),
    faults: [...faults, ...found.filter((problem) => !isOwn(problem)).map(describeProblem)],
  };
}

async function analyzePullRequest(request: AnalyzePullRequest): Promise<Report> {
  const files: SourceFile[] = [];
  for (const bytes of request.files) files.push(await load(bytes, true));
  const repository = request.found === null ? null : await RepositoryAtHead.open(request.found);
  const change = { files, diffs: request.diffs, others: request.others, repository };
  const located: { file: SourceFile; finding: Finding }[] = [];
  const faults: string[] = [];
  for (const check of pullRequestChecks) {
    try {
      located.push(...check.find(change));
    } catch (error) {
      faults.push(describeFault(check, error));
    }
  }
  return report(located, { problems: [], faults });
}

async function load(bytes: FileBytes, parses: boolean): Promise<SourceFile> {
  const file = new SourceFile({ ...bytes, parses });
  if (parses && file.language !== null) await loadLanguage(file.language);
  return file;
}

function judgedBy(detectors: readonly Detector[], file: SourceFile): readonly Judged[] {
  return detectors.flatMap((detector) => (detector.appliesTo(file) ? (detector.judged?.(file) ?? []) : []));
}

/** One detector's failure is its own: the others' findings stand. */
function collect(into: Finding[], file: SourceFile, detector: Detector): string | null {
  try {
    if (detector.appliesTo(file)) into.push(...detector.find(file));
    return null;
  } catch (error) {
    return `${file.path}: ${describeFault(detector, error)}`;
  }
}

function describeFault({ rules }: Pick<Detector, "rules">, error: unknown): string {
  const ids = rules.slice(0, 3).map((rule) => rule.id);
  return `${ids.join(", ")} failed: ${error instanceof Error ? error.message : String(error)}`;
}

function report(
  located: readonly { file: SourceFile; finding: Finding }[],
  wrong: Pick<Report, "problems" | "faults">,
): Report {
  const ignoring = new Map<SourceFile, IgnoreComments>();
  const candidates = new Map<string, CandidateComment>();
  let ignored = 0;
  for (const { file, finding } of located) {
    const candidate = toCandidate(file, finding);
    if (candidate === null) continue;
    const comments = ignoring.get(file) ?? ignoreComments(file.lines);
    ignoring.set(file, comments);
    const key = `${candidate.path}\n${candidate.line}\n${candidate.rule}`;
    if (comments.covers(candidate.rule, candidate.startLine ?? candidate.line)) ignored += 1;
    else if (!candidates.has(key)) candidates.set(key, candidate);
  }
  return { candidates: [...candidates.values()].sort(byPlace), ignored, ...wrong };
}

function byPlace(a: CandidateComment, b: CandidateComment): number {
  return (
    (a.path < b.path ? -1 : Number(a.path > b.path)) ||
    a.line - b.line ||
    (a.rule < b.rule ? -1 : Number(a.rule > b.rule))
  );
}
