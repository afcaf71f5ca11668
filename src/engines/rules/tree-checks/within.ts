/** Walks through a file's code (`SourceFile.code`). */
import type { PlainNode } from "../parser/plain-tree.ts";

/** The node and all below it, in the order of the text. */
export function* within(node: PlainNode): Generator<PlainNode> {
  yield node;
  for (const child of node.children) yield* within(child);
}

/** As `within`, but what `skips` says of a node is true of all below it. */
export function* withinBut(node: PlainNode, skips: (node: PlainNode) => boolean): Generator<PlainNode> {
  yield node;
  for (const child of node.children) if (!skips(child)) yield* withinBut(child, skips);
}
