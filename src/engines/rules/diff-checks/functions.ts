/** Which function code stood in, and whether that function is still there. */
import type { Node } from "web-tree-sitter";
import type { SourceFile } from "../source-file.ts";

const functionKind = /function|method|constructor|lambda|closure|arrow|^func_literal$|^block_body$/;
const definition =
  /_(?:declaration|definition|item|expression|literal|function)$|^(?:method|singleton_method|arrow_function|lambda)$/;

/** Code of a function that was removed or renamed was not removed from it. */
export function wentWithItsFunction(file: SourceFile, oldLine: number): boolean {
  const removed = removedLines(file);
  for (let node = firstNodeOf(file, oldLine); node !== null; node = node.parent) {
    if (isFunction(node) && removed.has(node.startPosition.row + 1)) {
      const name = node.childForFieldName("name")?.text;
      if (isWhollyRemoved(node, removed)) return true;
      if (name !== undefined && !file.text.includes(name)) return true;
    }
  }
  return false;
}

/** Whether a base-side line is within a comment or a text, where nothing runs. */
export function isProse(file: SourceFile, oldLine: number): boolean {
  for (let node = firstNodeOf(file, oldLine); node !== null; node = node.parent) {
    if (/comment|string|heredoc/.test(node.type)) return true;
  }
  return false;
}

function firstNodeOf(file: SourceFile, oldLine: number): Node | null {
  const text = file.baseText?.split("\n")[oldLine - 1];
  if (text === undefined || file.baseTree === null) return null;
  const column = text.length - text.trimStart().length;
  return file.baseTree.rootNode.descendantForPosition({ row: oldLine - 1, column });
}

export function isFunction(node: Node): boolean {
  return functionKind.test(node.type) && definition.test(node.type);
}

export function removedLines(file: SourceFile): ReadonlySet<number> {
  const lines = file.diff.hunks.flatMap((hunk) => hunk.lines);
  return new Set(lines.flatMap((line) => (line.kind === "removed" ? [line.oldLine] : [])));
}

function isWhollyRemoved(node: Node, removed: ReadonlySet<number>): boolean {
  return removed.has(node.startPosition.row + 1) && removed.has(node.endPosition.row + 1);
}
