/** What one line alone does not show: that it stands inside of a string or comment of several lines. */
import type { SourceFile } from "../source-file.ts";

/** `line` from 1, `column` from 0. Where no grammar knows the file, told by the common signs of such comments. */
export function isInText(file: SourceFile, line: number, column: number): boolean {
  const root = file.tree?.rootNode;
  if (root === undefined) return commentLines(file).has(line);
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

const commentLinesOf = new WeakMap<SourceFile, ReadonlySet<number>>();

/** The lines before which one has begun and not ended. */
function commentLines(file: SourceFile): ReadonlySet<number> {
  const known = commentLinesOf.get(file);
  if (known !== undefined) return known;
  const within = new Set<number>();
  for (const [opening, closing] of blockComments) {
    let isOpen = false;
    for (const [index, text] of file.lines.entries()) {
      if (isOpen) within.add(index + 1);
      isOpen = isOpenAfter(text, isOpen, opening, closing);
    }
  }
  commentLinesOf.set(file, within);
  return within;
}

function isOpenAfter(line: string, isOpen: boolean, opening: string, closing: string): boolean {
  if (opening === closing) return (line.split(opening).length % 2 === 0) !== isOpen;
  const [opened, closed] = [line.lastIndexOf(opening), line.lastIndexOf(closing)];
  return opened === closed ? isOpen : opened > closed;
}
