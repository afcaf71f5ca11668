/** A review as people read it in a terminal. */

/** The answer of GET /v1/reviews/{id}, as far as it is printed. */
export interface ShownReview {
  id: string;
  repository: string;
  pull_request: number;
  status: "pending" | "processing" | "completed" | "failed";
  summary: string | null;
  comments: readonly ShownComment[];
  metrics: { files_analyzed: number; duration_seconds: number } | null;
  error?: { code: string; message: string } | null;
}

interface ShownComment {
  path: string;
  line: number;
  severity: string;
  category: string;
  message: string;
  suggestion: string | null;
}

const severityColors: Readonly<Record<string, string>> = {
  critical: "\x1b[1;31m",
  high: "\x1b[31m",
  medium: "\x1b[33m",
  low: "\x1b[36m",
};

export function printReview(review: ShownReview): void {
  const color = process.stdout.isTTY === true;
  console.log(`\n${paint(color, "\x1b[1m", `Review of ${review.repository}#${review.pull_request}`)}\n`);
  console.log(wrap(review.summary ?? "", ""));
  for (const comment of review.comments) printComment(comment, color);
  const { files_analyzed = 0, duration_seconds = 0 } = review.metrics ?? {};
  const files = `${files_analyzed} file${files_analyzed === 1 ? "" : "s"}`;
  console.log(`\n${review.comments.length} comments on ${files}, ${duration_seconds} s`);
}

function printComment(comment: ShownComment, color: boolean): void {
  const { path, line, severity, category, message, suggestion } = comment;
  const kind = paint(color, severityColors[severity] ?? "", `${severity} ${category}`);
  console.log(`\n${paint(color, "\x1b[1m", `${path}:${line}`)}  ${kind}`);
  console.log(wrap(message, "  "));
  if (suggestion === null) return;
  const replacement = suggestion === "" ? "(remove)" : suggestion.replaceAll("\n", "\n           ");
  console.log(`  suggest: ${paint(color, "\x1b[32m", replacement)}`);
}

/** Breaks long paragraphs between words; lines that are lists or indented stay as they are. */
function wrap(text: string, indent: string): string {
  const width = 100 - indent.length;
  return text
    .split("\n")
    .map((line) => line.replace(new RegExp(`(.{1,${width}})(?:\\s+|$)`, "g"), `${indent}$1\n`).trimEnd())
    .join("\n");
}

function paint(color: boolean, code: string, text: string): string {
  return color && code !== "" ? `${code}${text}\x1b[0m` : text;
}
