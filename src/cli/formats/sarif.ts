/** SARIF 2.1.0 (OASIS), for tools that show findings of many analyzers. */
import type { Severity } from "../../domain/comment.ts";
import { version } from "../../version.ts";
import type { Report, ReportComment } from "./report.ts";

const levels: Readonly<Record<Severity, "error" | "warning" | "note">> = {
  critical: "error",
  high: "error",
  medium: "warning",
  low: "note",
  info: "note",
};

export function asSarif(report: Report): string {
  const ruleIds = [...new Set(report.comments.map(({ rule }) => rule))].sort();
  const log = {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: {
          driver: {
            name: "Plumbline",
            version,
            semanticVersion: version,
            rules: ruleIds.map((id) => ({ id })),
          },
        },
        columnKind: "utf16CodeUnits",
        results: report.comments.map((comment) => resultOf(comment, ruleIds.indexOf(comment.rule))),
      },
    ],
  };
  return `${JSON.stringify(log, null, 2)}\n`;
}

function resultOf(comment: ReportComment, ruleIndex: number) {
  const artifactLocation = { uri: fileUri(comment.path) };
  const region = { startLine: comment.start_line ?? comment.line, endLine: comment.line };
  return {
    ruleId: comment.rule,
    ruleIndex,
    level: levels[comment.severity],
    message: { text: comment.message },
    locations: [{ physicalLocation: { artifactLocation, region } }],
    partialFingerprints: { "plumbline/v1": comment.fingerprint },
    ...(comment.suggestion === null ? {} : { fixes: [fixOf(comment.suggestion, artifactLocation, region)] }),
    properties: {
      severity: comment.severity,
      category: comment.category,
      ...(comment.cwe === null ? {} : { tags: [`external/cwe/cwe-${comment.cwe}`] }),
    },
  };
}

/** A region without columns is its lines whole, without the last one's ending: just what a suggestion replaces. */
function fixOf(
  suggestion: string,
  artifactLocation: { uri: string },
  deletedRegion: { startLine: number; endLine: number },
) {
  const replacement = { deletedRegion, insertedContent: { text: suggestion } };
  return { artifactChanges: [{ artifactLocation, replacements: [replacement] }] };
}

/** A relative reference (RFC 3986) from the repository's root. */
function fileUri(path: string): string {
  return path.split("/").map(encodeURIComponent).join("/");
}
