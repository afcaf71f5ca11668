/** Python: names that a file uses and nowhere binds. */
import type { Detector } from "../detector.ts";
import { field, type PlainNode } from "../parser/plain-tree.ts";
import { type Finding, findingAt, newFile, type Rule } from "../rule.ts";
import type { SourceFile } from "../source-file.ts";
import { isOneSlipApart } from "./one-slip.ts";
import { commonModules, pythonBuiltIns } from "./python-names.ts";
import { within } from "./within.ts";

const undefinedName: Rule = {
  id: "py/undefined-name",
  title: "name that is nowhere defined",
  category: "bug",
  severity: "high",
  cwe: null,
  message: "`{name}` is neither defined nor imported in this file.",
  why: "The line raises `NameError` as soon as it runs.",
  advice: "Import it, or correct its spelling.",
  placement: "inline",
  bad: [
    newFile("src/a.py", "def press(n):\n    return np.zeros(n)\n"),
    newFile(
      "src/a.py",
      "def resolve_name(name):\n    return name\n\n\ndef click(name):\n    return resolv_name(name)\n",
    ),
  ],
  ok: [
    newFile("src/a.py", "import numpy as np\n\n\ndef press(n):\n    return np.zeros(n)\n"),
    newFile("src/a.py", "from tools import *\n\n\ndef press(n):\n    return np.zeros(n)\n"),
    newFile("src/a.py", "def f():\n    global cache\n    cache = {}\n\n\ndef g():\n    return cache\n"),
    newFile("src/a.py", "try:\n    unicode\nexcept NameError:\n    unicode = str\n"),
    newFile("src/a.py", "rows = [x for x in range(3) if (y := x)]\nprint(y, __file__, _('a'))\n"),
    newFile(
      "src/a.py",
      "class Point: ...\n\n\ndef f(point):\n    match point:\n        case Point(x=a, y=0):\n            print(a)\n",
    ),
    newFile("src/a.py", "def request(query):\n    logger.debug('asked %s', query)\n"),
    newFile("src/a.py", "def f[T](x: T) -> T:\n    return x\n"),
  ],
};

/** More than that, and the names come from where the file cannot tell: a host program, Python 2, a template. */
const namesMax = 3;

/** A file that brings names in by other ways than writing them. */
const otherWays =
  /import \*|\bNameError\b|\bexec\(|\bglobals\(\)|\bvars\(\)|\blocals\(\)|\bsetattr\(sys\.modules|__builtins__/;

export const undefinedNames: Detector = {
  rules: [undefinedName],
  appliesTo: ({ language, path, text, whole }) =>
    language === "python" && whole && !path.endsWith(".pyi") && !otherWays.test(text),
  find,
};

function* find(file: SourceFile): Generator<Finding> {
  if (file.tree === null || file.tree.rootNode.hasError) return;
  const code = file.code;
  if (code === null) return;
  const bound = new Set<string>();
  for (const node of within(code)) bind(node, bound);
  const isKnown = (name: string) => bound.has(name) || pythonBuiltIns.has(name) || /^_$|^__\w+__$/.test(name);
  const unknown = Map.groupBy(
    [...uses(code, null)].filter(({ name }) => !isKnown(name)),
    ({ name }) => name,
  );
  if (unknown.size > namesMax) return;
  for (const [name, places] of unknown) {
    // Where the file used it before, it comes from somewhere.
    const isNew = places.every(({ line }) => file.added.has(line));
    const certain = places.find(({ role }) => role === "called" || (role === "module" && isModule(name)));
    const slip = certain ?? (isMisspelt(name, bound) ? places[0] : undefined);
    if (isNew && slip !== undefined) yield findingAt(undefinedName, slip.line, { name });
  }
}

function isModule(name: string): boolean {
  return commonModules.has(name);
}

/** One letter more, less or other than a name of the file, or two swapped. */
function isMisspelt(name: string, bound: ReadonlySet<string>): boolean {
  return name.length >= 4 && [...bound].some((other) => isOneSlipApart(name, other));
}

/** Where identifiers are bound, in whatever scope: a name bound anywhere counts as known everywhere. */
const targets: Readonly<Record<string, readonly string[]>> = {
  assignment: ["left"],
  augmented_assignment: ["left"],
  for_statement: ["left"],
  for_in_clause: ["left"],
  function_definition: ["name", "parameters", "type_parameters"],
  lambda: ["parameters"],
  class_definition: ["name", "type_parameters"],
  named_expression: ["name"],
  type_alias_statement: ["left"],
};
const wholes =
  /^(import_statement|import_from_statement|global_statement|nonlocal_statement|case_pattern|as_pattern_target|type_parameter|delete_statement)$/;

function bind(node: PlainNode, bound: Set<string>): void {
  const parts = wholes.test(node.type)
    ? [node]
    : (targets[node.type] ?? []).flatMap((name) => field(node, name) ?? []);
  for (const part of parts)
    for (const inner of within(part)) if (inner.type === "identifier") bound.add(inner.text);
}

/** What is done with it: a host program hands in values more often than functions. */
type Role = "called" | "module" | "read";

/** Identifiers that are read; the names of attributes and of keyword arguments are none. */
function* uses(node: PlainNode, role: Role | null): Generator<{ name: string; line: number; role: Role }> {
  if (/^(import_|future_import)/.test(node.type)) return;
  if (node.type === "identifier") yield { name: node.text, line: node.line, role: role ?? "read" };
  for (const child of node.children) {
    if (node.type === "attribute" && child.field === "attribute") continue;
    if (node.type === "keyword_argument" && child.field === "name") continue;
    if (node.type === "case_pattern" || node.type === "keyword_pattern") continue;
    const isCallee = node.type === "call" && child.field === "function";
    yield* uses(child, isCallee ? "called" : node.type === "attribute" ? "module" : null);
  }
}
