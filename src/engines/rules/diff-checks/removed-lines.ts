/** The lines that a change took out of a file, each with the line of the head side where that is best said. */
import { nearestHeadLine } from "../../../domain/diff.ts";
import type { SourceFile } from "../source-file.ts";

export interface RemovedLine {
  text: string;
  oldLine: number;
  at: number;
}

export function* removedLinesOf({ diff }: SourceFile): Generator<RemovedLine> {
  for (const hunk of diff.hunks) {
    for (const line of hunk.lines) {
      if (line.kind !== "removed") continue;
      const at = nearestHeadLine(hunk, line.oldLine);
      if (at !== null) yield { text: line.text, oldLine: line.oldLine, at };
    }
  }
}
