/** Go's statements. */

import { field, fields, ofType, type PlainNode } from "../parser/plain-tree.ts";
import { augmented, constantAt, opaque, operatorOf } from "./adapter.ts";
import { goExpression, goFunction, goType } from "./go.ts";
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
  inc_statement: counted,
  dec_statement: counted,
  type_declaration: (node) => ofType(node, "type_spec").flatMap(fieldsOf),
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

/** A package is named after the last part of its path, without its version; two are called `template`. */
function importOf(node: PlainNode): Statement {
  const path = field(node, "path")?.text.slice(1, -1) ?? "";
  const name =
    path
      .replace(/\/v\d+$/, "")
      .split("/")
      .at(-1) ?? path;
  const known = path === "text/template" ? path : name;
  return { kind: "import", name: field(node, "name")?.text ?? name, path: known, line: node.line };
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

function assignments(node: PlainNode): Statement[] {
  const targets = field(node, "left")?.children ?? [];
  const values = field(node, "right")?.children ?? [];
  const [single] = values;
  const isOne = targets.length > 1 && values.length === 1 && single !== undefined;
  return targets.map((target, at) => {
    const value = isOne ? resultOf(goExpression(single), at, node.line) : goExpression(values[at]);
    return { kind: "run", value: assign(goExpression(target), value, node.line), line: node.line };
  });
}

function resultOf(of: Expression, at: number, line: number): Expression {
  return { kind: "result", of, at, line };
}

function counted(node: PlainNode): Statement[] {
  return [
    {
      kind: "run",
      value: assign(goExpression(node.children[0]), opaque(node, []), node.line),
      line: node.line,
    },
  ];
}

/** `type Query struct { Name, City string }` */
function fieldsOf(node: PlainNode): Statement[] {
  const list = ofType(field(node, "type") ?? node, "field_declaration_list")[0];
  if (list === undefined) return [];
  const types = ofType(list, "field_declaration").flatMap((declared) =>
    fields(declared, "name").map((name): [string, string] => [name.text, goType(declared) ?? ""]),
  );
  return [{ kind: "fields", name: field(node, "name")?.text ?? "", types: new Map(types), line: node.line }];
}

function assign(target: Expression, value: Expression, line: number): Expression {
  return { kind: "assign", target, value, line };
}

function returned(node: PlainNode): Expression | null {
  const list = node.children[0];
  if (list?.type !== "expression_list") return list === undefined ? null : goExpression(list);
  const [single, ...others] = list.children.map(goExpression);
  if (single === undefined || others.length === 0) return single ?? null;
  return { kind: "results", items: [single, ...others], line: node.line };
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
