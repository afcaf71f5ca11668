/** What the adapters of all languages are built of. */
import type { PlainNode } from "../parser/plain-tree.ts";
import type { Constant, Expression, Operator, Statement } from "./syntax.ts";

export function constantAt(node: PlainNode, value: Constant): Expression {
  return { kind: "constant", value, line: node.line };
}

export function nameAt(node: PlainNode, name: string): Expression {
  return { kind: "name", name, line: node.line };
}

export function operation(node: PlainNode, operator: Operator, operands: readonly Expression[]): Expression {
  return { kind: "operation", operator, operands, line: node.line };
}

export function opaque(node: PlainNode, parts: readonly Expression[]): Expression {
  return { kind: "opaque", parts, line: node.line };
}

/** `x += y` as `x = x + y` */
export function augmented(
  node: PlainNode,
  target: Expression,
  operator: Operator,
  value: Expression,
): Expression {
  return { kind: "assign", target, value: operation(node, operator, [target, value]), line: node.line };
}

/** Functions are known before the line that declares them. */
export function hoisted(statements: readonly Statement[]): Statement[] {
  const declared = statements.filter(({ kind }) => kind === "function");
  return declared.length === 0
    ? [...statements]
    : [...declared, ...statements.filter(({ kind }) => kind !== "function")];
}

export function block(node: PlainNode, body: readonly Statement[]): Statement {
  return { kind: "block", body, line: node.line };
}

const escapes: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", "0": "\0", b: "\b", f: "\f" };

/** The text of a string literal between its quotes. */
export function unescaped(text: string): string {
  return text.replace(/\\(.)/gs, (_, character: string) => escapes[character] ?? character);
}

/** Null when it is no plain number. */
export function numberOf(text: string): number | null {
  const number = Number(text.replaceAll("_", "").replace(/[lLfFdD]$/, ""));
  return Number.isNaN(number) ? null : number;
}

const operators: Readonly<Record<string, Operator>> = {
  "+": "+",
  "-": "-",
  "*": "*",
  "/": "/",
  "%": "%",
  ".": "concat",
  "==": "==",
  "===": "==",
  is: "==",
  "!=": "!=",
  "!==": "!=",
  "<>": "!=",
  "is not": "!=",
  "<": "<",
  "<=": "<=",
  ">": ">",
  ">=": ">=",
  in: "in",
  "&&": "and",
  and: "and",
  "||": "or",
  or: "or",
  "!": "not",
};

export function operatorOf(text: string): Operator {
  return Object.hasOwn(operators, text) ? (operators[text] ?? "other") : "other";
}
