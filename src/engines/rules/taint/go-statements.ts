/** Go's statements. */
import { augmented, constantAt, opaque, operatorOf } from "./adapter.ts";
import { goExpression, goFunction, goType } from "./go.ts";
import { field, fields, ofType, type PlainNode } from "./plain-tree.ts";
import type { Expression, Statement, SwitchCase } from "./syntax.ts";

type Translate = (node: PlainNode) => Statement[];

const runFirst: Translate = (node) => [
  { kind: "run", value: goExpression(node.children[0]), line: node.line },
];
const inner: Translate = (node) => node.children.flatMap(goStatements);

const statements: Readonly<Record<string, Translate>> = {
  block: inner,
  statement_list: inner,
  import_declaration: (node) => specs(node).map(importOf),
  function_declaration: (node) => [{ kind: "function", code: goFunction(node), line: node.line }],
  expression_statement: runFirst,
  go_statement: runFirst,
  defer_statement: runFirst,
  short_var_declaration: (node) => assignments(node),
  assignment_statement: assignment,
  var_declaration: inner,
  var_spec_list: inner,
  const_declaration: inner,
  var_spec: declaration,
  const_spec: declaration,
  if_statement: (node) => [
    ...inside(node, "initializer"),
    {
      kind: "if",
      test: goExpression(field(node, "condition")),
      consequence: inside(node, "consequence"),
      alternative: inside(node, "alternative"),
      line: node.line,
    },
  ],
  for_statement: loop,
  expression_switch_statement: (node) => [
    ...inside(node, "initializer"),
    {
      kind: "switch",
      subject: field(node, "value") === null ? constantAt(node, true) : goExpression(field(node, "value")),
      cases: ofType(node, "expression_case", "default_case").map(caseOf),
      line: node.line,
    },
  ],
  type_switch_statement: (node) => [
    {
      kind: "switch",
      subject: opaque(node, []),
      cases: ofType(node, "type_case", "default_case").map(typeCase),
      line: node.line,
    },
  ],
  select_statement: (node) => [
    {
      kind: "switch",
      subject: opaque(node, []),
      cases: ofType(node, "communication_case", "default_case").map(typeCase),
      line: node.line,
    },
  ],
  return_statement: (node) => [{ kind: "return", value: returned(node), line: node.line }],
  break_statement: (node) => [{ kind: "break", line: node.line }],
  continue_statement: (node) => [{ kind: "continue", line: node.line }],
  labeled_statement: inner,
};

export function goStatements(node: PlainNode): Statement[] {
  const translate = Object.hasOwn(statements, node.type) ? statements[node.type] : undefined;
  return translate?.(node) ?? [];
}

function inside(node: PlainNode, name: string): Statement[] {
  const found = field(node, name);
  return found === null ? [] : goStatements(found);
}

function specs(node: PlainNode): readonly PlainNode[] {
  return [node, ...ofType(node, "import_spec_list")].flatMap((list) => ofType(list, "import_spec"));
}

/** A package is named after the last part of its path, without its version. */
function importOf(node: PlainNode): Statement {
  const path = field(node, "path")?.text.slice(1, -1) ?? "";
  const name =
    path
      .replace(/\/v\d+$/, "")
      .split("/")
      .at(-1) ?? path;
  return { kind: "import", name: field(node, "name")?.text ?? name, path: name, line: node.line };
}

function declaration(node: PlainNode): Statement[] {
  const values = field(node, "value")?.children ?? [];
  return fields(node, "name").map((name, at) => {
    const value = values[at];
    return {
      kind: "declare",
      name: name.text,
      type: goType(node),
      value: value === undefined ? null : goExpression(value),
      line: node.line,
    };
  });
}

function assignment(node: PlainNode): Statement[] {
  const operator = field(node, "operator")?.text ?? "=";
  if (operator === "=") return assignments(node);
  const target = goExpression(field(node, "left")?.children[0]);
  const value = goExpression(field(node, "right")?.children[0]);
  return [
    {
      kind: "run",
      value: augmented(node, target, operatorOf(operator.slice(0, -1)), value),
      line: node.line,
    },
  ];
}

/** Of several results of one call the first is what was asked for; the others tell how it went. */
function assignments(node: PlainNode): Statement[] {
  const targets = field(node, "left")?.children ?? [];
  const values = field(node, "right")?.children ?? [];
  return targets.map((target, at) => {
    const value =
      values.length === targets.length || at === 0 ? goExpression(values[at]) : opaque(target, []);
    return { kind: "run", value: assign(goExpression(target), value, node.line), line: node.line };
  });
}

function assign(target: Expression, value: Expression, line: number): Expression {
  return { kind: "assign", target, value, line };
}

/** The error that comes with a result is not it. */
function returned(node: PlainNode): Expression | null {
  const list = node.children[0];
  return list === undefined ? null : goExpression(list.type === "expression_list" ? list.children[0] : list);
}

function loop(node: PlainNode): Statement[] {
  const body = inside(node, "body");
  const range = ofType(node, "range_clause")[0];
  if (range !== undefined) {
    const targets = field(range, "left")?.children ?? [];
    const element = targets[1];
    const target = element === undefined ? opaque(range, []) : goExpression(element);
    return [{ kind: "each", target, of: goExpression(field(range, "right")), body, line: node.line }];
  }
  const clause = ofType(node, "for_clause")[0];
  const condition =
    clause === undefined ? node.children.find((child) => child.field !== "body") : field(clause, "condition");
  return [
    ...(clause === undefined ? [] : inside(clause, "initializer")),
    {
      kind: "loop",
      test: condition === null || condition === undefined ? null : goExpression(condition),
      body,
      update: clause === undefined ? [] : inside(clause, "update"),
      line: node.line,
    },
  ];
}

function caseOf(node: PlainNode): SwitchCase {
  const values = field(node, "value")?.children.map(goExpression);
  const body = node.children.filter((child) => child.field !== "value").flatMap(goStatements);
  return { tests: node.type === "default_case" ? null : (values ?? []), body, fallsThrough: false };
}

function typeCase(node: PlainNode): SwitchCase {
  const tests = node.type === "default_case" ? null : [opaque(node, [])];
  return { tests, body: node.children.flatMap(goStatements), fallsThrough: false };
}
