/** PHP's statements. */

import { field, fields, ofType, type PlainNode } from "../parser/plain-tree.ts";
import { nameAt, opaque } from "./adapter.ts";
import { phpExpression, phpFunction } from "./php.ts";
import type { Statement, SwitchCase } from "./syntax.ts";

type Translate = (node: PlainNode) => Statement[];

const inner: Translate = (node) => node.children.flatMap(phpStatements);
const definition: Translate = (node) => [{ kind: "function", code: phpFunction(node), line: node.line }];
export const classOf: Translate = (node) => [
  { kind: "class", name: field(node, "name")?.text ?? "", body: inside(node, "body"), line: node.line },
];

const statements: Readonly<Record<string, Translate>> = {
  compound_statement: inner,
  declaration_list: inner,
  enum_declaration_list: inner,
  enum_declaration: (node) => classOf(node),
  colon_block: inner,
  namespace_definition: (node) => inside(node, "body"),
  expression_statement: expressionStatement,
  echo_statement: (node) =>
    node.children.map((value) => ({ kind: "run", value: echo(value), line: value.line })),
  function_definition: definition,
  method_declaration: (node) => [...fieldsOfConstructor(node), ...definition(node)],
  class_declaration: classOf,
  trait_declaration: classOf,
  property_declaration: propertyOf,
  if_statement: (node) => [ifOf(node, fields(node, "alternative"))],
  while_statement: (node) => [
    {
      kind: "loop",
      test: phpExpression(field(node, "condition")),
      body: inside(node, "body"),
      update: [],
      line: node.line,
    },
  ],
  do_statement: (node) => [...inside(node, "body"), ...(statements.while_statement?.(node) ?? [])],
  for_statement: (node) => [
    ...fields(node, "initialize").map(
      (one): Statement => ({ kind: "run", value: phpExpression(one), line: one.line }),
    ),
    {
      kind: "loop",
      test: field(node, "condition") === null ? null : phpExpression(field(node, "condition")),
      body: inside(node, "body"),
      update: fields(node, "update").map((one) => ({
        kind: "run",
        value: phpExpression(one),
        line: one.line,
      })),
      line: node.line,
    },
  ],
  foreach_statement: forEach,
  switch_statement: (node) => [
    {
      kind: "switch",
      subject: phpExpression(field(node, "condition")),
      cases: ofType(field(node, "body") ?? node, "case_statement", "default_statement").map(caseOf),
      line: node.line,
    },
  ],
  try_statement: (node) => [
    {
      kind: "try",
      body: inside(node, "body"),
      handlers: ofType(node, "catch_clause").map((handler) => inside(handler, "body")),
      last: ofType(node, "finally_clause").flatMap((clause) => inside(clause, "body")),
      line: node.line,
    },
  ],
  return_statement: (node) => [
    {
      kind: "return",
      value: node.children[0] === undefined ? null : phpExpression(node.children[0]),
      line: node.line,
    },
  ],
  exit_statement: (node) => [
    ...node.children.map((value): Statement => ({ kind: "run", value: echo(value), line: node.line })),
    { kind: "throw", value: null, line: node.line },
  ],
  break_statement: (node) => [{ kind: "break", line: node.line }],
  continue_statement: (node) => [{ kind: "continue", line: node.line }],
};

export function phpStatements(node: PlainNode): Statement[] {
  const translate = Object.hasOwn(statements, node.type) ? statements[node.type] : undefined;
  return translate?.(node) ?? [];
}

function inside(node: PlainNode, name: string): Statement[] {
  const found = field(node, name);
  return found === null ? [] : phpStatements(found);
}

function echo(value: PlainNode) {
  const args = [{ name: null, value: phpExpression(value) }];
  return { kind: "call" as const, callee: nameAt(value, "echo"), args, creates: false, line: value.line };
}

function expressionStatement(node: PlainNode): Statement[] {
  const [only] = node.children;
  if (only === undefined) return [];
  if (only.type === "throw_expression")
    return [{ kind: "throw", value: phpExpression(only.children[0]), line: node.line }];
  const run: Statement = { kind: "run", value: phpExpression(only), line: node.line };
  const ends = only.type === "exit_statement" || /^(die|exit)\b/i.test(only.text);
  return ends ? [run, { kind: "throw", value: null, line: node.line }] : [run];
}

function ifOf(node: PlainNode, clauses: readonly PlainNode[]): Statement {
  const [next, ...rest] = clauses;
  const alternative =
    next === undefined ? [] : next.type === "else_clause" ? inside(next, "body") : [ifOf(next, rest)];
  return {
    kind: "if",
    test: phpExpression(field(node, "condition")),
    consequence: inside(node, "body"),
    alternative,
    line: node.line,
  };
}

function forEach(node: PlainNode): Statement[] {
  const [of, element] = node.children.filter((child) => child.field !== "body");
  const target = element?.type === "pair" ? element.children.at(-1) : element;
  return [
    {
      kind: "each",
      target: target === undefined ? opaque(node, []) : phpExpression(target),
      of: phpExpression(of),
      body: inside(node, "body"),
      line: node.line,
    },
  ];
}

function caseOf(node: PlainNode): SwitchCase {
  const value = field(node, "value");
  return {
    tests: value === null ? null : [phpExpression(value)],
    body: node.children.filter((child) => child.field !== "value").flatMap(phpStatements),
    fallsThrough: true,
  };
}

/** `private PDO $db;` is `$this->db`. */
function propertyOf(node: PlainNode): Statement[] {
  const type = typeOf(node);
  return ofType(node, "property_element").map((element) => {
    const name = (field(element, "name")?.text ?? "").replace(/^\$/, "");
    return { kind: "declare", name: `$this.${name}`, type, value: null, line: node.line };
  });
}

/** `__construct(private Connection $connection)` declares `$this->connection`. */
function fieldsOfConstructor(method: PlainNode): Statement[] {
  const parameters = field(method, "parameters") ?? method;
  return ofType(parameters, "property_promotion_parameter").map((parameter) => ({
    kind: "declare",
    name: `$this.${(field(parameter, "name")?.text ?? "").replace(/^\$/, "")}`,
    type: typeOf(parameter),
    value: null,
    line: parameter.line,
  }));
}

/** A declared type by its last name: `Request` of `?Illuminate\Http\Request`. */
export function typeOf(node: PlainNode): string | null {
  const type = field(node, "type")?.text.replace(/^\?/, "") ?? null;
  return type === null ? null : type.slice(type.lastIndexOf("\\") + 1);
}
