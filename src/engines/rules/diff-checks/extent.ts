/** How much a pull request changes: what tells a check that slipped away from one that went with a plan. */
import type { Finding } from "../rule.ts";
import type { SourceFile } from "../source-file.ts";
import { isWord, type NumberedLine, tokensOf } from "./tokens.ts";

/**
 * Words of code that came or went, beyond which a removed check is taken for a part of the plan: of 40 pull requests
 * of other projects that took one away, 33 changed more than this, and all of those meant it.
 */
const focusedWordsMax = 25;

/** Whether the pull request does so little that a check that went deserves a question. */
export function isFocused(files: readonly SourceFile[]): boolean {
  const balance = new Map<string, number>();
  for (const file of files) {
    if (file.isTest || file.language === null) continue;
    count(balance, file, [...file.addedLines()], 1);
    count(balance, file, baseLines(file), -1);
  }
  let words = 0;
  for (const surplus of balance.values()) words += Math.abs(surplus);
  return words <= focusedWordsMax;
}

/** A doubtful finding in a pull request that does much else: for the summary. */
export function lessSure(finding: Finding): Finding {
  return finding.rule.doubtful === true ? { ...finding, isAside: true } : finding;
}

/** Words that only moved cancel out. */
function count(
  balance: Map<string, number>,
  file: SourceFile,
  lines: readonly NumberedLine[],
  sign: 1 | -1,
): void {
  for (const token of tokensOf(file.path, lines)) {
    if (isWord(token)) balance.set(token.text, (balance.get(token.text) ?? 0) + sign);
  }
}

function baseLines(file: SourceFile): NumberedLine[] {
  const lines = file.diff.hunks.flatMap((hunk) => hunk.lines);
  return lines.flatMap((line) => (line.kind === "removed" ? [{ line: line.oldLine, text: line.text }] : []));
}
