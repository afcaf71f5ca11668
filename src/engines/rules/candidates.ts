/** From a finding to the candidate comment that leaves the engine. */
import type { CandidateComment } from "../../domain/comment.ts";
import { commentText, type Finding } from "./rule.ts";
import { maskSecrets } from "./scanners/secrets.ts";
import type { SourceFile } from "./source-file.ts";

export const engineName = "rules";

/** Null when the finding sits on no line that the pull request added. */
export function toCandidate(file: SourceFile, finding: Finding): CandidateComment | null {
  const place = placeOf(file, finding);
  if (place === null) return null;
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
    evidence: file.lines[place.line - 1] ?? null,
    cwe: rule.cwe,
    placement: rule.placement,
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
