/** JavaScript's and TypeScript's expressions as the interpreter reads them. */
import {
  augmented,
  constantAt,
  nameAt,
  numberOf,
  opaque,
  operation,
  operatorOf,
  unescaped,
} from "./adapter.ts";
import { bindings, javascriptStatements } from "./javascript-statements.ts";
import { field, ofType, type PlainNode } from "./plain-tree.ts";
import type { Argument, Expression, FunctionCode, Mark, Parameter, Statement } from "./syntax.ts";

export function translateJavascript(root: PlainNode): readonly Statement[] {
  return root.children.flatMap(javascriptStatements);
}

type Translate = (node: PlainNode) => Expression;

const first: Translate = (node) => javascriptExpression(node.children[0]);
const named: Translate = (node) => nameAt(node, node.text);
const boolean: Translate = (node) => constantAt(node, node.type === "true");
const functionOf: Translate = (node) => ({
  kind: "function",
  code: javascriptFunction(node, []),
  line: node.line,
});

const expressions: Readonly<Record<string, Translate>> = {
  identifier: named,
  this: named,
  shorthand_property_identifier: named,
  shorthand_property_identifier_pattern: named,
  property_identifier: (node) => constantAt(node, node.text),
  string: (node) => constantAt(node, unescaped(node.text.slice(1, -1))),
  template_string: template,
  number: (node) => constantAt(node, numberOf(node.text)),
  true: boolean,
  false: boolean,
  null: (node) => constantAt(node, null),
  undefined: (node) => constantAt(node, null),
  parenthesized_expression: first,
  await_expression: first,
  non_null_expression: first,
  as_expression: first,
  satisfies_expression: first,
  spread_element: first,
  member_expression: (node) => ({
    kind: "member",
    object: part(node, "object"),
    name: field(node, "property")?.text ?? "",
    line: node.line,
  }),
  subscript_expression: (node) => ({
    kind: "index",
    object: part(node, "object"),
    index: part(node, "index"),
    line: node.line,
  }),
  call_expression: (node) => ({
    kind: "call",
    callee: part(node, "function"),
    args: argumentsOf(node),
    creates: false,
    line: node.line,
  }),
  new_expression: (node) => ({
    kind: "call",
    callee: part(node, "constructor"),
    args: argumentsOf(node),
    creates: true,
    line: node.line,
  }),
  binary_expression: binary,
  unary_expression: (node) =>
    operation(node, operatorOf(field(node, "operator")?.text ?? ""), [part(node, "argument")]),
  update_expression: (node) => ({
    kind: "assign",
    target: part(node, "argument"),
    value: opaque(node, []),
    line: node.line,
  }),
  ternary_expression: (node) => ({
    kind: "choice",
    test: part(node, "condition"),
    consequence: part(node, "consequence"),
    alternative: part(node, "alternative"),
    line: node.line,
  }),
  assignment_expression: (node) => ({
    kind: "assign",
    target: part(node, "left"),
    value: part(node, "right"),
    line: node.line,
  }),
  augmented_assignment_expression: (node) =>
    augmented(
      node,
      part(node, "left"),
      operatorOf(field(node, "operator")?.text.slice(0, -1) ?? ""),
      part(node, "right"),
    ),
  array: (node) => ({ kind: "list", items: node.children.map(javascriptExpression), line: node.line }),
  array_pattern: (node) => ({
    kind: "list",
    items: node.children.map(javascriptExpression),
    line: node.line,
  }),
  object,
  arrow_function: functionOf,
  function_expression: functionOf,
  generator_function: functionOf,
};

export function javascriptExpression(node: PlainNode | null | undefined): Expression {
  if (node === null || node === undefined) return { kind: "opaque", parts: [], line: 1 };
  const translate = Object.hasOwn(expressions, node.type) ? expressions[node.type] : undefined;
  return translate?.(node) ?? opaque(node, node.children.map(javascriptExpression));
}

function part(node: PlainNode, name: string): Expression {
  return javascriptExpression(field(node, name));
}

function template(node: PlainNode): Expression {
  const parts = node.children.map((child) =>
    child.type === "template_substitution"
      ? javascriptExpression(child.children[0])
      : constantAt(child, unescaped(child.text)),
  );
  return operation(node, "concat", [constantAt(node, ""), ...parts]);
}

function binary(node: PlainNode): Expression {
  const operator = field(node, "operator")?.text ?? "";
  const sides = [part(node, "left"), part(node, "right")];
  return operator === "in" || operator === "instanceof"
    ? opaque(node, [])
    : operation(node, operatorOf(operator === "??" ? "||" : operator), sides);
}

function argumentsOf(node: PlainNode): Argument[] {
  const given = field(node, "arguments");
  if (given?.type === "template_string") return [{ name: null, value: constantAt(given, "") }];
  return (given?.children ?? []).map((value) => ({ name: null, value: javascriptExpression(value) }));
}

function object(node: PlainNode): Expression {
  const entries = node.children.flatMap((child) => {
    if (child.type === "shorthand_property_identifier")
      return { key: constantAt(child, child.text), value: named(child) };
    if (child.type !== "pair") return [];
    const key = field(child, "key");
    return {
      key: key?.type === "computed_property_name" ? first(key) : javascriptExpression(key),
      value: part(child, "value"),
    };
  });
  const spread = ofType(node, "spread_element").map((child) => ({
    key: opaque(child, []),
    value: first(child),
  }));
  return { kind: "map", entries: [...entries, ...spread], line: node.line };
}

export function javascriptFunction(node: PlainNode, marks: readonly Mark[]): FunctionCode {
  const single = field(node, "parameter");
  const patterns = single === null ? (field(node, "parameters")?.children ?? []) : [single];
  const body = field(node, "body");
  const opening = patterns.flatMap((pattern, at) => {
    const target = field(pattern, "pattern") ?? field(pattern, "left") ?? pattern;
    return target.type.endsWith("_pattern") ? bindings(target, nameAt(target, `parameter ${at}`)) : [];
  });
  const rest: Statement[] =
    body?.type === "statement_block"
      ? body.children.flatMap(javascriptStatements)
      : [{ kind: "return", value: javascriptExpression(body), line: node.line }];
  return {
    name: field(node, "name")?.text ?? "",
    parameters: patterns.map(parameter),
    body: [...opening, ...rest],
    marks,
    line: node.line,
  };
}

function parameter(node: PlainNode, at: number): Parameter {
  const target = field(node, "pattern") ?? field(node, "left") ?? node;
  const type =
    field(node, "type")
      ?.text.replace(/^:\s*/, "")
      .replace(/<[\s\S]*>$/, "") ?? null;
  return {
    name: target.type.endsWith("_pattern") ? `parameter ${at}` : target.text,
    type,
    marks: ofType(node, "decorator").map((mark) => ({
      name: mark.text.replace(/[@(][\s\S]*$/, ""),
      text: mark.text,
    })),
    line: node.line,
  };
}
