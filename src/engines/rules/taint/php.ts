/** PHP's expressions as the interpreter reads them; names of variables keep their `$`. */

import { field, ofType, type PlainNode } from "../parser/plain-tree.ts";
import {
  augmented,
  constantAt,
  hoisted,
  nameAt,
  numberOf,
  opaque,
  operation,
  operatorOf,
  unescaped,
} from "./adapter.ts";
import { classOf, phpStatements, typeOf } from "./php-statements.ts";
import type { Argument, Expression, FunctionCode, Parameter, Statement } from "./syntax.ts";

export function translatePhp(root: PlainNode): readonly Statement[] {
  return hoisted(root.children.flatMap(phpStatements));
}

type Translate = (node: PlainNode) => Expression;

const first: Translate = (node) => phpExpression(node.children[0]);
const named: Translate = (node) => nameAt(node, node.text);
const functionOf: Translate = (node) => ({ kind: "function", code: phpFunction(node), line: node.line });
const member: Translate = (node) => ({
  kind: "member",
  object: part(node, "object"),
  name: field(node, "name")?.text ?? "",
  line: node.line,
});
const ofClass: Translate = (node) => ({
  kind: "member",
  object: scopeOf(node),
  name: node.children[1]?.text ?? "",
  line: node.line,
});
const methodCall: Translate = (node) => called(node, member(node));

/** What is not a function in the grammar but does as one: `echo`, `include`. */
const intrinsic =
  (name: string): Translate =>
  (node) => ({
    kind: "call",
    callee: nameAt(node, name),
    args: node.children.map((child) => ({ name: null, value: phpExpression(child) })),
    creates: false,
    line: node.line,
  });

const expressions: Readonly<Record<string, Translate>> = {
  variable_name: named,
  name: named,
  qualified_name: (node) => nameAt(node, node.text.slice(node.text.lastIndexOf("\\") + 1)),
  string: (node) => constantAt(node, unescaped(node.text.slice(1, -1))),
  string_content: (node) => constantAt(node, unescaped(node.text)),
  string_value: (node) => constantAt(node, node.text),
  encapsed_string: text,
  heredoc: (node) => text(field(node, "value") ?? node),
  nowdoc: (node) => constantAt(node, node.text),
  integer: (node) => constantAt(node, numberOf(node.text)),
  float: (node) => constantAt(node, numberOf(node.text)),
  boolean: (node) => constantAt(node, node.text.toLowerCase() === "true"),
  null: (node) => constantAt(node, null),
  parenthesized_expression: first,
  argument: first,
  subscript_expression: (node) => ({
    kind: "index",
    object: first(node),
    // `$list[] = $name` puts it at the end.
    index: node.children[1] === undefined ? constantAt(node, null) : keyOf(node.children[1]),
    line: node.line,
  }),
  member_access_expression: member,
  nullsafe_member_access_expression: member,
  scoped_property_access_expression: ofClass,
  class_constant_access_expression: ofClass,
  function_call_expression: functionCall,
  member_call_expression: methodCall,
  nullsafe_member_call_expression: methodCall,
  scoped_call_expression: (node) =>
    called(node, {
      kind: "member",
      object: scopeOf(node),
      name: field(node, "name")?.text ?? "",
      line: node.line,
    }),
  object_creation_expression: (node) => ({
    kind: "call",
    callee: phpExpression(node.children.find((child) => child.type !== "arguments")),
    args: argumentsOf(ofType(node, "arguments")[0]),
    creates: true,
    line: node.line,
  }),
  match_expression: match,
  anonymous_class: anonymousClass,
  throw_expression: (node) => opaque(node, node.children.map(phpExpression)),
  clone_expression: first,
  by_ref: first,
  reference_assignment_expression: (node) => ({
    kind: "assign",
    target: part(node, "left"),
    value: part(node, "right"),
    line: node.line,
  }),
  list_literal: destructured,
  sequence_expression: (node) => opaque(node, node.children.map(phpExpression)),
  binary_expression: binary,
  unary_op_expression: (node) =>
    operation(node, operatorOf(field(node, "operator")?.text ?? ""), [part(node, "argument")]),
  update_expression: (node) => ({
    kind: "assign",
    target: part(node, "argument"),
    value: opaque(node, []),
    line: node.line,
  }),
  conditional_expression: (node) => ({
    kind: "choice",
    test: part(node, "condition"),
    consequence: part(node, field(node, "body") === null ? "condition" : "body"),
    alternative: part(node, "alternative"),
    line: node.line,
  }),
  assignment_expression: (node) => ({
    kind: "assign",
    target: part(node, "left"),
    value: part(node, "right"),
    line: node.line,
  }),
  augmented_assignment_expression: assigned,
  cast_expression: (node) => ({
    kind: "cast",
    type: field(node, "type")?.text.toLowerCase() ?? "",
    value: part(node, "value"),
    line: node.line,
  }),
  array_creation_expression: array,
  anonymous_function: functionOf,
  arrow_function: functionOf,
  print_intrinsic: intrinsic("echo"),
  exit_statement: intrinsic("echo"),
  include_expression: intrinsic("include"),
  include_once_expression: intrinsic("include"),
  require_expression: intrinsic("include"),
  require_once_expression: intrinsic("include"),
  shell_command_expression: (node) => ({
    kind: "call",
    callee: nameAt(node, "shell_exec"),
    args: [{ name: null, value: text(node) }],
    creates: false,
    line: node.line,
  }),
};

export function phpExpression(node: PlainNode | null | undefined): Expression {
  if (node === null || node === undefined) return { kind: "opaque", parts: [], line: 1 };
  const translate = Object.hasOwn(expressions, node.type) ? expressions[node.type] : undefined;
  return translate?.(node) ?? opaque(node, node.children.map(phpExpression));
}

function part(node: PlainNode, name: string): Expression {
  return phpExpression(field(node, name));
}

function text(node: PlainNode): Expression {
  return operation(node, "concat", [constantAt(node, ""), ...node.children.map(phpExpression)]);
}

/** `"$row[id]"` has its key without quotes. */
function keyOf(node: PlainNode): Expression {
  return node.type === "name" ? constantAt(node, node.text) : phpExpression(node);
}

function scopeOf(node: PlainNode): Expression {
  const scope = field(node, "scope") ?? node.children[0];
  return scope?.type === "relative_scope" ? nameAt(node, "$this") : phpExpression(scope);
}

/** `[$a, "key" => $b] = …`: only places are known by position. */
function destructured(node: PlainNode): Expression {
  const places = node.children.filter((child) => child.type !== "string" && child.type !== "integer");
  return { kind: "list", items: places.map((child) => phpExpression(child)), line: node.line };
}

/** The arms' values; what is asked decides between them and is in none. */
function match(node: PlainNode): Expression {
  const arms = ofType(
    field(node, "body") ?? node,
    "match_conditional_expression",
    "match_default_expression",
  );
  return arms
    .map((arm) => part(arm, "return_expression"))
    .reduce((rest, value) => ({
      kind: "choice",
      test: opaque(node, []),
      consequence: value,
      alternative: rest,
      line: node.line,
    }));
}

const numeric = /^([-*/%|&^]|\*\*|<<|>>)$/;

/** `+` adds numbers, or joins arrays. */
function isNumeric(operator: string, node: PlainNode): boolean {
  const hasNumber = node.children.some((side) => side.type === "integer" || side.type === "float");
  return numeric.test(operator) || (operator === "+" && hasNumber);
}

function binary(node: PlainNode): Expression {
  const operator = field(node, "operator")?.text ?? "";
  const sides = [part(node, "left"), part(node, "right")];
  const isConstant = sides.every((side) => side.kind === "constant");
  if (isNumeric(operator, node) && !isConstant) return numberFrom(node, sides);
  return operation(node, operatorOf(operator === "??" ? "||" : operator), sides);
}

/** `$id += 0` leaves a number; `$sql .= $name` makes text. */
function assigned(node: PlainNode): Expression {
  const operator = field(node, "operator")?.text.slice(0, -1) ?? "";
  const [left, right] = [part(node, "left"), part(node, "right")];
  if (isNumeric(operator, node))
    return { kind: "assign", target: left, value: numberFrom(node, [left, right]), line: node.line };
  return augmented(node, left, operatorOf(operator === "??" ? "||" : operator), right);
}

function numberFrom(node: PlainNode, sides: readonly Expression[]): Expression {
  const args = sides.map((value) => ({ name: null, value }));
  return { kind: "call", callee: nameAt(node, "intval"), args, creates: false, line: node.line };
}

/** `settype($id, "integer")` changes what it is given. */
function functionCall(node: PlainNode): Expression {
  const name = field(node, "function")?.text ?? "";
  const [first] = argumentsOf(field(node, "arguments"));
  if (name !== "settype" || first === undefined) return called(node, part(node, "function"));
  return { kind: "assign", target: first.value, value: numberFrom(node, [first.value]), line: node.line };
}

/** Its methods are run as those of a declared class. */
function anonymousClass(node: PlainNode): Expression {
  const code = { name: "", parameters: [], body: classOf(node), marks: [], line: node.line };
  return { kind: "function", code, line: node.line };
}

function called(node: PlainNode, callee: Expression): Expression {
  return {
    kind: "call",
    callee,
    args: argumentsOf(field(node, "arguments")),
    creates: false,
    line: node.line,
  };
}

function argumentsOf(node: PlainNode | null | undefined): Argument[] {
  return (node?.children ?? []).map((argument) => ({
    name: field(argument, "name")?.text ?? null,
    value: phpExpression(argument.children.at(-1)),
  }));
}

function array(node: PlainNode): Expression {
  const elements = ofType(node, "array_element_initializer");
  if (elements.every((element) => element.children.length === 1)) {
    return { kind: "list", items: elements.map(first), line: node.line };
  }
  const entries = elements.map((element) => ({
    key: element.children.length === 1 ? opaque(element, []) : first(element),
    value: phpExpression(element.children.at(-1)),
  }));
  return { kind: "map", entries, line: node.line };
}

export function phpFunction(node: PlainNode): FunctionCode {
  const body = field(node, "body");
  return {
    name: field(node, "name")?.text ?? "",
    parameters: (field(node, "parameters")?.children ?? []).map(parameter),
    body:
      body === null
        ? []
        : body.type === "compound_statement"
          ? phpStatements(body)
          : [{ kind: "return", value: phpExpression(body), line: node.line }],
    marks: [],
    line: node.line,
  };
}

function parameter(node: PlainNode): Parameter {
  return {
    name: field(node, "name")?.text ?? "",
    type: typeOf(node),
    marks: [],
    line: node.line,
  };
}
