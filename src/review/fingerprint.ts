import type { CandidateComment } from "../domain/comment.ts";

/**
 * Recognizes a finding when the lines around it moved: rule, path and the code beside it without its spacing, never
 * the line number. Equal ones in a file are told apart by their order. 16 hexadecimal digits of XXH64: it guards
 * against repeating oneself, not against anybody.
 */
export function createFingerprinter(): (
  candidate: CandidateComment,
  texts: ReadonlyMap<number, string>,
) => string {
  const seen = new Map<string, number>();
  return (candidate, texts) => {
    const around = [candidate.line - 1, candidate.line, candidate.line + 1].map((line) =>
      (texts.get(line) ?? "").replace(/\s+/g, ""),
    );
    const rule = candidate.rule === "" ? candidate.category : candidate.rule;
    const finding = JSON.stringify([candidate.engine, rule, candidate.path, ...around]);
    const earlier = seen.get(finding) ?? 0;
    seen.set(finding, earlier + 1);
    return hash(earlier === 0 ? finding : `${finding}#${earlier}`);
  };
}

function hash(text: string): string {
  return Bun.hash.xxHash64(text).toString(16).padStart(16, "0");
}
