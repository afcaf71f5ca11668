/** What a review says about a line: first as an engine's candidate, then, verified, as a comment. */

export const severities = ["critical", "high", "medium", "low", "info"] as const;
export type Severity = (typeof severities)[number];

export const categories = [
  "bug",
  "security",
  "performance",
  "error_handling",
  "concurrency",
  "data_integrity",
  "api_compatibility",
  "maintainability",
  "testing",
  "documentation",
  "style",
  "dependency",
  "configuration",
] as const;
export type Category = (typeof categories)[number];

/** 0 for `critical` to 4 for `info`. */
export function severityRank(severity: Severity): number {
  return severities.indexOf(severity);
}

export function isAtLeast(severity: Severity, threshold: Severity): boolean {
  return severityRank(severity) <= severityRank(threshold);
}

/** What an engine found. It is shown to nobody before `review/verify-comments` has checked it against the diff. */
export interface CandidateComment {
  /** Which engine and which of its rules: `rules`, `js/eval`. */
  engine: string;
  rule: string;
  path: string;
  /** The last commented line, on the head side. */
  line: number;
  /** The first commented line when there are several. */
  startLine: number | null;
  /** `added`: `line` was added by the pull request. `removed`: it is the head-side line nearest to removed code. */
  about: "added" | "removed";
  severity: Severity;
  category: Category;
  /** Plain text or simple Markdown, a sentence or three: what is wrong, why, what to do. */
  message: string;
  /** The text that replaces lines `startLine ?? line` to `line` whole, without the final newline; null when there is none. */
  suggestion: string | null;
  /** The head-side text of `line` as the engine saw it; verification drops the candidate when the diff disagrees. */
  evidence: string | null;
  cwe: number | null;
  /** `inline` speaks on the line; `summary` is only mentioned in the review's summary. */
  placement: "inline" | "summary";
}

/** A verified comment of a review (specification §2, Comment, and our extension fields). */
export interface ReviewComment {
  path: string;
  line: number;
  startLine: number | null;
  severity: Severity;
  category: Category;
  message: string;
  suggestion: string | null;
  engine: string;
  rule: string;
  cwe: number | null;
  /** Rule, path and normalised code around the line: the same finding keeps it when lines shift. */
  fingerprint: string;
}
