/** A parsed diff from the merge base to the head. Line numbers count from 1; texts carry no line ending. */

export interface Diff {
  files: readonly DiffFile[];
}

export type FileChange = "added" | "modified" | "deleted" | "renamed" | "copied" | "type_changed";
export type FileContent = "text" | "binary" | "submodule" | "symlink";

export interface DiffFile {
  /** The head-side path; the base-side one of a deleted file. Bytes that are not UTF-8 are shown as `\xHH`. */
  path: string;
  /** The base-side path where it differs from `path`. */
  oldPath: string | null;
  change: FileChange;
  content: FileContent;
  /** Git's octal file modes, `100644`; null on the side where the file is absent. */
  oldMode: string | null;
  newMode: string | null;
  additions: number;
  deletions: number;
  /** Empty for binary files, pure renames, mode changes, and files over the size limit (then `omitted` says so). */
  hunks: readonly Hunk[];
  /** Why the hunks were not read although the file changed; null when they were. */
  omitted: string | null;
}

/** A side without lines starts at the line that would be its first: `@@ -0,0 +1 @@` has `oldStart` 1. */
export interface Hunk {
  oldStart: number;
  oldLines: number;
  newStart: number;
  newLines: number;
  lines: readonly DiffLine[];
}

export type DiffLine =
  | { kind: "context"; oldLine: number; newLine: number; text: string }
  | { kind: "added"; newLine: number; text: string }
  | { kind: "removed"; oldLine: number; text: string };

/** Head-side numbers of the lines that the pull request added, ascending. */
export function addedLines(file: DiffFile): number[] {
  return file.hunks.flatMap((hunk) =>
    hunk.lines.flatMap((line) => (line.kind === "added" ? [line.newLine] : [])),
  );
}

/**
 * The head-side line nearest to a removed one in its hunk: the line that now stands where it stood.
 * Null when the hunk has no head side at all (the whole file went).
 */
export function nearestHeadLine(hunk: Hunk, oldLine: number): number | null {
  const at = hunk.lines.findIndex((line) => line.kind === "removed" && line.oldLine === oldLine);
  if (at < 0) return null;
  for (let distance = 1; distance < hunk.lines.length; distance += 1) {
    for (const line of [hunk.lines[at + distance], hunk.lines[at - distance]]) {
      if (line !== undefined && line.kind !== "removed") return line.newLine;
    }
  }
  return null;
}
