/** Python's expressions as the interpreter reads them; its statements are in python-statements.ts. */

import { field, fields, ofType, type PlainNode } from "../parser/plain-tree.ts";
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
import { pythonStatements } from "./python-statements.ts";
import type { Argument, Expression, FunctionCode, Mark, Parameter, Statement } from "./syntax.ts";

export function translatePython(root: PlainNode): readonly Statement[] {
  return root.children.flatMap(pythonStatements);
}

type Translate = (node: PlainNode) => Expression;

const expressions: Readonly<Record<string, Translate>> = {
  identifier: (node) => nameAt(node, node.text),
  string: text,
  concatenated_string: (node) => operation(node, "concat", node.children.map(pythonExpression)),
  integer: (node) => constantAt(node, numberOf(node.text)),
  float: (node) => constantAt(node, numberOf(node.text)),
  true: (node) => constantAt(node, true),
  false: (node) => constantAt(node, false),
  none: (node) => constantAt(node, null),
  parenthesized_expression: (node) => pythonExpression(node.children[0]),
  expression_statement: (node) => pythonExpression(node.children[0]),
  await: (node) => pythonExpression(node.children[0]),
  attribute: (node) => ({
    kind: "member",
    object: pythonExpression(field(node, "object")),
    name: field(node, "attribute")?.text ?? "",
    line: node.line,
  }),
  subscript,
  call,
  binary_operator: (node) => binary(node),
  boolean_operator: (node) => binary(node),
  not_operator: (node) => operation(node, "not", [pythonExpression(field(node, "argument"))]),
  unary_operator: (node) =>
    operation(node, operatorOf(field(node, "operator")?.text ?? ""), [
      pythonExpression(field(node, "argument")),
    ]),
  comparison_operator: comparison,
  conditional_expression: (node) => ({
    kind: "choice",
    consequence: pythonExpression(node.children[0]),
    test: pythonExpression(node.children[1]),
    alternative: pythonExpression(node.children[2]),
    line: node.line,
  }),
  assignment: (node) => ({
    kind: "assign",
    target: pythonExpression(field(node, "left")),
    value: pythonExpression(field(node, "right")),
    line: node.line,
  }),
  named_expression: (node) => ({
    kind: "assign",
    target: pythonExpression(field(node, "name")),
    value: pythonExpression(field(node, "value")),
    line: node.line,
  }),
  augmented_assignment: (node) =>
    augmented(
      node,
      pythonExpression(field(node, "left")),
      operatorOf(field(node, "operator")?.text.slice(0, -1) ?? ""),
      pythonExpression(field(node, "right")),
    ),
  list,
  tuple: list,
  set: list,
  expression_list: list,
  pattern_list: list,
  tuple_pattern: list,
  list_pattern: list,
  dictionary: (node) => ({
    kind: "map",
    entries: ofType(node, "pair").map((pair) => ({
      key: pythonExpression(field(pair, "key")),
      value: pythonExpression(field(pair, "value")),
    })),
    line: node.line,
  }),
  list_comprehension: comprehension,
  set_comprehension: comprehension,
  generator_expression: comprehension,
  dictionary_comprehension: comprehension,
  lambda: (node) => ({ kind: "function", code: lambda(node), line: node.line }),
};

export function pythonExpression(node: PlainNode | null | undefined): Expression {
  if (node === null || node === undefined) return { kind: "opaque", parts: [], line: 1 };
  const translate = Object.hasOwn(expressions, node.type) ? expressions[node.type] : undefined;
  return translate?.(node) ?? opaque(node, node.children.map(pythonExpression));
}

function list(node: PlainNode): Expression {
  return { kind: "list", items: node.children.map(pythonExpression), line: node.line };
}

function text(node: PlainNode): Expression {
  const parts = node.children.flatMap((child): Expression[] => {
    if (child.type === "string_content") return [constantAt(child, unescaped(child.text))];
    if (child.type !== "interpolation") return [];
    return [pythonExpression(field(child, "expression"))];
  });
  const [first] = parts;
  if (first === undefined) return constantAt(node, "");
  return parts.length === 1 && first.kind === "constant" ? first : operation(node, "concat", parts);
}

function subscript(node: PlainNode): Expression {
  const object = pythonExpression(field(node, "value"));
  const index = field(node, "subscript");
  if (index?.type !== "slice")
    return { kind: "index", object, index: pythonExpression(index), line: node.line };
  // `[from:to]`: which of the two is missing, the text tells.
  const [before = "", after = ""] = index.text.split(":");
  const children = [...index.children];
  const from = before.trim() === "" ? null : pythonExpression(children.shift());
  const to = after.trim() === "" ? null : pythonExpression(children.shift());
  return { kind: "slice", object, from, to, line: node.line };
}

function call(node: PlainNode): Expression {
  const given = field(node, "arguments");
  const parts: readonly PlainNode[] =
    given?.type === "argument_list" ? given.children : given === null ? [] : [given];
  const args = parts.map(
    (argument): Argument =>
      argument.type === "keyword_argument"
        ? { name: field(argument, "name")?.text ?? "", value: pythonExpression(field(argument, "value")) }
        : { name: null, value: pythonExpression(argument) },
  );
  return {
    kind: "call",
    callee: pythonExpression(field(node, "function")),
    args,
    creates: false,
    line: node.line,
  };
}

function binary(node: PlainNode): Expression {
  const operator = operatorOf(field(node, "operator")?.text ?? "");
  return operation(node, operator, [
    pythonExpression(field(node, "left")),
    pythonExpression(field(node, "right")),
  ]);
}

/** `a < b < c` compares its neighbors. */
function comparison(node: PlainNode): Expression {
  const operators = fields(node, "operators").map((one) => one.text.replace(/\s+/g, " "));
  const operands = node.children.filter((child) => child.field !== "operators").map(pythonExpression);
  const parts = operators.map((operator, at) => {
    const pair = [operands[at] ?? opaque(node, []), operands[at + 1] ?? opaque(node, [])];
    if (operator === "not in") return operation(node, "not", [operation(node, "in", pair)]);
    return operation(node, operatorOf(operator), pair);
  });
  const [single, ...more] = parts;
  return more.length === 0 && single !== undefined ? single : operation(node, "and", parts);
}

/** Its elements are what the expression makes of those it goes through. */
function comprehension(node: PlainNode): Expression {
  const loops = ofType(node, "for_in_clause").map(
    (clause): Expression => ({
      kind: "assign",
      target: pythonExpression(field(clause, "left")),
      value: opaque(clause, [pythonExpression(field(clause, "right"))]),
      line: clause.line,
    }),
  );
  const body = field(node, "body");
  const parts = body?.type === "pair" ? body.children.map(pythonExpression) : [pythonExpression(body)];
  // The clauses run first, for the names that they bind, and are not part of the result.
  const bound = loops.map((loop) => operation(node, "==", [loop, constantAt(node, null)]));
  return opaque(node, [...bound, ...parts]);
}

function lambda(node: PlainNode): FunctionCode {
  const body = pythonExpression(field(node, "body"));
  return {
    name: "",
    parameters: parametersOf(field(node, "parameters")),
    body: [{ kind: "return", value: body, line: node.line }],
    marks: [],
    line: node.line,
  };
}

export function pythonFunction(node: PlainNode, marks: readonly Mark[]): FunctionCode {
  return {
    name: field(node, "name")?.text ?? "",
    parameters: parametersOf(field(node, "parameters")),
    body: (field(node, "body")?.children ?? []).flatMap(pythonStatements),
    marks,
    line: node.line,
  };
}

function parametersOf(node: PlainNode | null): Parameter[] {
  return (node?.children ?? []).map((child) => {
    const name = child.type === "identifier" ? child : (field(child, "name") ?? child.children[0] ?? child);
    return {
      name: name.text,
      type: field(child, "type")?.text ?? null,
      marks: [{ name: "default", text: field(child, "value")?.text ?? "" }],
      line: child.line,
    };
  });
}
