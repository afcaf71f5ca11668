/**
 * Find, then verify, then speak. A candidate that the diff does not bear out is dropped in silence: nothing an
 * engine says is shown to anybody before the line, the file and the evidence have been found where it says.
 */
import type { CandidateComment, ReviewComment } from "../domain/comment.ts";
import type { DiffFile } from "../domain/diff.ts";
import type { ReadFile } from "../domain/review-engine.ts";
import { type FileIndex, indexFile } from "./diff-index.ts";
import { createFingerprinter } from "./fingerprint.ts";

/** A comment, and where the engine wants it said. */
export type VerifiedComment = ReviewComment & Pick<CandidateComment, "placement">;

/** In the order of files and lines; `files` are those that the engines read. */
export async function verifyComments(
  candidates: readonly CandidateComment[],
  files: readonly DiffFile[],
  readFile: ReadFile,
): Promise<VerifiedComment[]> {
  const verified: VerifiedComment[] = [];
  const fingerprint = createFingerprinter();
  const byPath = Map.groupBy(candidates, (candidate) => candidate.path);
  for (const file of files) {
    const ofFile = byPath.get(file.path);
    if (ofFile === undefined) continue;
    const index = indexFile(file);
    const lines = ofFile.some((one) => one.suggestion !== null) ? await headLines(file, readFile) : [];
    for (const candidate of ofFile.filter((one) => isBorneOut(one, index)).sort((a, b) => a.line - b.line)) {
      const { about: _about, evidence: _evidence, ...said } = candidate;
      const suggestion = applies(candidate, lines) ? candidate.suggestion : null;
      verified.push({ ...said, suggestion, fingerprint: fingerprint(candidate, index.texts) });
    }
  }
  return verified;
}

function isBorneOut(candidate: CandidateComment, index: FileIndex): boolean {
  const { line, startLine, about, evidence, message } = candidate;
  const speakable = about === "added" ? index.added : index.besideRemoved;
  if (!speakable.has(line) || message.trim() === "") return false;
  if (evidence !== null && evidence !== index.texts.get(line)) return false;
  if (startLine === null) return true;
  return startLine <= line && index.hunkOf.get(startLine) === index.hunkOf.get(line);
}

/** Empty when the head has no such file. */
async function headLines(file: DiffFile, readFile: ReadFile): Promise<readonly string[]> {
  const content = await readFile(file.path, "head");
  return content === null ? [] : new TextDecoder().decode(content).split(/\r?\n/);
}

/** Whether the suggestion replaces lines that the head file has, with something else than they hold. */
function applies({ suggestion, startLine, line }: CandidateComment, lines: readonly string[]): boolean {
  const first = startLine ?? line;
  const replaced = lines.slice(first - 1, line);
  return replaced.length === line - first + 1 && replaced.join("\n") !== suggestion;
}
