/** A pull request out of two sets of files, diffed for real: what the engines' tests review. */
import { structuredPatch } from "diff";
import { searchInFiles } from "../../src/code-hosts/search-in-files.ts";
import type { DiffFile, DiffLine, Hunk } from "../../src/domain/diff.ts";
import { defaultReviewOptions } from "../../src/domain/review.ts";
import type { ReviewEngineInput } from "../../src/domain/review-engine.ts";

/** Null on a side = the file is not there. */
export type FileSides = Readonly<Record<string, { before: string | null; after: string | null }>>;

export function aPullRequest(files: FileSides, signal = new AbortController().signal): ReviewEngineInput {
  return {
    organizationId: "org_1",
    pr: {
      repository: "acme/shop",
      number: 7,
      title: "A change",
      body: "",
      author: "mallory",
      headBranch: "topic",
      baseBranch: "main",
      headSha: "a".repeat(40),
      baseSha: "b".repeat(40),
      url: null,
    },
    diff: { files: Object.entries(files).map(([path, sides]) => diffOf(path, sides.before, sides.after)) },
    readFile: async (path, side) => {
      const text = side === "base" ? files[path]?.before : files[path]?.after;
      return text === null || text === undefined ? null : new TextEncoder().encode(text);
    },
    listFiles: async (folder, side) =>
      Object.keys(files).filter(
        (path) =>
          path.slice(0, path.lastIndexOf("/")) === folder &&
          files[path]?.[side === "base" ? "before" : "after"],
      ),
    search: async (words, side) => searchInFiles(sideOf(files, side), words),
    options: defaultReviewOptions,
    signal,
  };
}

function sideOf(files: FileSides, side: "base" | "head"): Record<string, string> {
  const texts = Object.entries(files).map(([path, { before, after }]) => [
    path,
    side === "base" ? before : after,
  ]);
  return Object.fromEntries(texts.filter(([, text]) => text !== null));
}

function diffOf(path: string, before: string | null, after: string | null): DiffFile {
  // A file's text comes out of bytes and so holds no lone surrogates.
  const text = (side: string | null) => (side ?? "").toWellFormed();
  const patch = structuredPatch(path, path, text(before), text(after), "", "", { context: 3 });
  const hunks = patch.hunks.map(toHunk);
  const count = (kind: DiffLine["kind"]) =>
    hunks.reduce((sum, hunk) => sum + hunk.lines.filter((line) => line.kind === kind).length, 0);
  return {
    path,
    oldPath: null,
    change: before === null ? "added" : after === null ? "deleted" : "modified",
    content: "text",
    oldMode: before === null ? null : "100644",
    newMode: after === null ? null : "100644",
    additions: count("added"),
    deletions: count("removed"),
    hunks,
    omitted: null,
  };
}

function toHunk(patch: {
  oldStart: number;
  oldLines: number;
  newStart: number;
  newLines: number;
  lines: string[];
}): Hunk {
  let oldLine = patch.oldStart;
  let newLine = patch.newStart;
  const lines = patch.lines.flatMap((line): DiffLine[] => {
    const text = line.slice(1).replace(/\r$/, "");
    if (line.startsWith("+")) return [{ kind: "added", newLine: newLine++, text }];
    if (line.startsWith("-")) return [{ kind: "removed", oldLine: oldLine++, text }];
    if (line.startsWith("\\")) return [];
    return [{ kind: "context", oldLine: oldLine++, newLine: newLine++, text }];
  });
  return { ...patch, lines };
}
