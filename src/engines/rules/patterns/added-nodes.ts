/** The nodes that start on added lines: rules are asked about no others. */
import type { QuickNode } from "../parser/quick-tree.ts";

export class AddedNodes {
  /** In the order of the text, outer ones first. */
  private readonly all: readonly QuickNode[];
  private readonly byKind: ReadonlyMap<string, readonly QuickNode[]>;

  /** `kinds` are those that will be asked for. */
  constructor(top: QuickNode, added: ReadonlySet<number>, kinds: ReadonlySet<string>) {
    this.all = nodesStartingOn(added, top, kinds);
    this.byKind = Map.groupBy(this.all, (node) => node.type);
  }

  ofKinds(kinds: ReadonlySet<string>): readonly QuickNode[] {
    const groups = [...kinds].map((kind) => this.byKind.get(kind) ?? []).filter(({ length }) => length > 0);
    if (groups.length <= 1) return groups[0] ?? [];
    return this.all.filter((node) => kinds.has(node.type));
  }
}

/** Goes down only where something can start on an added line. */
function nodesStartingOn(
  added: ReadonlySet<number>,
  top: QuickNode,
  kinds: ReadonlySet<string>,
): QuickNode[] {
  const nextAdded = nextAddedLines(added);
  const nodes: QuickNode[] = [];
  /** With each node, the last line on which anything within it can start: that of what follows it. */
  const open = [top];
  const lastLines = [nextAdded.length];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    let lastLine = lastLines.pop() ?? 0;
    const line = lineOf(node);
    if (added.has(line) && kinds.has(node.type)) nodes.push(node);
    if ((nextAdded[line] ?? Number.POSITIVE_INFINITY) > lastLine) continue;
    for (let index = node.children.length - 1; index >= 0; index -= 1) {
      const child = node.children[index];
      if (child === undefined) continue;
      open.push(child);
      lastLines.push(lastLine);
      lastLine = lineOf(child);
    }
  }
  return nodes;
}

/** At each line's number, the first added line from there on. */
function nextAddedLines(added: ReadonlySet<number>): readonly number[] {
  let next = 0;
  for (const line of added) next = Math.max(next, line);
  const lines = new Array<number>(next + 1);
  for (let line = next; line >= 0; line -= 1) {
    if (added.has(line)) next = line;
    lines[line] = next;
  }
  return lines;
}

function lineOf(node: QuickNode): number {
  return node.startPosition.row + 1;
}
