/** The hunks of one file's patch, for every code host whose diffs are in git's format. */
import { parsePatch } from "diff";
import type { DiffLine, Hunk } from "../domain/diff.ts";

/**
 * `patch` is one file's: with `diff --git` and what follows it, or its bare hunks. An empty side starts at 1. A line
 * that ends with CR LF loses both. Throws when the patch is cut short or otherwise not what its headers announce.
 */
export function parseHunks(patch: string): Hunk[] {
  return parsePatch(patch).flatMap((file) => file.hunks.map(toHunk));
}

function toHunk(hunk: Omit<Hunk, "lines"> & { lines: readonly string[] }): Hunk {
  const { oldStart, oldLines, newStart, newLines } = hunk;
  const lines: DiffLine[] = [];
  let oldLine = oldStart;
  let newLine = newStart;
  for (const line of hunk.lines) {
    const text = line.slice(1, line.endsWith("\r") ? -1 : undefined);
    // "\ No newline at end of file" is a remark about the line before it.
    if (line.startsWith("\\")) continue;
    if (line.startsWith("+")) lines.push({ kind: "added", newLine: newLine++, text });
    else if (line.startsWith("-")) lines.push({ kind: "removed", oldLine: oldLine++, text });
    else lines.push({ kind: "context", oldLine: oldLine++, newLine: newLine++, text });
  }
  return { oldStart, oldLines, newStart, newLines, lines };
}
