/** The diff between two sets of files, as a code host would give it. */
import { structuredPatch } from "diff";
import type { Diff, DiffFile, DiffLine, Hunk } from "../../src/domain/diff.ts";

/** Text by path; bytes are a binary file. */
export type Files = Readonly<Record<string, string | Uint8Array>>;

export function diffOfFiles(base: Files, head: Files): Diff {
  const paths = [...new Set([...Object.keys(base), ...Object.keys(head)])].sort();
  return { files: paths.filter((path) => base[path] !== head[path]).map((path) => diffOf(path, base, head)) };
}

function diffOf(path: string, base: Files, head: Files): DiffFile {
  const [before, after] = [base[path], head[path]];
  const binary = before instanceof Uint8Array || after instanceof Uint8Array;
  const hunks = binary ? [] : hunksOf(before ?? "", after ?? "");
  const count = (kind: DiffLine["kind"]) =>
    hunks.reduce((sum, hunk) => sum + hunk.lines.filter((line) => line.kind === kind).length, 0);
  return {
    path,
    oldPath: null,
    change: before === undefined ? "added" : after === undefined ? "deleted" : "modified",
    content: binary ? "binary" : "text",
    oldMode: before === undefined ? null : "100644",
    newMode: after === undefined ? null : "100644",
    additions: count("added"),
    deletions: count("removed"),
    hunks,
    omitted: null,
  };
}

function hunksOf(before: string | Uint8Array, after: string | Uint8Array): Hunk[] {
  const patch = structuredPatch("", "", String(before), String(after), "", "", { context: 3 });
  return patch.hunks.map(({ oldStart, oldLines, newStart, newLines, lines }) => {
    let [oldLine, newLine] = [oldStart, newStart];
    return {
      ...{ oldStart, oldLines, newStart, newLines },
      lines: lines.flatMap((line): DiffLine[] => {
        const text = line.slice(1).replace(/\r$/, "");
        if (line.startsWith("+")) return [{ kind: "added", newLine: newLine++, text }];
        if (line.startsWith("-")) return [{ kind: "removed", oldLine: oldLine++, text }];
        if (line.startsWith("\\")) return [];
        return [{ kind: "context", oldLine: oldLine++, newLine: newLine++, text }];
      }),
    };
  });
}
