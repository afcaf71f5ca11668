/** Takes every changed file through the analyzers and says of each how far it was read. */
import type { DiffFile } from "../../domain/diff.ts";
import type { FileCoverage, ReviewEngineInput } from "../../domain/review-engine.ts";
import type { FileBytes, Report } from "./analyze.ts";
import { AnalyzerFailure } from "./analyzer.ts";
import type { AnalyzerPool } from "./analyzer-pool.ts";
import type { RuleSource } from "./patterns/pattern-rule.ts";

export interface ReviewedFile {
  report: Report;
  coverage: FileCoverage;
}

export const nothingFound: Report = { candidates: [], ignored: 0, problems: [], faults: [] };

/** A larger file is read as text alone: a tree takes several hundred times the memory of its text. */
const treeBytesMax = 1_000_000;
/** Bytes a line, on average, from which a file was written by a program: no rule about code means anything there. */
const minifiedLineBytes = 1_000;

/** In the order of the diff, whatever order the workers finish in. */
export async function reviewFiles(
  pool: AnalyzerPool,
  input: ReviewEngineInput,
  ownRules: readonly RuleSource[],
): Promise<ReviewedFile[]> {
  const files = input.diff.files.filter(hasNewText);
  const reviewed: ReviewedFile[] = [];
  let next = 0;
  const lane = async () => {
    for (let index = next++; index < files.length; index = next++) {
      const diff = files[index];
      if (diff === undefined) return;
      input.signal.throwIfAborted();
      reviewed[index] = await reviewFile(pool, await readSides(diff, input), input.signal, ownRules);
    }
  };
  const stopLanes = (error: unknown) => {
    next = files.length;
    throw error;
  };
  await Promise.all(Array.from({ length: pool.size }, () => lane().catch(stopLanes)));
  return reviewed;
}

export function hasNewText(diff: DiffFile): boolean {
  return diff.content === "text" && diff.change !== "deleted" && diff.hunks.length > 0;
}

export async function readSides(diff: DiffFile, input: ReviewEngineInput): Promise<FileBytes> {
  const [head, base] = await Promise.all([
    input.readFile(diff.path, "head"),
    diff.change === "added" ? null : input.readFile(diff.oldPath ?? diff.path, "base"),
  ]);
  return { diff, head, base };
}

/** With its syntax first; as text alone when that takes too long; not at all when that fails too. */
async function reviewFile(
  pool: AnalyzerPool,
  bytes: FileBytes,
  signal: AbortSignal,
  ownRules: readonly RuleSource[],
): Promise<ReviewedFile> {
  const coverage = (read: FileCoverage["read"], reason: string | null): FileCoverage => ({
    path: bytes.diff.path,
    read,
    reason,
  });
  const attempt = (parses: boolean) => pool.run({ kind: "file", ...bytes, parses, ownRules }, signal);
  const unreadable = whyNoTree(bytes.head);
  try {
    const report = await attempt(unreadable === null);
    if (bytes.head === null)
      return { report, coverage: coverage("partly", "only its changed lines could be had") };
    if (unreadable !== null)
      return { report, coverage: coverage("partly", `read as text alone, because it is ${unreadable}`) };
    return { report, coverage: coverage("whole", null) };
  } catch (error) {
    if (!(error instanceof AnalyzerFailure)) throw error;
    return asTextAlone(attempt, coverage, error.message);
  }
}

/** Null for what is read with its syntax. */
function whyNoTree(head: Uint8Array | null): string | null {
  if (head === null || head.byteLength < minifiedLineBytes * 20) return null;
  if (head.byteLength > treeBytesMax) return "larger than 1 MB";
  let lines = 1;
  for (const byte of head) if (byte === 0x0a) lines += 1;
  return head.byteLength / lines > minifiedLineBytes ? "minified" : null;
}

async function asTextAlone(
  attempt: (parses: boolean) => Promise<Report>,
  coverage: (read: FileCoverage["read"], reason: string) => FileCoverage,
  reason: string,
): Promise<ReviewedFile> {
  try {
    return {
      report: await attempt(false),
      coverage: coverage("partly", `read as text alone, because its analysis ${reason}`),
    };
  } catch (error) {
    if (!(error instanceof AnalyzerFailure)) throw error;
    return { report: nothingFound, coverage: coverage("not", `its analysis ${reason}`) };
  }
}
