/** What one line alone does not show: that it stands inside of a string or comment of several lines. */
import type { SourceFile } from "../source-file.ts";

/** `line` from 1, `column` from 0. False where no grammar knows the file. */
export function isInText(file: SourceFile, line: number, column: number): boolean {
  const root = file.tree?.rootNode;
  let node = root?.descendantForPosition({ row: line - 1, column: column + 1 }) ?? null;
  while (node !== null && !/interpolation|substitution/.test(node.type)) {
    if (/string|comment|text|heredoc|scalar/.test(node.type)) return true;
    node = node.parent;
  }
  return false;
}
