/**
 * On which line of a YAML text each key stands, and which keys are written twice in one mapping (the parser lets the
 * last one win in silence, and a rule would lose half of what it says). Knows block style, which rule files are in.
 */

export interface YamlLines {
  /** Line of the key or list item that a JSON Pointer names, or of the nearest one above it that is written; 1 without any. */
  lineOf(pointer: string): number;
  repeated: readonly { key: string; line: number }[];
}

interface Level {
  indent: number;
  pointer: string;
  items: number;
}

const keyLine = /^(?<lead>\s*(?:-\s+)*)(?<key>[A-Za-z_$][\w$-]*|"[^"]+"|'[^']+')\s*:(?:\s+(?<value>.*))?$/;

export function yamlLines(text: string): YamlLines {
  const lines = new Map<string, number>();
  const repeated: { key: string; line: number }[] = [];
  const levels: Level[] = [{ indent: -1, pointer: "", items: 0 }];
  let literalIndent: number | null = null;
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const indent = line.search(/\S/);
    if (indent < 0 || line[indent] === "#") continue;
    if (literalIndent !== null && indent > literalIndent) continue;
    literalIndent = opensLiteral(line) ? indent : null;
    for (const item of enter(levels, line, indent)) lines.set(item, index + 1);
    const found = keyLine.exec(line)?.groups;
    if (found === undefined) continue;
    const pointer = `${pointerAt(levels, found.lead?.length ?? 0)}/${found.key?.replace(/^["']|["']$/g, "")}`;
    if (lines.has(pointer)) repeated.push({ key: found.key ?? "", line: index + 1 });
    lines.set(pointer, index + 1);
    levels.push({ indent: found.lead?.length ?? 0, pointer, items: 0 });
  }
  return { lineOf: (pointer) => nearest(lines, pointer), repeated };
}

/** `key: |` or `- >-`: what follows deeper is text. */
function opensLiteral(line: string): boolean {
  return /(?:^|[\s:-])[|>][+-]?\d?\s*(?:#.*)?$/.test(line);
}

/** Leaves what the line is not inside of, and steps into the list items that it begins, which it answers. */
function enter(levels: Level[], line: string, indent: number): string[] {
  const items: string[] = [];
  while ((levels.at(-1)?.indent ?? -1) >= indent + (line[indent] === "-" ? 1 : 0)) levels.pop();
  for (let at = indent; line[at] === "-" && /\s/.test(line[at + 1] ?? " "); ) {
    while ((levels.at(-1)?.indent ?? -1) > at) levels.pop();
    const parent = levels.at(-1);
    if (parent === undefined) return items;
    const pointer = `${parent.pointer}/${parent.items}`;
    levels.push({ indent: at + 0.5, pointer, items: 0 });
    items.push(pointer);
    parent.items += 1;
    at += line.slice(at + 1).search(/\S|$/) + 1;
  }
  return items;
}

function pointerAt(levels: readonly Level[], column: number): string {
  return levels.findLast((level) => level.indent < column)?.pointer ?? "";
}

function nearest(lines: ReadonlyMap<string, number>, pointer: string): number {
  for (let at = pointer; at !== ""; at = at.slice(0, at.lastIndexOf("/"))) {
    const line = lines.get(at);
    if (line !== undefined) return line;
  }
  return 1;
}
