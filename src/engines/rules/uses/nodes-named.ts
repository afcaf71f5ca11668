/** The nodes of a tree that are a name, found by where the text has it: to walk the whole tree for a name takes too long. */
import type { Node } from "web-tree-sitter";
import type { CodeText } from "./repository-at-head.ts";

export function* nodesNamed(
  { tree, lines }: Pick<CodeText, "tree" | "lines">,
  name: string,
): Generator<Node> {
  if (tree === null) return;
  for (const [row, line] of lines.entries()) {
    for (let column = line.indexOf(name); column >= 0; column = line.indexOf(name, column + name.length)) {
      const node = tree.rootNode.descendantForPosition({ row, column });
      if (node?.text === name && node.startPosition.column === column) yield node;
    }
  }
}
