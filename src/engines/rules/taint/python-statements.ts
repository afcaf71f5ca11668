/** Python's statements. */

import { field, fields, ofType, type PlainNode } from "../parser/plain-tree.ts";
import { opaque } from "./adapter.ts";
import { pythonExpression, pythonFunction } from "./python.ts";
import type { Mark, Statement, SwitchCase } from "./syntax.ts";

type Translate = (node: PlainNode) => Statement[];

const statements: Readonly<Record<string, Translate>> = {
  block: (node) => node.children.flatMap(pythonStatements),
  expression_statement: expressionStatement,
  if_statement: (node) => [ifOf(node, [...ofType(node, "elif_clause", "else_clause")])],
  while_statement: (node) => [
    {
      kind: "loop",
      test: pythonExpression(field(node, "condition")),
      body: inside(node, "body"),
      update: [],
      line: node.line,
    },
  ],
  for_statement: (node) => [
    {
      kind: "each",
      target: pythonExpression(field(node, "left")),
      of: pythonExpression(field(node, "right")),
      body: inside(node, "body"),
      line: node.line,
    },
    ...fields(node, "alternative").flatMap((clause) => inside(clause, "body")),
  ],
  match_statement: (node) => [
    {
      kind: "switch",
      subject: pythonExpression(field(node, "subject")),
      cases: ofType(field(node, "body") ?? node, "case_clause").map(caseOf),
      line: node.line,
    },
  ],
  try_statement: (node) => [
    {
      kind: "try",
      body: [
        ...inside(node, "body"),
        ...ofType(node, "else_clause").flatMap((clause) => inside(clause, "body")),
      ],
      handlers: ofType(node, "except_clause", "except_group_clause").map(lastBlock),
      last: ofType(node, "finally_clause").flatMap(lastBlock),
      line: node.line,
    },
  ],
  with_statement: withOf,
  return_statement: (node) => [
    {
      kind: "return",
      value: node.children[0] === undefined ? null : pythonExpression(node.children[0]),
      line: node.line,
    },
  ],
  assert_statement: (node) => [
    {
      kind: "if",
      test: pythonExpression(node.children[0]),
      consequence: [],
      alternative: [{ kind: "throw", value: null, line: node.line }],
      line: node.line,
    },
  ],
  raise_statement: (node) => [{ kind: "throw", value: pythonExpression(node.children[0]), line: node.line }],
  break_statement: (node) => [{ kind: "break", line: node.line }],
  continue_statement: (node) => [{ kind: "continue", line: node.line }],
  function_definition: (node) => [{ kind: "function", code: pythonFunction(node, []), line: node.line }],
  class_definition: classOf,
  decorated_definition: decorated,
  import_statement: (node) => fields(node, "name").map((name) => imported(name, "")),
  import_from_statement: (node) => {
    const from = field(node, "module_name")?.text ?? "";
    return fields(node, "name").map((name) => imported(name, `${from}.`));
  },
};

export function pythonStatements(node: PlainNode): Statement[] {
  const translate = Object.hasOwn(statements, node.type) ? statements[node.type] : undefined;
  return translate?.(node) ?? [];
}

function inside(node: PlainNode, name: string): Statement[] {
  const found = field(node, name);
  return found === null ? [] : pythonStatements(found);
}

function lastBlock(node: PlainNode): Statement[] {
  return ofType(node, "block").flatMap(pythonStatements);
}

function expressionStatement(node: PlainNode): Statement[] {
  const [only] = node.children;
  if (only?.type === "assignment" && field(only, "left")?.type === "identifier") {
    const value = field(only, "right");
    return [
      {
        kind: "declare",
        name: field(only, "left")?.text ?? "",
        type: field(only, "type")?.text ?? null,
        value: value === null ? null : pythonExpression(value),
        line: node.line,
      },
    ];
  }
  return node.children.map((child) => ({ kind: "run", value: pythonExpression(child), line: node.line }));
}

/** `elif` is an `if` in the `else`. */
function ifOf(node: PlainNode, clauses: readonly PlainNode[]): Statement {
  const [next, ...rest] = clauses;
  const alternative =
    next === undefined ? [] : next.type === "else_clause" ? inside(next, "body") : [ifOf(next, rest)];
  return {
    kind: "if",
    test: pythonExpression(field(node, "condition")),
    consequence: inside(node, "consequence"),
    alternative,
    line: node.line,
  };
}

function caseOf(clause: PlainNode): SwitchCase {
  const patterns = ofType(clause, "case_pattern").flatMap((pattern) => alternatives(pattern));
  const catchesAll = clause.children[0]?.text.trim() === "_";
  const tests = patterns.map((pattern) =>
    /^(string|integer|float|true|false|none|concatenated_string)$/.test(pattern.type)
      ? pythonExpression(pattern)
      : opaque(pattern, []),
  );
  return { tests: catchesAll ? null : tests, body: inside(clause, "consequence"), fallsThrough: false };
}

function alternatives(pattern: PlainNode): readonly PlainNode[] {
  const [only] = pattern.children;
  if (only === undefined) return [pattern];
  return only.type === "union_pattern" ? only.children : [only];
}

function withOf(node: PlainNode): Statement[] {
  const items = ofType(node, "with_clause").flatMap((clause) => ofType(clause, "with_item"));
  const opened = items.map((item): Statement => {
    const value = field(item, "value");
    const target = value?.type === "as_pattern" ? field(value, "alias")?.children[0] : undefined;
    const of = value?.type === "as_pattern" ? value.children[0] : value;
    if (target === undefined) return { kind: "run", value: pythonExpression(of), line: item.line };
    const assigned = {
      kind: "assign" as const,
      target: pythonExpression(target),
      value: pythonExpression(of),
      line: item.line,
    };
    return { kind: "run", value: assigned, line: item.line };
  });
  return [...opened, ...inside(node, "body")];
}

/** A schema's fields are declared in its body: `price: int = 0`. */
function classOf(node: PlainNode): Statement[] {
  const name = field(node, "name")?.text ?? "";
  const body = inside(node, "body");
  const made: Statement = { kind: "class", name, body, line: node.line };
  if (!/Model|Schema|TypedDict/.test(field(node, "superclasses")?.text ?? "")) return [made];
  const types = body.flatMap((one): [string, string][] =>
    one.kind === "declare" && one.type !== null ? [[one.name, one.type]] : [],
  );
  return types.length === 0
    ? [made]
    : [made, { kind: "fields", name, types: new Map(types), line: node.line }];
}

function decorated(node: PlainNode): Statement[] {
  const definition = field(node, "definition");
  if (definition?.type !== "function_definition")
    return definition === null ? [] : pythonStatements(definition);
  const marks = ofType(node, "decorator").map((decorator): Mark => {
    const called = decorator.children[0];
    return {
      name: (called?.type === "call" ? field(called, "function")?.text : called?.text) ?? "",
      text: decorator.text,
    };
  });
  return [{ kind: "function", code: pythonFunction(definition, marks), line: definition.line }];
}

/** `import a.b` binds `a`; `import a.b as c` and `from a import b` bind one name. */
function imported(node: PlainNode, from: string): Statement {
  const name = node.type === "aliased_import" ? (field(node, "name")?.text ?? "") : node.text;
  const alias = node.type === "aliased_import" ? (field(node, "alias")?.text ?? name) : null;
  if (alias !== null) return { kind: "import", name: alias, path: `${from}${name}`, line: node.line };
  const bound = from === "" ? (name.split(".")[0] ?? name) : name;
  return { kind: "import", name: bound, path: from === "" ? bound : `${from}${name}`, line: node.line };
}
