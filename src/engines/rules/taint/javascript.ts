/** JavaScript's and TypeScript's expressions as the interpreter reads them. */

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
import { bindings, classOf, javascriptStatements, moduleOf, typeOf } from "./javascript-statements.ts";
import type { Argument, Expression, FunctionCode, Mark, Parameter, Statement } from "./syntax.ts";

export function translateJavascript(root: PlainNode): readonly Statement[] {
  return hoisted(root.children.flatMap(javascriptStatements));
}

type Translate = (node: PlainNode) => Expression;

const first: Translate = (node) => javascriptExpression(node.children[0]);
const named: Translate = (node) => nameAt(node, node.text);
const boolean: Translate = (node) => constantAt(node, node.type === "true");
function functionOf(node: PlainNode, marks: readonly Mark[] = []): Expression {
  return { kind: "function", code: javascriptFunction(node, marks), line: node.line };
}

const expressions: Readonly<Record<string, Translate>> = {
  identifier: named,
  this: named,
  shorthand_property_identifier: named,
  shorthand_property_identifier_pattern: named,
  property_identifier: (node) => constantAt(node, node.text),
  string: (node) => constantAt(node, unescaped(node.text.slice(1, -1))),
  template_string: template,
  regex: (node) => constantAt(node, node.text),
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
  call_expression: called,
  new_expression: (node) => ({
    kind: "call",
    callee: part(node, "constructor"),
    args: argumentsOf(node),
    creates: true,
    line: node.line,
  }),
  binary_expression: binary,
  unary_expression: unary,
  yield_expression: first,
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
  arrow_function: (node) => functionOf(node),
  function_expression: (node) => functionOf(node),
  generator_function: (node) => functionOf(node),
  class: (node) => classExpression(node),
  jsx_element: jsx,
  jsx_self_closing_element: jsx,
  jsx_fragment: jsx,
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
  if (/^([-*/%|&^]|\*\*|<<|>>>?)$/.test(operator)) return callOf(node, nameAt(node, "Number"), sides);
  return operator === "in" || operator === "instanceof"
    ? opaque(node, [])
    : operation(node, operatorOf(operator === "??" ? "||" : operator), sides);
}

/** `typeof x` tells about `x`; the other words yield nothing of it either. */
function unary(node: PlainNode): Expression {
  const operator = field(node, "operator")?.text ?? "";
  const argument = part(node, "argument");
  if (operator === "typeof") return callOf(node, nameAt(node, operator), [argument]);
  if (operator === "+") return callOf(node, nameAt(node, "Number"), [argument]);
  if (operator === "void" || operator === "delete") return opaque(node, []);
  return operation(node, operatorOf(operator), [argument]);
}

function called(node: PlainNode): Expression {
  const module = moduleOf(node);
  if (module !== null) return { kind: "module", path: module, line: node.line };
  const callee = part(node, "function");
  const given = field(node, "arguments");
  if (given?.type === "template_string") return tagged(node, callee, given);
  return { kind: "call", callee, args: argumentsOf(node), creates: false, line: node.line };
}

/** A tag gets the text and the values apart; only `String.raw` puts them together as they are. */
function tagged(node: PlainNode, callee: Expression, given: PlainNode): Expression {
  if (field(node, "function")?.text === "String.raw") return template(given);
  return callOf(node, callee, [constantAt(given, "")]);
}

function callOf(node: PlainNode, callee: Expression, args: readonly Expression[]): Expression {
  const given = args.map((value) => ({ name: null, value }));
  return { kind: "call", callee, args: given, creates: false, line: node.line };
}

const routes = /^(get|post|put|patch|delete|del|all|use|options|head)$/;

/** The functions that a router is given know that they are: `app.get("/users", ({ query }) => …)`. */
function argumentsOf(node: PlainNode): Argument[] {
  const given = field(node, "arguments")?.children ?? [];
  const method = field(field(node, "function") ?? node, "property")?.text ?? "";
  const isRoute = routes.test(method) && /^["'`]\//.test(given[0]?.text ?? "");
  const marks = isRoute ? [{ name: "route", text: "route" }] : [];
  return given.map((value) => ({
    name: null,
    value: functions.has(value.type) ? functionOf(value, marks) : javascriptExpression(value),
  }));
}

const functions: ReadonlySet<string> = new Set(["arrow_function", "function_expression"]);

/** What stands in an element is escaped, but for what one attribute is for. */
function jsx(node: PlainNode): Expression {
  const opening = field(node, "open_tag") ?? node;
  const attributes = ofType(opening, "jsx_attribute").map((attribute) => {
    const value = javascriptExpression(attribute.children[1]?.children[0]);
    const name = attribute.children[0]?.text ?? "";
    return name === "dangerouslySetInnerHTML" ? callOf(attribute, nameAt(attribute, name), [value]) : value;
  });
  const inside = node.children.filter((child) => child.type.startsWith("jsx_")).map(javascriptExpression);
  return callOf(node, nameAt(node, "jsx-element"), [...attributes, ...inside]);
}

/** Its methods are run as those of a declared class. */
function classExpression(node: PlainNode): Expression {
  const code = { name: "", parameters: [], body: classOf(node), marks: [], line: node.line };
  return { kind: "function", code, line: node.line };
}

function object(node: PlainNode): Expression {
  const entries = node.children.flatMap((child) => {
    if (child.type === "shorthand_property_identifier")
      return { key: constantAt(child, child.text), value: named(child) };
    if (child.type === "method_definition")
      return { key: constantAt(child, field(child, "name")?.text ?? ""), value: functionOf(child) };
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
      ? hoisted(body.children.flatMap(javascriptStatements))
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
  return {
    name: target.type.endsWith("_pattern") ? `parameter ${at}` : target.text,
    type: typeOf(node),
    marks: ofType(node, "decorator").map((mark) => ({
      name: mark.text.replace(/[@(][\s\S]*$/, ""),
      text: mark.text,
    })),
    line: node.line,
  };
}
