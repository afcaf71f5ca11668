/** A syntax tree as plain objects: read once with a cursor, because every question to tree-sitter crosses into WebAssembly. */
import type { Tree, TreeCursor } from "web-tree-sitter";

export interface PlainNode {
  type: string;
  /** Its role in the parent: `left`, `operator`. */
  field: string | null;
  line: number;
  text: string;
  /** Named children, and unnamed ones that have a field; no comments. */
  children: readonly PlainNode[];
}

export function plainTree(tree: Tree, text: string): PlainNode {
  const cursor = tree.walk();
  try {
    return read(cursor, text, 0);
  } finally {
    cursor.delete();
  }
}

/** Deeper nesting is made by machines; what lies below is left out, so that no stack runs over. */
const depthMax = 600;

function read(cursor: TreeCursor, text: string, depth: number): PlainNode {
  const node = {
    type: cursor.nodeType,
    field: cursor.currentFieldName,
    line: cursor.startPosition.row + 1,
    text: text.slice(cursor.startIndex, cursor.endIndex),
    children: [] as PlainNode[],
  };
  if (depth < depthMax && cursor.gotoFirstChild()) {
    do {
      const named = cursor.nodeIsNamed || cursor.currentFieldName !== null;
      if (named && !cursor.nodeType.endsWith("comment")) node.children.push(read(cursor, text, depth + 1));
    } while (cursor.gotoNextSibling());
    cursor.gotoParent();
  }
  return node;
}

export function field(node: PlainNode, name: string): PlainNode | null {
  return node.children.find((child) => child.field === name) ?? null;
}

export function fields(node: PlainNode, name: string): readonly PlainNode[] {
  return node.children.filter((child) => child.field === name);
}

export function ofType(node: PlainNode, ...types: readonly string[]): readonly PlainNode[] {
  return node.children.filter((child) => types.includes(child.type));
}
