/** What a rule is to a reader, and what a detector reports. */
import type { Category, Severity } from "../../domain/comment.ts";

/** One piece of code that a rule must report (`bad`) or leave alone (`ok`). Every example is run as a test. */
export interface Example {
  path: string;
  /** The base side; null when the pull request adds the file. */
  before: string | null;
  after: string;
  /** Where it is written, in a rule file. */
  line?: number;
  /** Other files that the same pull request changes, by path. */
  alongside?: Readonly<Record<string, { before: string | null; after: string | null }>>;
}

export interface Rule {
  /** `<language>/<name>`, `any/<name>` where the language does not matter: `js/eval`. Stable once released. */
  id: string;
  /** A few words for lists: `eval of computed code`. */
  title: string;
  category: Category;
  severity: Severity;
  cwe: number | null;
  /** What is wrong, as a sentence; `{name}` is filled from the finding's values. */
  message: string;
  /** Why it matters: what happens when it stays. */
  why: string;
  /** What to do, as an instruction. */
  advice: string;
  /** `summary` for what deserves a mention but not a comment on the line. */
  placement: "inline" | "summary";
  /** Right more often than not, no more: worded as a question, and few of its kind are said inline (few-doubts.ts). */
  doubtful?: boolean;
  bad: readonly Example[];
  ok: readonly Example[];
}

export interface Finding {
  rule: Rule;
  /** The last line, on the head side. */
  line: number;
  /** The first line when there are several; they are commented together only when all of them were added. */
  startLine: number | null;
  about: "added" | "removed";
  /** Fill the message's placeholders. */
  values: Readonly<Record<string, string>>;
  /** Replaces lines `startLine ?? line` to `line`; only where that is certainly right. */
  suggestion: string | null;
  /** For the summary alone, though the rule speaks on lines: here it is less sure. */
  isAside?: boolean;
}

/** An example of a file that the pull request adds. */
export function newFile(path: string, after: string): Example {
  return { path, before: null, after };
}

/** An example of a change to a file. */
export function changed(path: string, before: string, after: string): Example {
  return { path, before, after };
}

/** A finding on one added line without a suggestion: what most detectors report. */
export function findingAt(rule: Rule, line: number, values: Readonly<Record<string, string>> = {}): Finding {
  return { rule, line, startLine: null, about: "added", values, suggestion: null };
}

/** The whole text of a comment: what is wrong, why it matters, what to do. */
export function commentText(finding: Finding): string {
  const message = finding.rule.message.replace(
    /\{(\w+)\}/g,
    (placeholder, name: string) => finding.values[name] ?? placeholder,
  );
  return `${message} ${finding.rule.why} ${finding.rule.advice}`;
}
