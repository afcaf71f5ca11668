/** A file's syntax tree as these checks read it: plain nodes, made once a file. */
import type { SourceFile } from "../source-file.ts";
import { type PlainNode, plainTree } from "../taint/plain-tree.ts";

/** Larger files are generated, or too much for what a review waits. */
const charactersMax = 400_000;

const known = new WeakMap<SourceFile, PlainNode | null>();

/** Null where there is no grammar, or too much of it. */
export function codeOf(file: SourceFile): PlainNode | null {
  const before = known.get(file);
  if (before !== undefined) return before;
  const code =
    file.text.length > charactersMax || file.tree === null ? null : plainTree(file.tree, file.text);
  known.set(file, code);
  return code;
}

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
