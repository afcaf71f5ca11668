/**
 * Chosen nodes as ast-grep's starting point: it walks down from there, and is to try each of them once and none below.
 * It asks a node for its children once to walk on, directly before it tries the node; that time the answer is none.
 */
import type { Point } from "web-tree-sitter";
import { type NodeForAstGrep, QuickNode } from "./quick-tree.ts";

/** No node of a file has it. */
export const gatheringId = 0;
/** No grammar has it. */
const typeId = 0xfffe;
const nowhere: Point = { row: 0, column: 0 };

export class Gathering implements NodeForAstGrep {
  readonly id = gatheringId;
  readonly typeId = typeId;
  readonly type = "";
  readonly isNamed = true;
  readonly isMissing = false;
  readonly startIndex = 0;
  readonly endIndex = 0;
  readonly startPosition = nowhere;
  readonly endPosition = nowhere;
  readonly text = "";
  readonly parent = null;
  readonly childCount = 0;
  readonly namedChildCount = 0;
  readonly nextSibling = null;
  readonly previousSibling = null;
  private readonly nodes: readonly QuickNode[];
  private visited = false;

  constructor(nodes: readonly QuickNode[]) {
    this.nodes = nodes;
  }

  get children(): readonly NodeForAstGrep[] {
    if (this.visited) return [];
    this.visited = true;
    return this.nodes.map((node) => new GatheredNode(node));
  }

  child(): null {
    return null;
  }

  childForFieldId(): null {
    return null;
  }
}

class GatheredNode extends QuickNode {
  private readonly original: QuickNode;
  private visited = false;

  constructor(original: QuickNode) {
    super(original.node, original.document, original.parent, original.index);
    this.original = original;
  }

  override get children(): readonly QuickNode[] {
    if (this.visited) return this.original.children;
    this.visited = true;
    return [];
  }
}
