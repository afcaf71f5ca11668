/** What `git diff-tree -r -z --raw --numstat` says: every changed file with its modes and its counts of lines. */
import type { FileChange, FileContent } from "../../domain/diff.ts";
import { displayName } from "./names.ts";

export interface ChangedFile {
  path: string;
  oldPath: string | null;
  change: FileChange;
  content: FileContent;
  oldMode: string | null;
  newMode: string | null;
  additions: number;
  deletions: number;
}

type RawRecord = Omit<ChangedFile, "content" | "additions" | "deletions">;

/**
 * Raw records come first (`:100644 100644 <id> <id> M\0path\0`, two paths for a rename or copy), then in the same
 * order the counts (`3\t1\tpath\0`, or `3\t1\t\0old\0new\0`; `-` for both when binary).
 */
export function parseChanges(output: Buffer): ChangedFile[] {
  const fields = nulTerminated(output);
  const records: RawRecord[] = [];
  let at = 0;
  const next = () => {
    const field = fields[at];
    if (field === undefined) throw new Error("git diff-tree ended in the middle of a record");
    at += 1;
    return field;
  };

  while (fields[at]?.[0] === colon) records.push(rawRecord(next));
  return records.map((record) => ({ ...record, ...counts(record, next) }));
}

const colon = ":".charCodeAt(0);

function rawRecord(next: () => Buffer): RawRecord {
  const [oldMode, newMode, , , status] = next().toString("latin1").slice(1).split(" ");
  const change = changes[status?.charAt(0) ?? ""];
  if (oldMode === undefined || newMode === undefined || change === undefined) {
    throw new Error(`git diff-tree sent an unknown record: ${status}`);
  }
  const first = displayName(next());
  const moved = change === "renamed" || change === "copied";
  return {
    path: moved ? displayName(next()) : first,
    oldPath: moved ? first : null,
    change,
    oldMode: modeOf(oldMode),
    newMode: modeOf(newMode),
  };
}

const changes: Readonly<Record<string, FileChange>> = {
  A: "added",
  M: "modified",
  D: "deleted",
  R: "renamed",
  C: "copied",
  T: "type_changed",
};

function modeOf(octal: string): string | null {
  return octal === "000000" ? null : octal;
}

function counts(
  record: RawRecord,
  next: () => Buffer,
): Pick<ChangedFile, "content" | "additions" | "deletions"> {
  const [additions, deletions, path] = next().toString("latin1").split("\t", 3);
  if (additions === undefined || deletions === undefined) throw new Error("git diff-tree sent no counts");
  if (path === "") {
    next();
    next();
  }
  return {
    content: contentOf(record, additions === "-"),
    additions: additions === "-" ? 0 : Number(additions),
    deletions: deletions === "-" ? 0 : Number(deletions),
  };
}

function contentOf(record: RawRecord, binary: boolean): FileContent {
  const mode = record.newMode ?? record.oldMode;
  if (mode === "160000") return "submodule";
  if (mode === "120000") return "symlink";
  return binary ? "binary" : "text";
}

function nulTerminated(output: Buffer): Buffer[] {
  const fields: Buffer[] = [];
  for (let start = 0; start < output.length; ) {
    const end = output.indexOf(0, start);
    if (end < 0) throw new Error("git diff-tree ended in the middle of a field");
    fields.push(output.subarray(start, end));
    start = end + 1;
  }
  return fields;
}
