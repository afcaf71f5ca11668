/** Java as the interpreter reads it. */

import { field, fields, ofType, type PlainNode } from "../parser/plain-tree.ts";
import {
  augmented,
  block,
  constantAt,
  nameAt,
  numberOf,
  opaque,
  operation,
  operatorOf,
  unescaped,
} from "./adapter.ts";
import { javaStatements } from "./java-statements.ts";
import type { Argument, Expression, FunctionCode, Mark, Parameter, Statement } from "./syntax.ts";

export function translateJava(root: PlainNode): readonly Statement[] {
  return root.children.flatMap(javaStatements);
}

/** `java.util.List<String>` → `List`; `byte[]` stays `byte[]`. */
export function javaType(node: PlainNode | null): string | null {
  if (node === null) return null;
  const plain = node.text
    .replace(/<[\s\S]*>/, "")
    .replace(/\s/g, "")
    .replace(/^@\w+/, "");
  return plain.slice(plain.lastIndexOf(".") + 1);
}

type Translate = (node: PlainNode) => Expression;

const named: Translate = (node) => nameAt(node, node.text);
const first: Translate = (node) => javaExpression(node.children[0]);
const number: Translate = (node) => constantAt(node, numberOf(node.text));
const boolean: Translate = (node) => constantAt(node, node.type === "true");

const expressions: Readonly<Record<string, Translate>> = {
  identifier: named,
  type_identifier: named,
  this: named,
  super: (node) => nameAt(node, "this"),
  string_literal: (node) => constantAt(node, unescaped(node.text.replace(/^"+|"+$/g, ""))),
  character_literal: (node) => constantAt(node, unescaped(node.text.slice(1, -1))),
  decimal_integer_literal: number,
  decimal_floating_point_literal: number,
  hex_integer_literal: number,
  true: boolean,
  false: boolean,
  null_literal: (node) => constantAt(node, null),
  parenthesized_expression: first,
  expression_statement: first,
  field_access: member,
  scoped_identifier: member,
  array_access: (node) => ({
    kind: "index",
    object: part(node, "array"),
    index: part(node, "index"),
    line: node.line,
  }),
  method_invocation: call,
  object_creation_expression: call,
  binary_expression: (node) =>
    operation(node, operatorOf(field(node, "operator")?.text ?? ""), [
      part(node, "left"),
      part(node, "right"),
    ]),
  unary_expression: (node) =>
    operation(node, operatorOf(field(node, "operator")?.text ?? ""), [part(node, "operand")]),
  ternary_expression: (node) => ({
    kind: "choice",
    test: part(node, "condition"),
    consequence: part(node, "consequence"),
    alternative: part(node, "alternative"),
    line: node.line,
  }),
  assignment_expression: assignment,
  update_expression: (node) => ({
    kind: "assign",
    target: first(node),
    value: opaque(node, []),
    line: node.line,
  }),
  cast_expression: (node) => ({
    kind: "cast",
    type: javaType(field(node, "type")) ?? "",
    value: part(node, "value"),
    line: node.line,
  }),
  array_creation_expression: (node) => part(node, "value"),
  array_initializer: (node) => ({ kind: "list", items: node.children.map(javaExpression), line: node.line }),
  lambda_expression: (node) => ({ kind: "function", code: lambda(node), line: node.line }),
  instanceof_expression: (node) => opaque(node, []),
  switch_expression: (node) =>
    opaque(
      node,
      ofType(field(node, "body") ?? node, "switch_rule").map((rule) => javaExpression(rule.children.at(-1))),
    ),
};

export function javaExpression(node: PlainNode | null | undefined): Expression {
  if (node === null || node === undefined) return { kind: "opaque", parts: [], line: 1 };
  const translate = Object.hasOwn(expressions, node.type) ? expressions[node.type] : undefined;
  if (translate !== undefined) return translate(node);
  return opaque(node, node.children.filter((child) => !child.type.endsWith("type")).map(javaExpression));
}

function part(node: PlainNode, name: string): Expression {
  return javaExpression(field(node, name));
}

/** `java.nio.file.Files` is named as an import would have it: `Files`. */
function member(node: PlainNode): Expression {
  const qualified = /^(?:[a-z]\w*\s*\.\s*)+(?<type>[A-Z]\w*)$/.exec(node.text)?.groups?.type;
  if (qualified !== undefined) return nameAt(node, qualified);
  const [object = null, name] = [
    field(node, "object") ?? field(node, "scope"),
    field(node, "field") ?? field(node, "name"),
  ];
  return { kind: "member", object: javaExpression(object), name: name?.text ?? "", line: node.line };
}

function call(node: PlainNode): Expression {
  const args = (field(node, "arguments")?.children ?? []).map(
    (value): Argument => ({ name: null, value: javaExpression(value) }),
  );
  if (node.type === "object_creation_expression") {
    const callee = nameAt(node, javaType(field(node, "type")) ?? "");
    return { kind: "call", callee, args, creates: true, line: node.line };
  }
  const object = field(node, "object");
  const name = field(node, "name")?.text ?? "";
  const callee: Expression =
    object === null
      ? nameAt(node, name)
      : { kind: "member", object: javaExpression(object), name, line: node.line };
  return { kind: "call", callee, args, creates: false, line: node.line };
}

function assignment(node: PlainNode): Expression {
  const target = javaExpression(field(node, "left"));
  const value = javaExpression(field(node, "right"));
  const operator = field(node, "operator")?.text ?? "=";
  if (operator === "=") return { kind: "assign", target, value, line: node.line };
  return augmented(node, target, operatorOf(operator.slice(0, -1)), value);
}

function lambda(node: PlainNode): FunctionCode {
  const parameters = field(node, "parameters");
  const body = field(node, "body");
  const names: readonly PlainNode[] =
    parameters === null ? [] : parameters.type === "identifier" ? [parameters] : parameters.children;
  return {
    name: "",
    parameters: names.map(parameter),
    body:
      body?.type === "block"
        ? javaStatements(body)
        : [{ kind: "return", value: javaExpression(body), line: node.line }],
    marks: [],
    line: node.line,
  };
}

export function javaFunction(node: PlainNode): FunctionCode {
  const body = field(node, "body");
  return {
    name: field(node, "name")?.text ?? "",
    parameters: ofType(field(node, "parameters") ?? node, "formal_parameter", "spread_parameter").map(
      parameter,
    ),
    body: body === null ? [] : [block(body, body.children.flatMap(javaStatements))],
    marks: marksOf(node),
    line: node.line,
  };
}

function parameter(node: PlainNode): Parameter {
  if (node.type === "identifier") return { name: node.text, type: null, marks: [], line: node.line };
  const name = field(node, "name") ?? ofType(node, "variable_declarator")[0];
  return {
    name: name?.text ?? "",
    type: javaType(field(node, "type")),
    marks: marksOf(node),
    line: node.line,
  };
}

export function marksOf(node: PlainNode): Mark[] {
  const modifiers = ofType(node, "modifiers")[0];
  if (modifiers === undefined) return [];
  return ofType(modifiers, "annotation", "marker_annotation").map((mark) => ({
    name: field(mark, "name")?.text ?? "",
    text: mark.text,
  }));
}

export function javaDeclarations(node: PlainNode): Statement[] {
  const type = javaType(field(node, "type"));
  return fields(node, "declarator").map((declarator) => {
    const value = field(declarator, "value");
    return {
      kind: "declare",
      name: field(declarator, "name")?.text ?? "",
      type,
      value: value === null ? null : javaExpression(value),
      line: declarator.line,
    };
  });
}
