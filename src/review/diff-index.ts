/** A changed file seen from the head side: what stands on a line, and whether one may speak there. */
import { addedLines, type DiffFile, nearestHeadLine } from "../domain/diff.ts";

export interface FileIndex {
  file: DiffFile;
  /** Texts of the head-side lines that the diff shows. */
  texts: ReadonlyMap<number, string>;
  added: ReadonlySet<number>;
  /** Head-side lines that now stand where removed ones stood. */
  besideRemoved: ReadonlySet<number>;
  /** The hunk of each head-side line shown, counted from 0. */
  hunkOf: ReadonlyMap<number, number>;
}

export function indexFile(file: DiffFile): FileIndex {
  const texts = new Map<number, string>();
  const besideRemoved = new Set<number>();
  const hunkOf = new Map<number, number>();
  for (const [position, hunk] of file.hunks.entries()) {
    for (const line of hunk.lines) {
      if (line.kind !== "removed") {
        texts.set(line.newLine, line.text);
        hunkOf.set(line.newLine, position);
        continue;
      }
      const beside = nearestHeadLine(hunk, line.oldLine);
      if (beside !== null) besideRemoved.add(beside);
    }
  }
  return { file, texts, added: new Set(addedLines(file)), besideRemoved, hunkOf };
}
