/** A function that this change made too long, or too deep, to be read at once. */
import type { Node, Tree } from "web-tree-sitter";
import type { Detector } from "../detector.ts";
import { changed, type Finding, findingAt, type Rule } from "../rule.ts";
import type { SourceFile } from "../source-file.ts";
import { isFunction } from "./functions.ts";

const linesMax = 80;
/** A function that was nearly as long before is not this change's doing. */
const grownMin = 10;
const depthMax = 4;

const tooLong: Rule = {
  id: "any/function-outgrown",
  title: "function grown past 80 lines",
  category: "maintainability",
  severity: "low",
  cwe: 1080,
  message: "`{name}` grows from {before} to {after} lines.",
  why: "What does not fit on a screen is read in parts, and its faults are between the parts.",
  advice: "Give what this change adds a function of its own.",
  placement: "summary",
  bad: [changed("src/a.ts", functionOf(70), functionOf(95))],
  ok: [
    changed("src/a.ts", functionOf(70), functionOf(78)),
    changed("src/a.ts", functionOf(90), functionOf(120)),
    changed("src/a.ts", functionOf(70).replace("if (done)", "//"), functionOf(95).replace("if (done)", "//")),
    changed("test/a.test.ts", functionOf(70), functionOf(95)),
    changed("src/a.ts", functionOf(70).replace("run", "testRun"), functionOf(95).replace("run", "testRun")),
  ],
};

const tooDeep: Rule = {
  id: "any/nesting-deepened",
  title: "nesting deeper than four levels",
  category: "maintainability",
  severity: "low",
  cwe: 1124,
  message: "`{name}` is now nested {after} levels deep; it was {before}.",
  why: "To know when the innermost lines run, one has to keep that many conditions in mind.",
  advice: "Leave early where a condition does not hold, or give the inner part a function of its own.",
  placement: "summary",
  bad: [changed("shop/a.py", nested(4), nested(5))],
  ok: [
    changed("shop/a.py", nested(3), nested(4)),
    changed("shop/a.py", nested(5), nested(6)),
    changed(
      "src/a.ts",
      "function f() {\n  go();\n}\n",
      "function f() {\n  if (a) go();\n  else if (b) go();\n  else if (c) go();\n  else if (d) go();\n  else if (e) go();\n}\n",
    ),
  ],
};

export const outgrownFunctions: Detector = {
  rules: [tooLong, tooDeep],
  appliesTo: (file) => !file.isTest && file.baseText !== null && (mayBeLong(file) || mayBeDeep(file)),
  *find(file: SourceFile): Generator<Finding> {
    const added = [...file.added];
    const suspects = functionsOf(
      file.tree,
      (first, last) => (firstFrom(added, first) ?? last + 1) <= last,
    ).filter(({ lines, depth }) => lines > linesMax || depth > depthMax);
    if (suspects.length === 0) return;
    const before = new Map(functionsOf(file.baseTree, () => true).map((one) => [one.name, one]));
    for (const { name, line, lines, depth, deepest } of suspects) {
      const old = before.get(name);
      if (old === undefined) continue;
      if (depth > depthMax && old.depth <= depthMax && file.added.has(deepest)) {
        yield findingAt(tooDeep, deepest, { name, before: `${old.depth}`, after: `${depth}` });
        continue;
      }
      // A long one that never branches is a table.
      const isTable = depth + old.depth === 0;
      if (!isTable && lines > linesMax && old.lines <= linesMax && lines - old.lines >= grownMin)
        yield findingAt(tooLong, firstFrom(added, line) ?? line, {
          name,
          before: `${old.lines}`,
          after: `${lines}`,
        });
    }
  },
};

function mayBeLong({ diff, lines }: SourceFile): boolean {
  return diff.additions >= grownMin && lines.length > linesMax;
}

/** Indented by more than the function and its permitted levels, even where a level is two blanks. */
function mayBeDeep(file: SourceFile): boolean {
  return [...file.addedLines()].some(({ text }) => /^(?: {10}|\t{5})/.test(text));
}

/** The first of the ascending lines that is not above `line`. */
function firstFrom(lines: readonly number[], line: number): number | undefined {
  let [from, to] = [0, lines.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((lines[middle] ?? line) < line) from = middle + 1;
    else to = middle;
  }
  return lines[from];
}

interface Measured {
  name: string;
  line: number;
  /** Without empty ones. */
  lines: number;
  /** Conditions, loops and the like within each other. */
  depth: number;
  /** Where the deepest one starts. */
  deepest: number;
}

/** Whether something of these lines, both included, is of interest. */
type Touched = (first: number, last: number) => boolean;

/** The named functions; of two with one name neither, because which is which cannot be told. */
function functionsOf(tree: Tree | null, isTouched: Touched): Measured[] {
  if (tree === null) return [];
  const found = new Map<string, Measured | null>();
  const open: { node: Node; inside: Measured | null; depth: number }[] = [
    { node: tree.rootNode, inside: null, depth: 0 },
  ];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node, inside, depth } = next;
    const own = measure(node);
    if (own !== null) found.set(own.name, found.has(own.name) ? null : own);
    const within = own ?? inside;
    const deeper = own !== null ? 0 : depth + Number(isBranch(node));
    if (within !== null && deeper > within.depth)
      Object.assign(within, { depth: deeper, deepest: node.startPosition.row + 1 });
    for (const child of node.namedChildren)
      if (child !== null && isTouched(child.startPosition.row + 1, child.endPosition.row + 1))
        open.push({ node: child, inside: within, depth: deeper });
  }
  return [...found.values()].filter((one) => one !== null);
}

function measure(node: Node): Measured | null {
  const name = isFunction(node) ? node.childForFieldName("name")?.text : undefined;
  // A test in a file of the product, as in Rust, may be as long as it likes.
  if (name === undefined || /^test/i.test(name)) return null;
  const line = node.startPosition.row + 1;
  const lines = node.text.split("\n").filter((text) => text.trim() !== "").length;
  return { name, line, lines, depth: 0, deepest: line };
}

const branch =
  /^(?:(?:if|for|for_in|for_each|foreach|enhanced_for|while|do|switch|try|expression_switch|type_switch|select|with)_statement|(?:if|for|while|loop|match|when|try)_expression|if|unless|while|until|for|case)$/;

/** `else if` goes on with the same choice. */
function isBranch(node: Node): boolean {
  if (!node.isNamed || !branch.test(node.type)) return false;
  const { parent } = node;
  return parent?.type !== "else_clause" && parent?.childForFieldName("alternative")?.id !== node.id;
}

function functionOf(count: number): string {
  const body = Array.from({ length: count - 3 }, (_, index) => `  step(${index});\n`).join("");
  return `function run() {\n  if (done) return;\n${body}}\n`;
}

function nested(depth: number): string {
  const levels = Array.from({ length: depth }, (_, level) => `${"    ".repeat(level + 1)}if a${level}:\n`);
  return `def run():\n${levels.join("")}${"    ".repeat(depth + 1)}go()\n`;
}
