/** What one line alone does not show: that it stands inside of a string or comment of several lines. */
import type { SourceFile } from "../source-file.ts";

/** `line` from 1, `column` from 0. Where no grammar knows the file, told by the common signs of such comments. */
export function isInText(file: SourceFile, line: number, column: number): boolean {
  const root = file.tree?.rootNode;
  if (root === undefined) return isInBlockComment(file.lines, line);
  let node = root.descendantForPosition({ row: line - 1, column: column + 1 });
  while (node !== null && !/interpolation|substitution/.test(node.type)) {
    if (/string|comment|text|heredoc|scalar/.test(node.type)) return true;
    node = node.parent;
  }
  return false;
}

const blockComments: readonly (readonly [string, string])[] = [
  ["/*", "*/"],
  ["--[[", "]]"],
  ["(*", "*)"],
  ["{-", "-}"],
  ["<!--", "-->"],
  ["=begin", "=end"],
  ['"""', '"""'],
];

/** Whether the last one that begins before the line has not ended there. */
function isInBlockComment(lines: readonly string[], line: number): boolean {
  const before = lines.slice(0, line - 1).join("\n");
  return blockComments.some(([opening, closing]) => {
    const opened = before.lastIndexOf(opening);
    return opening === closing
      ? before.split(opening).length % 2 === 0
      : opened !== -1 && before.lastIndexOf(closing) < opened;
  });
}
