/** A changed file as the detectors see it: the head side whole, and which of its lines the pull request added. */
import { addedLines, type DiffFile } from "../../domain/diff.ts";
import { type Language, languageOf } from "./languages.ts";

export interface SourceFile {
  path: string;
  /** Null when no grammar knows the file; scanners read it all the same. */
  language: Language | null;
  diff: DiffFile;
  /** The head side; where `whole` is false, only the lines that the diff shows, the others empty. */
  text: string;
  /** Line n is `lines[n - 1]`; no line endings. */
  lines: readonly string[];
  /** The base side whole; null for an added file and where it could not be read. */
  baseText: string | null;
  whole: boolean;
  added: ReadonlySet<number>;
  /** Tests, fixtures and examples: much that is wrong in a product is right in them. */
  isTest: boolean;
}

export function sourceFile(diff: DiffFile, head: Uint8Array | null, base: Uint8Array | null): SourceFile {
  const lines = head === null ? linesOfDiff(diff) : splitLines(decode(head));
  return {
    path: diff.path,
    language: languageOf(diff.path, lines[0] ?? ""),
    diff,
    text: head === null ? lines.join("\n") : decode(head),
    lines,
    baseText: base === null ? null : decode(base),
    whole: head !== null,
    added: new Set(addedLines(diff)),
    isTest: isTestPath(diff.path),
  };
}

/** The added lines with their numbers, ascending. */
export function* addedLinesOf(file: SourceFile): Generator<{ line: number; text: string }> {
  for (const line of file.added) {
    const text = file.lines[line - 1];
    if (text !== undefined) yield { line, text };
  }
}

export function splitLines(text: string): string[] {
  return text.split(/\r?\n/);
}

export function isTestPath(path: string): boolean {
  return (
    /(^|\/)(tests?|__tests__|__mocks__|specs?|e2e|fixtures?|testdata|testing|mocks?|stubs?|examples?|samples?)\//i.test(
      path,
    ) ||
    /(^|\/)(test_[^/]+|conftest)\.py$|[._-](test|spec|e2e|stories|fixture|mock)s?\.[^/]+$|(Tests?|Spec|IT)\.(java|kt|cs|php|scala|swift)$/.test(
      path,
    )
  );
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder("utf-8", { ignoreBOM: false }).decode(bytes);
}

function linesOfDiff(diff: DiffFile): string[] {
  const lines: string[] = [];
  for (const line of diff.hunks.flatMap((hunk) => hunk.lines)) {
    if (line.kind === "removed") continue;
    while (lines.length < line.newLine) lines.push("");
    lines[line.newLine - 1] = line.text;
  }
  return lines;
}
