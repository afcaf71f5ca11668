/** Java's statements and declarations. */

import { field, fields, ofType, type PlainNode } from "../parser/plain-tree.ts";
import { block, opaque } from "./adapter.ts";
import { javaDeclarations, javaExpression, javaFunction, javaType, marksOf } from "./java.ts";
import type { Expression, Statement, SwitchCase } from "./syntax.ts";

type Translate = (node: PlainNode) => Statement[];

/** The methods bear the class's annotations too. */
const classOf: Translate = (node) => {
  const marks = marksOf(node);
  const body = (field(node, "body")?.children ?? []).flatMap(javaStatements).map((member): Statement => {
    if (member.kind !== "function") return member;
    return { ...member, code: { ...member.code, marks: [...member.code.marks, ...marks] } };
  });
  return [{ kind: "class", name: field(node, "name")?.text ?? "", body, line: node.line }];
};
const definition: Translate = (node) => [{ kind: "function", code: javaFunction(node), line: node.line }];
const inner: Translate = (node) => [block(node, node.children.flatMap(javaStatements))];

const statements: Readonly<Record<string, Translate>> = {
  block: inner,
  constructor_body: inner,
  class_declaration: classOf,
  record_declaration: classOf,
  enum_declaration: classOf,
  interface_declaration: classOf,
  method_declaration: definition,
  constructor_declaration: definition,
  field_declaration: javaDeclarations,
  local_variable_declaration: javaDeclarations,
  constant_declaration: javaDeclarations,
  expression_statement: (node) =>
    node.children[0]?.type === "switch_expression"
      ? [switchOf(node.children[0])]
      : [{ kind: "run", value: javaExpression(node.children[0]), line: node.line }],
  switch_expression: (node) => [switchOf(node)],
  if_statement: (node) => [
    {
      kind: "if",
      test: javaExpression(field(node, "condition")),
      consequence: inside(node, "consequence"),
      alternative: inside(node, "alternative"),
      line: node.line,
    },
  ],
  while_statement: (node) => [loopOf(node, javaExpression(field(node, "condition")), inside(node, "body"))],
  do_statement: (node) => [loopOf(node, null, [...inside(node, "body"), exitUnless(node)])],
  for_statement: forLoop,
  enhanced_for_statement: (node) => [forEach(node)],
  return_statement: (node) => [
    {
      kind: "return",
      value: node.children[0] === undefined ? null : javaExpression(node.children[0]),
      line: node.line,
    },
  ],
  throw_statement: (node) => [{ kind: "throw", value: javaExpression(node.children[0]), line: node.line }],
  break_statement: (node) => [{ kind: "break", line: node.line }],
  continue_statement: (node) => [{ kind: "continue", line: node.line }],
  try_statement: (node) => [tryOf(node)],
  try_with_resources_statement: (node) => [tryOf(node)],
  synchronized_statement: (node) => inside(node, "body"),
  labeled_statement: (node) => node.children.slice(1).flatMap(javaStatements),
};

export function javaStatements(node: PlainNode): Statement[] {
  const translate = Object.hasOwn(statements, node.type) ? statements[node.type] : undefined;
  return translate?.(node) ?? [];
}

function loopOf(node: PlainNode, test: Expression | null, body: readonly Statement[]): Statement {
  return { kind: "loop", test, body, update: [], line: node.line };
}

function inside(node: PlainNode, name: string): Statement[] {
  const found = field(node, name);
  return found === null ? [] : javaStatements(found);
}

/** At the end of a `do` loop's body. */
function exitUnless(node: PlainNode): Statement {
  const test = javaExpression(field(node, "condition"));
  return {
    kind: "if",
    test,
    consequence: [],
    alternative: [{ kind: "break", line: node.line }],
    line: node.line,
  };
}

function forLoop(node: PlainNode): Statement[] {
  const start = fields(node, "init").flatMap((init) =>
    init.type === "local_variable_declaration"
      ? javaDeclarations(init)
      : [{ kind: "run" as const, value: javaExpression(init), line: init.line }],
  );
  const condition = field(node, "condition");
  const update = fields(node, "update").map(
    (one): Statement => ({ kind: "run", value: javaExpression(one), line: one.line }),
  );
  const test = condition === null ? null : javaExpression(condition);
  return [...start, { kind: "loop", test, body: inside(node, "body"), update, line: node.line }];
}

function forEach(node: PlainNode): Statement {
  const name = field(node, "name");
  const of = javaExpression(field(node, "value"));
  const type = javaType(field(node, "type"));
  const target = { kind: "name" as const, name: name?.text ?? "", line: node.line };
  const typed: Statement[] =
    type === null ? [] : [{ kind: "declare", name: target.name, type, value: target, line: node.line }];
  return { kind: "each", target, of, body: [...typed, ...inside(node, "body")], line: node.line };
}

function tryOf(node: PlainNode): Statement {
  const resources = (field(node, "resources")?.children ?? []).flatMap((resource): Statement[] => {
    const value = field(resource, "value");
    if (value === null) return [];
    const name = field(resource, "name")?.text ?? "";
    return [
      {
        kind: "declare",
        name,
        type: javaType(field(resource, "type")),
        value: javaExpression(value),
        line: resource.line,
      },
    ];
  });
  return {
    kind: "try",
    body: [...resources, ...inside(node, "body")],
    handlers: ofType(node, "catch_clause").map((handler) => inside(handler, "body")),
    last: ofType(node, "finally_clause").flatMap((clause) => clause.children.flatMap(javaStatements)),
    line: node.line,
  };
}

function switchOf(node: PlainNode): Statement {
  const groups = ofType(field(node, "body") ?? node, "switch_block_statement_group", "switch_rule");
  return {
    kind: "switch",
    subject: javaExpression(field(node, "condition")),
    cases: groups.map(caseOf),
    line: node.line,
  };
}

function caseOf(group: PlainNode): SwitchCase {
  const labels = ofType(group, "switch_label");
  const tests = labels.flatMap((label) =>
    label.children.map((test) => (test.type === "pattern" ? opaque(test, []) : javaExpression(test))),
  );
  const isDefault = labels.some((label) => label.children.length === 0);
  const isRule = group.type === "switch_rule";
  const body = group.children.filter((child) => child.type !== "switch_label").flatMap(javaStatements);
  return { tests: isDefault ? null : tests, body, fallsThrough: !isRule };
}
