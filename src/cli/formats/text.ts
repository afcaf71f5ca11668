/** A review for people: where, how serious, what, and what to write instead. */
import type { Severity } from "../../domain/comment.ts";
import { printable } from "../printable.ts";
import type { Report, ReportComment } from "./report.ts";

export function asText(report: Report, options: { color: boolean }): string {
  const style = options.color ? ansi : plain;
  const comments = report.comments.map((comment) => commentText(comment, style));
  const count = report.comments.length === 1 ? "1 comment" : `${report.comments.length} comments`;
  const head = `${style.bold(printable(report.subject))}: ${count}\n`;
  return [head, ...comments, `${printable(report.summary.trim())}\n`].join("\n");
}

function commentText(comment: ReportComment, style: Style): string {
  const { path, line, start_line: start, severity, category } = comment;
  const lines = start === null || start === line ? `${line}` : `${start}-${line}`;
  const place = style.bold(`${printable(path)}:${lines}`);
  const kind = `${style.severity(severity)} ${category} ${style.dim(printable(comment.rule))}`;
  return `${place}  ${kind}\n${indented(comment.message)}${suggestionText(comment.suggestion, style)}`;
}

function suggestionText(suggestion: string | null, style: Style): string {
  if (suggestion === null) return "";
  if (suggestion === "") return `${style.dim("  Suggestion: remove it.")}\n`;
  return `${style.dim("  Suggestion:")}\n${indented(suggestion, "    ")}`;
}

function indented(text: string, margin = "  "): string {
  return printable(text)
    .trimEnd()
    .split("\n")
    .map((line) => `${margin}${line}`.trimEnd())
    .map((line) => `${line}\n`)
    .join("");
}

interface Style {
  bold(text: string): string;
  dim(text: string): string;
  severity(severity: Severity): string;
}

const plain: Style = { bold: (text) => text, dim: (text) => text, severity: (severity) => severity };

const severityColors: Readonly<Record<Severity, number>> = {
  critical: 35,
  high: 31,
  medium: 33,
  low: 36,
  info: 34,
};

const ansi: Style = {
  bold: (text) => `\u001b[1m${text}\u001b[0m`,
  dim: (text) => `\u001b[2m${text}\u001b[0m`,
  severity: (severity) => `\u001b[${severityColors[severity]}m${severity}\u001b[0m`,
};
