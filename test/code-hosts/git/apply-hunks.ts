/** Plays a diff back: the lines of the base with the hunks applied, which must be the lines of the head. */
import { expect } from "bun:test";
import type { Hunk } from "../../../src/domain/diff.ts";

/** Lines without their endings, LF or CR LF. */
export function linesOf(contents: string): string[] {
  if (contents === "") return [];
  return contents
    .replace(/\n$/, "")
    .split("\n")
    .map((line) => line.replace(/\r$/, ""));
}

/** Fails where a hunk's numbers, counts or texts do not fit the base or each other. */
export function applyHunks(base: readonly string[], hunks: readonly Hunk[]): string[] {
  const head: string[] = [];
  let copied = 0;
  for (const hunk of hunks) {
    head.push(...base.slice(copied, hunk.oldStart - 1));
    expect(head.length).toBe(hunk.newStart - 1);
    let oldLine = hunk.oldStart;
    for (const line of hunk.lines) {
      if (line.kind !== "added") {
        expect(line.oldLine).toBe(oldLine);
        expect(line.text).toBe(base[oldLine - 1] ?? "(past the end)");
        oldLine += 1;
      }
      if (line.kind === "removed") continue;
      head.push(line.text);
      expect(line.newLine).toBe(head.length);
    }
    expect(oldLine - hunk.oldStart).toBe(hunk.oldLines);
    expect(head.length - (hunk.newStart - 1)).toBe(hunk.newLines);
    copied = oldLine - 1;
  }
  return [...head, ...base.slice(copied)];
}
