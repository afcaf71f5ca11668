/** Chooses the files worth reading. What is left out is named with its reason: a review is never silently partial. */
import type { Diff, DiffFile } from "../domain/diff.ts";
import type { ReadFile } from "../domain/review-engine.ts";
import { headerLineCount, kindByName, looksMinified, saysGenerated } from "./file-kinds.ts";
import type { ReviewLimits } from "./review-limits.ts";

export interface LeftOutFile {
  path: string;
  /** A person's reason: `lock file`, `binary`, `more than 10000 changed lines`. */
  reason: string;
}

export interface FileSelection {
  files: readonly DiffFile[];
  leftOut: readonly LeftOutFile[];
}

export async function selectFiles(
  diff: Diff,
  readFile: ReadFile,
  limits: Pick<ReviewLimits, "files" | "changedLines" | "changedLinesOfFile">,
): Promise<FileSelection> {
  const files: DiffFile[] = [];
  const leftOut: LeftOutFile[] = [];
  let lines = 0;
  for (const file of diff.files) {
    const changed = file.additions + file.deletions;
    const reason =
      reasonInDiff(file, limits.changedLinesOfFile) ?? reasonByBudget(files.length, lines + changed, limits);
    if (reason !== null) {
      leftOut.push({ path: file.path, reason });
      continue;
    }
    files.push(file);
    lines += changed;
  }
  return withoutGenerated(files, leftOut, readFile);
}

const readsAtOnce = 16;

async function withoutGenerated(
  files: readonly DiffFile[],
  leftOut: readonly LeftOutFile[],
  readFile: ReadFile,
): Promise<FileSelection> {
  const written: DiffFile[] = [];
  const generated: LeftOutFile[] = [];
  for (let from = 0; from < files.length; from += readsAtOnce) {
    const some = files.slice(from, from + readsAtOnce);
    const marked = await Promise.all(some.map((file) => isMarkedGenerated(file, readFile)));
    for (const [index, file] of some.entries()) {
      if (marked[index]) generated.push({ path: file.path, reason: "generated" });
      else written.push(file);
    }
  }
  return { files: written, leftOut: [...leftOut, ...generated] };
}

function reasonInDiff(file: DiffFile, changedLinesMax: number): string | null {
  if (file.content === "binary") return "binary";
  if (file.content === "submodule") return "submodule";
  if (file.content === "symlink") return "symbolic link";
  const kind = kindByName(file.path);
  if (kind !== null) return kind;
  if (file.omitted !== null) return file.omitted;
  if (file.additions + file.deletions > changedLinesMax) return `more than ${changedLinesMax} changed lines`;
  if (looksMinified(file.path, addedTexts(file))) return "minified";
  return null;
}

function reasonByBudget(
  files: number,
  lines: number,
  limits: Pick<ReviewLimits, "files" | "changedLines">,
): string | null {
  if (files >= limits.files) return `beyond the first ${limits.files} files`;
  if (lines > limits.changedLines) return `beyond the first ${limits.changedLines} changed lines`;
  return null;
}

/** An added file's top is in the diff already; of a changed one the host is asked. */
async function isMarkedGenerated(file: DiffFile, readFile: ReadFile): Promise<boolean> {
  if (file.change === "deleted" || file.hunks.length === 0) return false;
  if (file.change === "added") return saysGenerated(addedTexts(file).slice(0, headerLineCount));
  const content = await readFile(file.path, "head");
  if (content === null) return false;
  const top = new TextDecoder().decode(content.subarray(0, 4_096));
  return saysGenerated(top.split("\n").slice(0, headerLineCount));
}

function addedTexts(file: DiffFile): string[] {
  return file.hunks.flatMap((hunk) =>
    hunk.lines.flatMap((line) => (line.kind === "added" ? [line.text] : [])),
  );
}
