/** Go's expressions as the interpreter reads them. */

import { field, fields, ofType, type PlainNode } from "../parser/plain-tree.ts";
import { constantAt, nameAt, numberOf, opaque, operation, operatorOf, unescaped } from "./adapter.ts";
import { goStatements } from "./go-statements.ts";
import type { Expression, FunctionCode, Parameter, Statement } from "./syntax.ts";

/** Methods stand beside their types: those of one receiver type are its class. */
export function translateGo(root: PlainNode): readonly Statement[] {
  const methods = Map.groupBy(ofType(root, "method_declaration"), (node) => goType(receiverOf(node)) ?? "");
  const classes = [...methods].map(
    ([name, nodes]): Statement => ({
      kind: "class",
      name,
      body: nodes.map((node) => ({ kind: "function", code: goFunction(node), line: node.line })),
      line: nodes[0]?.line ?? 1,
    }),
  );
  return [...root.children.flatMap(goStatements), ...classes];
}

function receiverOf(node: PlainNode): PlainNode | null {
  return ofType(field(node, "receiver") ?? node, "parameter_declaration")[0] ?? null;
}

type Translate = (node: PlainNode) => Expression;

const named: Translate = (node) => nameAt(node, node.text);
const first: Translate = (node) => goExpression(node.children[0]);
const boolean: Translate = (node) => constantAt(node, node.type === "true");

const expressions: Readonly<Record<string, Translate>> = {
  identifier: named,
  field_identifier: (node) => constantAt(node, node.text),
  interpreted_string_literal: (node) => constantAt(node, unescaped(node.text.slice(1, -1))),
  raw_string_literal: (node) => constantAt(node, node.text.slice(1, -1)),
  rune_literal: (node) => constantAt(node, unescaped(node.text.slice(1, -1))),
  int_literal: (node) => constantAt(node, numberOf(node.text)),
  float_literal: (node) => constantAt(node, numberOf(node.text)),
  true: boolean,
  false: boolean,
  nil: (node) => constantAt(node, null),
  parenthesized_expression: first,
  literal_element: first,
  selector_expression: (node) => ({
    kind: "member",
    object: part(node, "operand"),
    name: field(node, "field")?.text ?? "",
    line: node.line,
  }),
  index_expression: (node) => ({
    kind: "index",
    object: part(node, "operand"),
    index: part(node, "index"),
    line: node.line,
  }),
  slice_expression: (node) => ({
    kind: "slice",
    object: part(node, "operand"),
    from: field(node, "start") === null ? null : part(node, "start"),
    to: field(node, "end") === null ? null : part(node, "end"),
    line: node.line,
  }),
  call_expression: call,
  type_conversion_expression: (node) => ({
    kind: "cast",
    type: goType(node) ?? "",
    value: part(node, "operand"),
    line: node.line,
  }),
  type_assertion_expression: (node) => part(node, "operand"),
  binary_expression: (node) =>
    operation(node, operatorOf(field(node, "operator")?.text ?? ""), [
      part(node, "left"),
      part(node, "right"),
    ]),
  unary_expression: (node) =>
    field(node, "operator")?.text === "!"
      ? operation(node, "not", [part(node, "operand")])
      : part(node, "operand"),
  composite_literal: composite,
  func_literal: (node) => ({ kind: "function", code: goFunction(node), line: node.line }),
};

export function goExpression(node: PlainNode | null | undefined): Expression {
  if (node === null || node === undefined) return { kind: "opaque", parts: [], line: 1 };
  const translate = Object.hasOwn(expressions, node.type) ? expressions[node.type] : undefined;
  return translate?.(node) ?? opaque(node, node.children.map(goExpression));
}

function part(node: PlainNode, name: string): Expression {
  return goExpression(field(node, name));
}

/** `[]byte(x)` and the like are calls in Go's grammar. */
function call(node: PlainNode): Expression {
  const callee = part(node, "function");
  const given = field(node, "arguments")?.children ?? [];
  const args = given.map((value) => ({ name: null, value: goExpression(value) }));
  return { kind: "call", callee, args, creates: false, line: node.line };
}

function composite(node: PlainNode): Expression {
  const elements = field(node, "body")?.children ?? [];
  const type = field(node, "type");
  if (type !== null && /^(slice|array|implicit_length_array)_type$/.test(type.type)) {
    return { kind: "list", items: elements.map(goExpression), line: node.line };
  }
  const entries = ofType(field(node, "body") ?? node, "keyed_element").map((element) => {
    const key = field(element, "key")?.children[0];
    return {
      key: key?.type === "identifier" ? constantAt(element, key.text) : goExpression(key),
      value: part(element, "value"),
    };
  });
  const made: Expression = { kind: "map", entries, line: node.line };
  if (type === null || type.type === "map_type") return made;
  return { kind: "cast", type: type.text, value: made, line: node.line };
}

/** `*http.Request` → `http.Request` */
export function goType(node: PlainNode | null): string | null {
  const type = node === null ? null : field(node, "type");
  return type === null ? null : type.text.replace(/^(\*|\.\.\.)+/, "");
}

export function goFunction(node: PlainNode): FunctionCode {
  const receiver = receiverOf(node);
  const receives = field(node, "receiver") === null || receiver === null ? [] : parametersOf(receiver);
  const body = field(node, "body");
  const self = receives.map(
    (parameter): Statement => ({
      kind: "declare",
      name: parameter.name,
      type: parameter.type,
      value: null,
      line: node.line,
    }),
  );
  return {
    name: field(node, "name")?.text ?? "",
    parameters: ofType(
      field(node, "parameters") ?? node,
      "parameter_declaration",
      "variadic_parameter_declaration",
    ).flatMap(parametersOf),
    body: [...self, ...(body === null ? [] : goStatements(body))],
    marks: [],
    line: node.line,
  };
}

function parametersOf(node: PlainNode): Parameter[] {
  return fields(node, "name").map((name) => ({
    name: name.text,
    type: goType(node),
    marks: [],
    line: node.line,
  }));
}
