/**
 * Our own cases: small pull requests, written as diffs, with the comments that are expected at the end of their lines.
 *
 *     The report runs a command that users can extend
 *     === src/report.py
 *      import os
 *     -os.system("make report")
 *     +os.system(f"make {name}")  «py/shell-injection»
 *
 * Whatever else is said on a line is a false alarm. Above the files may stand `summary: text` (the summary must have it)
 * and `unsaid: text` (nothing that is said may). `{{"\u202e"}}` is that text, `{{"[" x 5000}}` as often.
 */
import { readCases } from "./bench-read-cases.ts" with { type: "macro" };

export interface QualityCase {
  /** `python/report-command`; the folder is the language, or `hostile`. */
  name: string;
  title: string;
  /** By path; null on the side where the file is not. */
  files: Readonly<Record<string, { before: string | null; after: string | null }>>;
  expected: readonly ExpectedComment[];
  summary: readonly string[];
  unsaid: readonly string[];
}

export interface ExpectedComment {
  path: string;
  line: number;
  rule: string;
}

export function ownCases(): readonly QualityCase[] {
  const files: { path: string; text: string }[] = JSON.parse(
    Bun.zstdDecompressSync(Buffer.from(readCases(), "base64")).toString(),
  );
  return files.map(({ path, text }) => parseCase(path.replace(/\.case$/, ""), text));
}

/** Throws for a line that is neither context nor added nor removed. */
export function parseCase(name: string, text: string): QualityCase {
  const [head = "", ...sections] = text.split(/^=== /m);
  const [title = "", ...demands] = head.trim().split("\n");
  const demanded = (key: string) =>
    demands.flatMap((line) => (line.startsWith(`${key}: `) ? [expanded(line.slice(key.length + 2))] : []));
  const files = sections.map((section) => parseFile(name, section));
  return {
    name,
    title,
    files: Object.fromEntries(files.map(({ path, before, after }) => [path, { before, after }])),
    expected: files.flatMap((file) => file.expected),
    summary: demanded("summary"),
    unsaid: demanded("unsaid"),
  };
}

const expectation = /\s*«(?<rules>[^»]+)»$/;

function parseFile(name: string, section: string) {
  const [path = "", ...lines] = section.replace(/\n$/, "").split("\n");
  const before: string[] = [];
  const after: string[] = [];
  const expected: ExpectedComment[] = [];
  for (const line of lines) {
    const mark = line[0] ?? " ";
    const code = expanded(line.slice(1).replace(expectation, ""));
    if (!["+", "-", " "].includes(mark)) throw new Error(`${name}: ${JSON.stringify(line)} has no mark`);
    if (mark !== "+") before.push(code);
    if (mark !== "-") after.push(code);
    const rules = expectation.exec(line)?.groups?.rules?.split(" ") ?? [];
    expected.push(...rules.map((rule) => ({ path: expanded(path), line: lineCount(after), rule })));
  }
  return { path: expanded(path), before: textOf(before), after: textOf(after), expected };
}

/** A text put in may hold line ends of its own. */
function lineCount(lines: readonly string[]): number {
  return lines.reduce((count, line) => count + line.split("\n").length, 0);
}

function textOf(lines: readonly string[]): string | null {
  return lines.length === 0 ? null : lines.map((line) => `${line}\n`).join("");
}

function expanded(text: string): string {
  return text.replace(/\{\{("(?:[^"\\]|\\.)*")(?: x (\d+))?\}\}/g, (_all, quoted: string, times?: string) =>
    String(JSON.parse(quoted)).repeat(Number(times ?? 1)),
  );
}
