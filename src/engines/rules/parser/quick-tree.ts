/**
 * A syntax tree as ast-grep asks for it, remembered on the JavaScript side. ast-grep asks web-tree-sitter about every
 * node anew, each question crosses into WebAssembly and back, and a node's parent and siblings are searched from the
 * root. Here a node is read once, when it is first met, and knows its parent and its siblings.
 */
import type { Language as Grammar, Node, Point, Tree } from "web-tree-sitter";

/** Stands where ast-grep expects web-tree-sitter's `Tree`. */
export class QuickTree {
  readonly source: string;
  readonly top: QuickNode;
  /** Where ast-grep starts. */
  rootNode: NodeForAstGrep;

  constructor(tree: Tree, source: string) {
    this.source = source;
    this.top = new QuickNode(tree.rootNode, { source, grammar: tree.language }, null, 0);
    this.rootNode = this.top;
  }

  /** ast-grep copies a tree where it means the same one. */
  copy(): this {
    return this;
  }
}

interface Document {
  source: string;
  grammar: Grammar;
}

/** The part of web-tree-sitter's `Node` that ast-grep uses. */
export interface NodeForAstGrep {
  readonly id: number;
  readonly typeId: number;
  readonly type: string;
  readonly isNamed: boolean;
  readonly isMissing: boolean;
  readonly startIndex: number;
  readonly endIndex: number;
  readonly startPosition: Point;
  readonly endPosition: Point;
  readonly text: string;
  readonly parent: NodeForAstGrep | null;
  readonly children: readonly NodeForAstGrep[];
  readonly childCount: number;
  readonly namedChildCount: number;
  readonly nextSibling: NodeForAstGrep | null;
  readonly previousSibling: NodeForAstGrep | null;
  child(index: number): NodeForAstGrep | null;
  childForFieldId(field: number): NodeForAstGrep | null;
}

export class QuickNode implements NodeForAstGrep {
  readonly node: Node;
  readonly typeId: number;
  readonly parent: QuickNode | null;
  readonly document: Document;
  /** Its place among its parent's children. */
  readonly index: number;
  private knownChildren: readonly QuickNode[] | null = null;
  private knownEnd: number | null = null;

  constructor(node: Node, document: Document, parent: QuickNode | null, index: number) {
    this.node = node;
    this.typeId = node.typeId;
    this.document = document;
    this.parent = parent;
    this.index = index;
  }

  get id(): number {
    return this.node.id;
  }

  get type(): string {
    return this.document.grammar.types[this.typeId] || "ERROR";
  }

  get isNamed(): boolean {
    return this.node.isNamed;
  }

  get isMissing(): boolean {
    return this.node.isMissing;
  }

  get startIndex(): number {
    return this.node.startIndex;
  }

  get endIndex(): number {
    this.knownEnd ??= this.node.endIndex;
    return this.knownEnd;
  }

  get startPosition(): Point {
    return this.node.startPosition;
  }

  get endPosition(): Point {
    return this.node.endPosition;
  }

  get text(): string {
    return this.document.source.slice(this.startIndex, this.endIndex);
  }

  get children(): readonly QuickNode[] {
    this.knownChildren ??= this.node.children.map(
      (child, index) => new QuickNode(child, this.document, this, index),
    );
    return this.knownChildren;
  }

  get childCount(): number {
    return this.children.length;
  }

  get namedChildCount(): number {
    return this.node.namedChildCount;
  }

  get nextSibling(): QuickNode | null {
    return this.parent?.child(this.index + 1) ?? null;
  }

  get previousSibling(): QuickNode | null {
    return this.parent?.child(this.index - 1) ?? null;
  }

  child(index: number): QuickNode | null {
    return this.children[index] ?? null;
  }

  childForFieldId(field: number): QuickNode | null {
    const found = this.node.childForFieldId(field);
    return found === null ? null : this.below(found);
  }

  /** Mostly a child; deeper where one that the grammar inlines brought the field. */
  private below(node: Node): QuickNode | null {
    const child = this.children.find(({ id }) => id === node.id);
    if (child !== undefined) return child;
    const around = this.children.find(
      (one) => one.startIndex <= node.startIndex && one.endIndex >= node.endIndex,
    );
    return around?.below(node) ?? null;
  }
}
