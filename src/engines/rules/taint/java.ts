/** Java as the interpreter reads it. */
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
import { field, fields, ofType, type PlainNode } from "./plain-tree.ts";
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

export function javaExpression(node: PlainNode | null): Expression {
  if (node === null) return { kind: "opaque", parts: [], line: 1 };
  const { line } = node;
  switch (node.type) {
    case "identifier":
    case "this":
    case "super":
    case "type_identifier":
      return nameAt(node, node.text === "super" ? "this" : node.text);
    case "string_literal":
      return constantAt(node, unescaped(node.text.replace(/^"+|"+$/g, "")));
    case "character_literal":
      return constantAt(node, unescaped(node.text.slice(1, -1)));
    case "decimal_integer_literal":
    case "decimal_floating_point_literal":
    case "hex_integer_literal":
      return constantAt(node, numberOf(node.text));
    case "true":
    case "false":
      return constantAt(node, node.type === "true");
    case "null_literal":
      return constantAt(node, null);
    case "parenthesized_expression":
      return javaExpression(node.children[0] ?? null);
    case "field_access":
    case "scoped_identifier":
      return member(node);
    case "array_access":
      return {
        kind: "index",
        object: javaExpression(field(node, "array")),
        index: javaExpression(field(node, "index")),
        line,
      };
    case "method_invocation":
    case "object_creation_expression":
      return call(node);
    case "binary_expression":
      return binary(node);
    case "unary_expression":
      return operation(node, operatorOf(field(node, "operator")?.text ?? ""), [
        javaExpression(field(node, "operand")),
      ]);
    case "ternary_expression":
      return {
        kind: "choice",
        test: javaExpression(field(node, "condition")),
        consequence: javaExpression(field(node, "consequence")),
        alternative: javaExpression(field(node, "alternative")),
        line,
      };
    case "assignment_expression":
      return assignment(node);
    case "update_expression": {
      const target = javaExpression(node.children[0] ?? null);
      return { kind: "assign", target, value: opaque(node, []), line };
    }
    case "cast_expression":
      return {
        kind: "cast",
        type: javaType(field(node, "type")) ?? "",
        value: javaExpression(field(node, "value")),
        line,
      };
    case "array_creation_expression":
      return javaExpression(field(node, "value"));
    case "array_initializer":
      return { kind: "list", items: node.children.map(javaExpression), line };
    case "lambda_expression":
      return { kind: "function", code: lambda(node), line };
    case "instanceof_expression":
      return opaque(node, []);
    case "switch_expression":
      return opaque(
        node,
        ofType(field(node, "body") ?? node, "switch_rule").map((rule) =>
          javaExpression(rule.children.at(-1) ?? null),
        ),
      );
    case "expression_statement":
      return javaExpression(node.children[0] ?? null);
    default:
      return opaque(node, node.children.filter((child) => !child.type.endsWith("type")).map(javaExpression));
  }
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

function binary(node: PlainNode): Expression {
  const operator = operatorOf(field(node, "operator")?.text ?? "");
  return operation(node, operator, [
    javaExpression(field(node, "left")),
    javaExpression(field(node, "right")),
  ]);
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

function marksOf(node: PlainNode): Mark[] {
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
