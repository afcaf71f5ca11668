/** The checks of all changed files together: sees to it that they have what they want, within bounds. */
import type { ReviewEngineInput } from "../../domain/review-engine.ts";
import type { FileBytes, Report } from "./analyze.ts";
import { AnalyzerFailure } from "./analyzer.ts";
import type { AnalyzerPool } from "./analyzer-pool.ts";
import { pullRequestChecks } from "./diff-checks/all.ts";
import { hasNewText, nothingFound, readSides } from "./review-files.ts";

/** Both sides of all files; a larger pull request is not compared across its files, and the summary says so. */
const bytesMax = 20_000_000;

export async function reviewTogether(pool: AnalyzerPool, input: ReviewEngineInput): Promise<Report> {
  if (pullRequestChecks.length === 0 || input.diff.files.length === 0) return nothingFound;
  const files = await readAll(input);
  if (files === null)
    return { ...nothingFound, problems: ["too large to compare its files with each other"] };
  const others = await readOthers(input);
  try {
    const diffs = input.diff.files;
    return await pool.run({ kind: "pull-request", files, diffs, others }, input.signal);
  } catch (error) {
    if (!(error instanceof AnalyzerFailure)) throw error;
    return { ...nothingFound, problems: [`comparing its files with each other ${error.message}`] };
  }
}

async function readAll(input: ReviewEngineInput): Promise<FileBytes[] | null> {
  const files: FileBytes[] = [];
  let bytes = 0;
  for (const diff of input.diff.files.filter(hasNewText)) {
    input.signal.throwIfAborted();
    const sides = await readSides(diff, input);
    bytes += (sides.head?.byteLength ?? 0) + (sides.base?.byteLength ?? 0);
    if (bytes > bytesMax) return null;
    files.push(sides);
  }
  return files;
}

async function readOthers(input: ReviewEngineInput): Promise<ReadonlyMap<string, string>> {
  const wanted = new Set(pullRequestChecks.flatMap((check) => check.wants(input.diff.files)));
  const others = new Map<string, string>();
  for (const path of wanted) {
    input.signal.throwIfAborted();
    const bytes = await input.readFile(path, "head");
    if (bytes !== null) others.set(path, new TextDecoder().decode(bytes));
  }
  return others;
}
