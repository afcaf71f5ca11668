/** A file that a pull request adds whole, as the scanners see it. */
import type { DiffFile } from "../../../../src/domain/diff.ts";
import { loadLanguage } from "../../../../src/engines/rules/parser/syntax.ts";
import { SourceFile } from "../../../../src/engines/rules/source-file.ts";

/** Its trees live until `releaseTrees`. */
export async function addedFile(path: string, text: string, parses = true): Promise<SourceFile> {
  const head = new TextEncoder().encode(text);
  const file = new SourceFile({
    diff: diffOf(path, new TextDecoder().decode(head)),
    head,
    base: null,
    parses,
  });
  if (parses && file.language !== null) await loadLanguage(file.language);
  return file;
}

function diffOf(path: string, text: string): DiffFile {
  const lines = text
    .split(/\r?\n/)
    .map((line, index) => ({ kind: "added" as const, newLine: index + 1, text: line }));
  return {
    path,
    oldPath: null,
    change: "added",
    content: "text",
    oldMode: null,
    newMode: "100644",
    additions: lines.length,
    deletions: 0,
    hunks: [{ oldStart: 1, oldLines: 0, newStart: 1, newLines: lines.length, lines }],
    omitted: null,
  };
}
