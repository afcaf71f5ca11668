/** A text put together from written pieces and values, in whichever way its language does that. */
import { field, ofType, type PlainNode } from "../parser/plain-tree.ts";

/** `text` is written out; a value is null there. */
export interface Part {
  text: string | null;
  value: string;
}

/** A statement to a database, not a sentence that begins like one. */
const sqlBeginning = /^\s*(select\s[\s\S]*\sfrom\s|insert\s+into\s|update\s[\s\S]+\sset\s|delete\s+from\s)/i;
/** Where a value stands and not a name: behind a comparison, or within quotes. */
const valuePosition = /(?:(?:[=<>]|\blike)\s*['"]?%?|[(,]\s*['"]%?)$/i;
/** By these names go pieces of SQL and placeholders, */
const pieceName =
  /(placeholders?|params?|marks?|binds?|columns?|cols?|fields?|tables?|clause|where|expr|sql|query|filter|condition)$/i;
/** and by these numbers, unless they stand in quotes. */
const numberName =
  /^(.*_?(count|size|limit|offset|page|index|total|timestamp|interval|days?|hours?|minutes?)|[ijn])$/i;
/** Calls that make a number of it, or quote it. */
const harmlessCall =
  /\b(int|float|len|Number|parseInt|parseFloat|Integer|Long|Atoi|Itoa|FormatInt|join|Join|now|date)\b|quote|escape|sanit|literal|placeholder|bind|mogrify|hash|uuid/i;

/** `numbers`: names known to hold nothing else. */
export function isInjected(parts: readonly Part[], numbers: ReadonlySet<string>): boolean {
  const written = parts.map(({ text }) => text ?? "?").join("");
  if (!sqlBeginning.test(written)) return false;
  return parts.some(({ text, value }, at) => {
    const before = parts[at - 1]?.text ?? "";
    return text === null && valuePosition.test(before) && isOpen(value, /['"]%?$/.test(before), numbers);
  });
}

/** Whether anything may be in the value: not a constant, a number or a piece of SQL. */
function isOpen(value: string, isQuoted: boolean, numbers: ReadonlySet<string>): boolean {
  if (value.includes("(")) return !harmlessCall.test(value);
  const name = /(\w+)\W*$/.exec(value)?.[1] ?? "";
  if (/^([A-Z][A-Z\d_]*|\d+)$/.test(name) || pieceName.test(name)) return false;
  if (numbers.has(name)) return false;
  // An object's own field is its configuration more often than not.
  return isQuoted || !(numberName.test(name) || /^(self|this|cls)\./.test(value));
}

/** Null for what is no text. `known` gives the parts of a variable. */
export function partsOf(
  node: PlainNode,
  known: (name: string) => readonly Part[] | null,
): readonly Part[] | null {
  const parts = read(node, known);
  return parts.some(({ text }) => text !== null) ? parts : null;
}

function read(node: PlainNode, known: (name: string) => readonly Part[] | null): readonly Part[] {
  const all = (nodes: readonly PlainNode[]) => nodes.flatMap((one) => read(one, known));
  switch (node.type) {
    case "parenthesized_expression":
    case "await_expression":
      return all(node.children);
    case "concatenated_string":
      return all(node.children);
    case "identifier":
      return known(node.text) ?? [{ text: null, value: node.text }];
    case "binary_expression":
    case "binary_operator":
      return binary(node, known);
    case "call":
    case "call_expression":
    case "method_invocation":
    case "invocation_expression":
      return formatted(node, known);
    case "template_string":
    case "interpolated_string_expression":
    case "string":
      return interpolated(node, known);
    default:
      return isText(node)
        ? [{ text: node.text.replace(/^[@$a-zA-Z]*["'`]+|["'`]+$/g, ""), value: "" }]
        : [{ text: null, value: node.text }];
  }
}

function isText({ type }: PlainNode): boolean {
  return /string/.test(type);
}

/** Quotes at its ends belong to the language, quotes before an interpolation to the text. */
function interpolated(node: PlainNode, known: (name: string) => readonly Part[] | null): readonly Part[] {
  const values = node.children.filter(({ type }) => /^(template_substitution|interpolation)$/.test(type));
  if (values.length === 0) return [{ text: inside(node.text), value: "" }];
  const parts: Part[] = [];
  let rest = inside(node.text);
  for (const value of values) {
    const at = rest.indexOf(value.text);
    if (at === -1) break;
    parts.push({ text: rest.slice(0, at), value: "" });
    const inner = value.children.find(({ field: role }) => role !== "format_specifier") ?? value;
    parts.push(...(isText(inner) ? [{ text: null, value: inner.text }] : read(inner, known)));
    rest = rest.slice(at + value.text.length);
  }
  return [...parts, { text: rest, value: "" }];
}

function inside(text: string): string {
  return /^[@$a-zA-Z]*("""|'''|["'`])([\s\S]*)\1$/.exec(text)?.[2] ?? text;
}

function binary(node: PlainNode, known: (name: string) => readonly Part[] | null): readonly Part[] {
  const [left, right] = [field(node, "left"), field(node, "right")];
  const operator = field(node, "operator")?.text;
  if (left === null || right === null) return [{ text: null, value: node.text }];
  if (operator === "+") return [...read(left, known), ...read(right, known)];
  if (operator !== "%") return [{ text: null, value: node.text }];
  return filled(read(left, known), right.type === "tuple" ? right.children : [right], /%[-\d.]*[sdr]/);
}

/** `"…{}…".format(a)`, `fmt.Sprintf("…%s…", a)`, `String.format("…%s…", a)`, `string.Format("…{0}…", a)`. */
function formatted(node: PlainNode, known: (name: string) => readonly Part[] | null): readonly Part[] {
  const callee = field(node, "function");
  const given = (field(node, "arguments")?.children ?? []).map((one) =>
    one.type === "argument" ? (one.children[0] ?? one) : one,
  );
  const template = callee?.type === "attribute" ? field(callee, "object") : null;
  if (template !== null && isText(template) && field(callee as PlainNode, "attribute")?.text === "format") {
    const values = given.map((one) => (one.type === "keyword_argument" ? (field(one, "value") ?? one) : one));
    return filled(read(template, known), values, /\{[^{}]*\}/);
  }
  const isFormat = /^(fmt\.Sprintf|String\s*\.\s*format|[sS]tring\.Format)\s*\(/.test(node.text);
  const [first, ...values] = given;
  if (
    !isFormat ||
    first === undefined ||
    ofType({ ...node, children: given }, "variadic_argument").length > 0
  ) {
    return [{ text: null, value: node.text }];
  }
  return filled(read(first, known), values, /%[-+\d.]*[svqdtx]|\{\d+[^{}]*\}/);
}

/** Each place in the text becomes the next value. */
function filled(template: readonly Part[], values: readonly PlainNode[], place: RegExp): readonly Part[] {
  let next = 0;
  return template.flatMap((part) => {
    if (part.text === null) return [part];
    const pieces = part.text.split(place);
    return pieces.flatMap((text, at): Part[] => {
      if (at === 0) return [{ text, value: "" }];
      const value = values[Math.min(next, values.length - 1)]?.text ?? "";
      next += 1;
      return [
        { text: null, value },
        { text, value: "" },
      ];
    });
  });
}
