/** Puts the list of changed files and their patches, which come in the same order, together into the diff's files. */
import type { DiffFile, Hunk } from "../../domain/diff.ts";
import { parseHunks } from "../patch.ts";
import type { ChangedFile } from "./changes.ts";
import { type GitLimits, size } from "./limits.ts";
import type { PatchSection } from "./sections.ts";

export interface Assembly {
  /** Takes the next section; answers the bytes that were parsed. */
  add(section: PatchSection): number;
  /** No further patch will be kept: reading on is of no use. */
  isFull(): boolean;
  /** Every changed file, in order. Throws when sections are missing. */
  finish(): DiffFile[];
}

export function createAssembly(changed: readonly ChangedFile[], limits: GitLimits): Assembly {
  const files: DiffFile[] = [];
  let sections: PatchSection[] = [];
  let keptBytes = 0;
  let keptLines = 0;

  const overflow = (): string | null => {
    if (keptBytes >= limits.patchBytes) return `the whole diff is larger than ${size(limits.patchBytes)}`;
    if (keptLines >= limits.hunkLines) return `the whole diff has more than ${limits.hunkLines} lines`;
    return null;
  };

  const complete = (file: ChangedFile): number => {
    const omitted = overflow() ?? omissionByCount(file, limits) ?? omissionBySize(sections, limits);
    if (omitted !== null) {
      files.push(withoutHunks(file, omitted));
      return 0;
    }
    const patches = sections.flatMap((section) => section ?? []);
    const read = withHunks(file, patches);
    files.push(read);
    const bytes = patches.reduce((sum, patch) => sum + patch.length, 0);
    keptBytes += bytes;
    keptLines += read.hunks.reduce((sum, hunk) => sum + hunk.lines.length, 0);
    return bytes;
  };

  return {
    add(section) {
      const file = changed[files.length];
      if (file === undefined) throw new Error("git diff-tree sent more patches than changed files");
      sections.push(section);
      // Where a file became a link or a submodule, git sends a deletion and an addition.
      if (sections.length < (file.change === "type_changed" ? 2 : 1)) return 0;
      const parsed = complete(file);
      sections = [];
      return parsed;
    },
    isFull: () => overflow() !== null,
    finish() {
      const omitted = overflow();
      const rest = changed.slice(files.length);
      if (omitted === null && rest.length > 0)
        throw new Error("git diff-tree sent fewer patches than changed files");
      return [...files, ...rest.map((file) => withoutHunks(file, omitted))];
    },
  };
}

/** Why the file's patch need not be looked at; null when it is needed. */
export function omissionByCount(file: ChangedFile, limits: GitLimits): string | null {
  const lines = file.additions + file.deletions;
  return lines > limits.fileChangedLines ? `more than ${limits.fileChangedLines} changed lines` : null;
}

function omissionBySize(sections: readonly PatchSection[], limits: GitLimits): string | null {
  return sections.includes(null) ? `its diff is larger than ${size(limits.filePatchBytes)}` : null;
}

/** A file without changed lines (a renamed, a binary one) lacks nothing. */
function withoutHunks(file: ChangedFile, omitted: string | null): DiffFile {
  return { ...file, hunks: [], omitted: file.additions + file.deletions === 0 ? null : omitted };
}

/** One file that cannot be read does not keep the others from being read. */
function withHunks(file: ChangedFile, patches: readonly Buffer[]): DiffFile {
  try {
    const hunks = file.change === "type_changed" ? replacement(patches) : patches.flatMap(hunksOf);
    return { ...file, hunks, omitted: null };
  } catch (error) {
    return { ...file, hunks: [], omitted: `its diff could not be parsed: ${String(error)}` };
  }
}

function hunksOf(patch: Buffer): Hunk[] {
  return parseHunks(patch.toString("utf8"));
}

/** One hunk that takes the old contents whole for the new ones. */
function replacement(patches: readonly Buffer[]): Hunk[] {
  const hunks = patches.flatMap(hunksOf);
  if (hunks.length === 0) return [];
  const sum = (count: (hunk: Hunk) => number) => hunks.reduce((total, hunk) => total + count(hunk), 0);
  return [
    {
      oldStart: 1,
      oldLines: sum((hunk) => hunk.oldLines),
      newStart: 1,
      newLines: sum((hunk) => hunk.newLines),
      lines: hunks.flatMap((hunk) => hunk.lines),
    },
  ];
}
