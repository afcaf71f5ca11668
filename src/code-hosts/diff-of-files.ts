/** The diff between two sets of files, as a code host would give it: for pull requests that are in no repository. */
import { createTwoFilesPatch } from "diff";
import type { Diff, DiffFile, DiffLine } from "../domain/diff.ts";
import { parseHunks } from "./patch.ts";

/** Text by path; bytes are a binary file. */
export type Files = Readonly<Record<string, string | Uint8Array>>;

export function diffOfFiles(base: Files, head: Files): Diff {
  const paths = [...new Set([...Object.keys(base), ...Object.keys(head)])].sort();
  return { files: paths.filter((path) => base[path] !== head[path]).map((path) => diffOf(path, base, head)) };
}

function diffOf(path: string, base: Files, head: Files): DiffFile {
  const [before, after] = [base[path], head[path]];
  const binary = before instanceof Uint8Array || after instanceof Uint8Array;
  const hunks = binary ? [] : parseHunks(patchOf(before ?? "", after ?? ""));
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

function patchOf(before: string | Uint8Array, after: string | Uint8Array): string {
  return createTwoFilesPatch("a", "b", String(before), String(after), "", "", { context: 3 });
}
