/** From a finding to the candidate comment that leaves the engine. */
import type { CandidateComment } from "../../domain/comment.ts";
import type { DiffFile } from "../../domain/diff.ts";
import { commentText, type Finding } from "./rule.ts";
import { maskSecrets } from "./scanners/secrets.ts";
import type { SourceFile } from "./source-file.ts";

export const engineName = "rules";

/** Null when the finding sits on no line that the pull request added, or the file is not the one in the diff. */
export function toCandidate(file: SourceFile, finding: Finding): CandidateComment | null {
  const place = placeOf(file, finding);
  if (place === null) return null;
  const evidence = headLine(file.diff, place.line);
  if (evidence === null || !sameText(evidence, file.lines[place.line - 1])) return null;
  const { rule } = finding;
  const suggestion = place.whole ? finding.suggestion : null;
  return {
    engine: engineName,
    rule: rule.id,
    path: file.path,
    line: place.line,
    startLine: place.startLine,
    about: finding.about,
    severity: rule.severity,
    category: rule.category,
    message: maskSecrets(commentText(finding)),
    suggestion: suggestion !== null && maskSecrets(suggestion) === suggestion ? suggestion : null,
    evidence,
    cwe: rule.cwe,
    placement: finding.isAside === true ? "summary" : rule.placement,
  };
}

interface Place {
  line: number;
  startLine: number | null;
  /** The comment covers the finding's lines whole, so a suggestion may replace them. */
  whole: boolean;
}

/** All lines of the finding when all were added, else its first line when that one was. */
function placeOf(file: SourceFile, finding: Finding): Place | null {
  const first = finding.startLine ?? finding.line;
  if (finding.about === "removed") return { line: finding.line, startLine: null, whole: false };
  if (!file.added.has(first)) return null;
  for (let line = first; line <= finding.line; line += 1) {
    if (!file.added.has(line)) return { line: first, startLine: null, whole: false };
  }
  return { line: finding.line, startLine: first === finding.line ? null : first, whole: true };
}

/** The text of a head-side line as the diff shows it; null for a line that it does not show. */
function headLine(diff: DiffFile, line: number): string | null {
  for (const hunk of diff.hunks) {
    if (line < hunk.newStart || line >= hunk.newStart + hunk.newLines) continue;
    for (const shown of hunk.lines) if (shown.kind !== "removed" && shown.newLine === line) return shown.text;
  }
  return null;
}

/** But for a byte order mark, which decoding takes off. */
function sameText(shown: string, read: string | undefined): boolean {
  return shown.replace(/^\ufeff/, "") === read?.replace(/^\ufeff/, "");
}
