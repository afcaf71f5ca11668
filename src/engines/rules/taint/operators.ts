/** Operators: computed where both sides are constants, otherwise the result is made of both sides. */
import { only } from "./collections.ts";
import type { Environment } from "./environment.ts";
import { interpolated } from "./formats.ts";
import { refined } from "./guards.ts";
import type { Interpreter } from "./interpreter.ts";
import type { Constant, Expression, Operator } from "./syntax.ts";
import { allTaints, cleared, constant, derived, truth, unknown, type Value } from "./value.ts";

/** A product of possibilities beyond this is not worth computing. */
const combinationsMax = 16;
const textMax = 1000;

export function operate(
  expression: Expression & { kind: "operation" },
  environment: Environment,
  run: Interpreter,
): Value {
  const { operator, operands } = expression;
  if (operator === "and" || operator === "or") return shortCircuit(expression, environment, run);
  const values = operands.map((operand) => run.evaluate(operand, environment));
  if (operator === "not") {
    const decided = values[0] === undefined ? null : truth(values[0]);
    return decided === null ? unknown : constant(!decided);
  }
  const [left = unknown, right = unknown] = values;
  const filled = operator === "%" ? interpolated(left, right) : null;
  if (filled !== null) return textOf(filled);
  const held = operator === "in" ? holds(left, right) : null;
  if (held !== null) return constant(held);
  const computed = compute(operator, values);
  if (computed !== null) return computed;
  if (yieldsTruth.has(operator)) return unknown;
  if (isText(operator, values)) return textOf(values);
  if (operator === "+" && allTaints(left).length === 0) return cleared(derived(right), startsFixed);
  // `folder / name` of a path library is still a path.
  return operator === "/" ? { ...derived(left, right), names: left.names } : derived(...values);
}

function isText(operator: Operator, values: readonly Value[]): boolean {
  return (
    operator === "concat" ||
    (operator === "+" &&
      values.some((value) => typeof only(value) === "string" || value.names.includes("text")))
  );
}

/** What follows a beginning that is not input cannot name another host. */
export const startsFixed = ["open-redirect", "ssrf"];

/**
 * An address whose host, or a path whose beginning, is fixed; `*` stands for what is not known and holds no input. A
 * scheme that is not known fixes nothing.
 */
const fixedStart =
  /^(Location:\s*|redirect:)?([a-z][a-z0-9+.-]*:\/\/[^/*?#]+[/?#]|https?:\/\/[^/*]*\*|\*(?!:\/\/$)|\/[^/\\]|[?#]|[\w.-]+\/)/i;

/** What follows is a parameter of an address: it names no file and no host. */
const withinQuery = /[?&][\w-]+=/;

/** Text that is put together: `text` is its name, `text:` with how it begins, `html` where it has a tag, `address` with a query. */
export function textOf(values: readonly Value[]): Value {
  const computed = compute("concat", values);
  if (computed !== null) return computed;
  const pieces = values.map(only);
  const tainted = values.findIndex((value) => allTaints(value).length > 0);
  const start = pieces.slice(0, tainted === -1 ? values.length : tainted).map((one) => one ?? "*");
  const isAddress = withinQuery.test(start.join("")) || values.some(({ names }) => names.includes("address"));
  const result = cleared(derived(...values), [
    ...(fixedStart.test(start.join("")) ? startsFixed : []),
    ...(isAddress ? [...startsFixed, "path-traversal"] : []),
  ]);
  const begins = values.find((value) => only(value) !== "") ?? unknown;
  const isHtml = pieces.some((one) => typeof one === "string" && tag.test(one)) || values.some(hasTag);
  return {
    ...result,
    names: ["text", ...beginning(begins), ...(isHtml ? ["html"] : []), ...(isAddress ? ["address"] : [])],
  };
}

const tag = /<\/?[a-z!]/i;

function hasTag(value: Value): boolean {
  return value.names.includes("html");
}

/** What a text begins with goes on to be known while more is put behind it. */
function beginning(value: Value): readonly string[] {
  const text = only(value);
  return typeof text === "string"
    ? [`text:${text.slice(0, 20)}`]
    : value.names.filter((name) => name.startsWith("text:"));
}

const yieldsTruth: ReadonlySet<Operator> = new Set(["==", "!=", "<", "<=", ">", ">=", "in"]);

function shortCircuit(
  expression: Expression & { kind: "operation" },
  environment: Environment,
  run: Interpreter,
): Value {
  const goesOn = expression.operator === "and";
  const parts: Value[] = [];
  const inside = environment.clone();
  for (const operand of expression.operands) {
    const value = run.evaluate(operand, inside);
    const decided = truth(value);
    if (decided === !goesOn) return parts.length === 0 ? value : derived(...parts, value);
    if (decided === null || operand === expression.operands.at(-1)) parts.push(value);
    refined(operand, goesOn, inside, run);
  }
  const [single, ...more] = parts;
  return more.length === 0 ? (single ?? constant(goesOn)) : derived(...parts);
}

/** Whether the second is known to hold the first. */
function holds(needle: Value, hay: Value): boolean | null {
  const searched = only(needle);
  if (searched === undefined) return null;
  const text = only(hay);
  if (typeof text === "string") return text.includes(String(searched));
  if (hay.list === null || hay.list.some((item) => only(item) === undefined)) return null;
  return hay.list.some((item) => only(item) === searched);
}

function compute(operator: Operator, values: readonly Value[]): Value | null {
  let combinations: Constant[][] = [[]];
  for (const { constants } of values) {
    combinations = combinations.flatMap((start) => constants.map((one) => [...start, one]));
    if (combinations.length === 0 || combinations.length > combinationsMax) return null;
  }
  const results = combinations.map((operands) => apply(operator, operands));
  const known = results.filter((result) => result !== undefined);
  return known.length === results.length ? constant(...new Set(known)) : null;
}

function apply(operator: Operator, operands: readonly Constant[]): Constant | undefined {
  const [a, b] = operands;
  if (a === undefined) return undefined;
  if (operator === "concat" || (operator === "+" && operands.some((one) => typeof one === "string"))) {
    const text = operands.map((one) => (one === null ? "null" : String(one))).join("");
    return text.length > textMax ? undefined : text;
  }
  if (b === undefined) return operator === "-" && typeof a === "number" ? -a : undefined;
  if (operator === "==") return a === b;
  if (operator === "!=") return a !== b;
  return typeof a === "number" && typeof b === "number" ? arithmetic(operator, a, b) : undefined;
}

function arithmetic(operator: Operator, a: number, b: number): Constant | undefined {
  switch (operator) {
    case "+":
      return a + b;
    case "-":
      return a - b;
    case "*":
      return a * b;
    case "/":
      return b === 0 ? undefined : a / b;
    case "%":
      return b === 0 ? undefined : a % b;
    case "<":
      return a < b;
    case "<=":
      return a <= b;
    case ">":
      return a > b;
    case ">=":
      return a >= b;
    default:
      return undefined;
  }
}
