/** A YAML file as mappings, sequences and scalars that know their lines; aliases and merges are left unresolved. */
import type { Node, Tree } from "web-tree-sitter";

export interface YamlEntry {
  key: string;
  line: number;
  value: YamlValue;
}

export interface YamlMapping {
  kind: "mapping";
  line: number;
  entries: readonly YamlEntry[];
}

export interface YamlSequence {
  kind: "sequence";
  line: number;
  items: readonly YamlValue[];
}

export interface YamlScalar {
  kind: "scalar";
  line: number;
  text: string;
  /** What a reader of the file makes of it; an alias can be anything. */
  type: "string" | "number" | "boolean" | "null" | "alias";
  /** A block (`|`, `>`) whose value ends in a line ending; `|-` does not. */
  endsInNewline: boolean;
  /** The text by the lines it stands on. */
  lines: readonly { line: number; text: string }[];
}

export type YamlValue = YamlMapping | YamlSequence | YamlScalar;

/** Deeper values read as empty: no real file nests so. */
const depthMax = 100;

/** Larger files are data, and would cost seconds to turn into values. */
const lengthMax = 400_000;
const known = new WeakMap<Tree, readonly YamlValue[]>();

/** The roots of the file's documents; none of a file that is too large to be written by hand. */
export function yamlDocuments(tree: Tree): readonly YamlValue[] {
  const documents = known.get(tree) ?? readDocuments(tree);
  known.set(tree, documents);
  return documents;
}

function readDocuments(tree: Tree): YamlValue[] {
  if (tree.rootNode.endIndex > lengthMax) return [];
  return namedChildren(tree.rootNode)
    .filter((node) => node.type === "document")
    .flatMap((node) => namedChildren(node).filter(isContent))
    .map((node) => toValue(node, 0));
}

/** The value under a path of keys; undefined where there is none. */
export function at(value: YamlValue | undefined, ...path: readonly string[]): YamlValue | undefined {
  let found = value;
  for (const key of path) found = entriesOf(found).find((entry) => entry.key === key)?.value;
  return found;
}

export function entryAt(value: YamlValue | undefined, key: string): YamlEntry | undefined {
  return entriesOf(value).find((entry) => entry.key === key);
}

export function entriesOf(value: YamlValue | undefined): readonly YamlEntry[] {
  return value?.kind === "mapping" ? value.entries : [];
}

export function itemsOf(value: YamlValue | undefined): readonly YamlValue[] {
  return value?.kind === "sequence" ? value.items : [];
}

/** A scalar's text; empty for anything else. */
export function textOf(value: YamlValue | undefined): string {
  return value?.kind === "scalar" ? value.text : "";
}

/** `[a, b]`, or `a` alone. */
export function textsOf(value: YamlValue | undefined): string[] {
  return value?.kind === "sequence" ? value.items.map(textOf) : value === undefined ? [] : [textOf(value)];
}

/** Every scalar in the value, however deep. */
export function* scalarsIn(value: YamlValue | undefined): Generator<YamlScalar> {
  if (value === undefined) return;
  if (value.kind === "scalar") yield value;
  for (const entry of entriesOf(value)) yield* scalarsIn(entry.value);
  for (const item of itemsOf(value)) yield* scalarsIn(item);
}

function toValue(node: Node, depth: number): YamlValue {
  if (depth > depthMax) return scalar(node, "", "null");
  switch (node.type) {
    case "block_node":
    case "flow_node":
      return wrapped(node, depth);
    case "block_mapping":
    case "flow_mapping":
      return { kind: "mapping", line: lineOf(node), entries: mappingEntries(node, depth) };
    case "block_sequence":
    case "flow_sequence":
      return { kind: "sequence", line: lineOf(node), items: sequenceItems(node, depth) };
    case "block_scalar":
      return scalar(node, node.text, "string", 1);
    case "double_quote_scalar":
    case "single_quote_scalar":
      return scalar(node, node.text.slice(1, -1), "string");
    case "plain_scalar":
      return scalar(node, node.text, plainTypes[namedChildren(node)[0]?.type ?? ""] ?? "string");
    case "alias":
      return scalar(node, node.text, "alias");
    default:
      return scalar(node, "", "null");
  }
}

const plainTypes: Readonly<Record<string, YamlScalar["type"]>> = {
  integer_scalar: "number",
  float_scalar: "number",
  boolean_scalar: "boolean",
  null_scalar: "null",
};

function wrapped(node: Node, depth: number): YamlValue {
  const tagged = namedChildren(node).some((child) => child.type === "tag");
  const content = namedChildren(node).find((child) => !["tag", "anchor", "comment"].includes(child.type));
  if (content === undefined) return scalar(node, "", "null");
  const value = toValue(content, depth + 1);
  return tagged && value.kind === "scalar" ? { ...value, type: "string" } : value;
}

function mappingEntries(node: Node, depth: number): YamlEntry[] {
  return namedChildren(node)
    .filter((pair) => pair.type === "block_mapping_pair" || pair.type === "flow_pair")
    .map((pair) => {
      const key = pair.childForFieldName("key");
      const value = pair.childForFieldName("value");
      return {
        key: key === null ? "" : textOf(toValue(key, depthMax - 2)),
        line: lineOf(pair),
        value: value === null ? scalar(pair, "", "null") : toValue(value, depth + 1),
      };
    });
}

function sequenceItems(node: Node, depth: number): YamlValue[] {
  return namedChildren(node)
    .map((item) => (item.type === "block_sequence_item" ? namedChildren(item).find(isContent) : item))
    .filter((item) => item !== undefined && isContent(item))
    .map((item) => toValue(item as Node, depth + 1));
}

/** `headerLines`: how many of the node's first lines are syntax, such as the `|` of a block. */
function scalar(node: Node, text: string, type: YamlScalar["type"], headerLines = 0): YamlScalar {
  const first = lineOf(node);
  const lines = text.split(/\r?\n/).map((part, index) => ({ line: first + index, text: part }));
  const own = lines.slice(headerLines);
  const endsInNewline = headerLines > 0 && !/^[|>]\d?-/.test(text);
  return {
    kind: "scalar",
    line: first,
    text: own.map((part) => part.text).join("\n"),
    type,
    endsInNewline,
    lines: own,
  };
}

function isContent(node: Node): boolean {
  return node.type === "block_node" || node.type === "flow_node";
}

function namedChildren(node: Node): Node[] {
  return node.namedChildren.filter((child) => child !== null);
}

function lineOf(node: Node): number {
  return node.startPosition.row + 1;
}
