/** The checks of all changed files together: sees to it that they have what they want, within bounds. */
import type { ReviewEngineInput } from "../../domain/review-engine.ts";
import type { Logger } from "../../domain/runtime.ts";
import type { FileBytes, Report } from "./analyze.ts";
import { AnalyzerFailure } from "./analyzer.ts";
import type { AnalyzerPool } from "./analyzer-pool.ts";
import { pullRequestChecks } from "./diff-checks/all.ts";
import { hasNewText, nothingFound, readSides } from "./review-files.ts";
import { searchRepository } from "./uses/search-repository.ts";

/** Both sides of all files; a larger pull request is not compared across its files, and the summary says so. */
const bytesMax = 20_000_000;

export async function reviewTogether(
  pool: AnalyzerPool,
  input: ReviewEngineInput,
  logger: Logger,
): Promise<Report> {
  if (pullRequestChecks.length === 0 || input.diff.files.length === 0) return nothingFound;
  const files = await readAll(input);
  if (files === null)
    return { ...nothingFound, problems: ["too large to compare its files with each other"] };
  const others = await readOthers(input);
  const { found, problems } = await searchRepository(input, questionsAbout(files), logger);
  try {
    const diffs = input.diff.files;
    const report = await pool.run({ kind: "pull-request", files, diffs, others, found }, input.signal);
    return { ...report, problems: [...report.problems, ...problems] };
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

function questionsAbout(files: readonly FileBytes[]) {
  const text = (bytes: Uint8Array | null) => (bytes === null ? null : new TextDecoder().decode(bytes));
  const texts = files.map(({ diff, base, head }) => ({ diff, base: text(base), head: text(head) }));
  return pullRequestChecks.flatMap((check) => check.asks?.(texts) ?? []);
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
