/** Puts values where assignments say. */

import { putEntry } from "./collections.ts";
import type { Environment } from "./environment.ts";
import type { Interpreter } from "./interpreter.ts";
import { reachedBy } from "./sink-arguments.ts";
import type { Expression } from "./syntax.ts";
import { derived, through, unknown, type Value } from "./value.ts";

/** The name that a variable, or a member of one, is known under: `x`, `this.x`; null for anything else. */
export function placeOf(expression: Expression): string | null {
  if (expression.kind === "name") return expression.name;
  if (expression.kind !== "member") return null;
  const object = placeOf(expression.object);
  return object === null ? null : `${object}.${expression.name}`;
}

/** How it is written, where that names the same thing every time; null for anything that may change from one to the next. */
export function textOf(expression: Expression): string | null {
  if (expression.kind === "constant") return JSON.stringify(expression.value);
  if (expression.kind === "index") return joined(textOf(expression.object), textOf(expression.index));
  if (expression.kind === "member") return joined(textOf(expression.object), expression.name);
  if (expression.kind !== "call") return placeOf(expression);
  const { args, callee } = expression;
  const [key, ...more] = args;
  if (key?.value.kind !== "constant" || more.length > 0) return null;
  return joined(textOf(callee), textOf(key.value));
}

function joined(whole: string | null, part: string | null): string | null {
  return whole === null || part === null ? null : `${whole}.${part}`;
}

export function assign(
  target: Expression,
  value: Value,
  line: number,
  environment: Environment,
  run: Interpreter,
): void {
  if (target.kind === "list") assignEach(target.items, value, line, environment, run);
  else if (target.kind === "index") assignEntry(target, value, line, environment, run);
  else assignVariable(target, value, line, environment, run);
}

function assignVariable(
  target: Expression,
  value: Value,
  line: number,
  environment: Environment,
  run: Interpreter,
): void {
  const place = placeOf(target);
  const names = target.kind === "member" ? run.evaluate(target.object, environment).names : [];
  if (target.kind === "member") {
    sinkOfAssignment(
      (names.length === 0 ? ["?"] : names).map((name) => `${name}.${target.name}=`),
      value,
      line,
      environment,
      run,
    );
  }
  if (place === null) return;
  if (target.kind === "name") sinkOfAssignment([`${place}=`], value, line, environment, run);
  environment.forgetParts(place);
  environment.set(place, through(value, place, line));
  if (target.kind === "member") keepPart(target, value, environment);
}

/** `made.name = value` is known wherever `made` goes, when it is known what `made` is. */
function keepPart(target: Expression & { kind: "member" }, value: Value, environment: Environment): void {
  const owner = placeOf(target.object);
  const object = owner === null ? undefined : environment.get(owner);
  if (owner === null || object === undefined || object.map === null) return;
  environment.set(owner, { ...object, map: new Map(object.map).set(target.name, value) });
}

/** The value of a variable that was given what the expression says, for an `if` that asks the variable. */
export function asked(value: Value, by: Expression | null): Value {
  if (by?.kind === "result") return asked(value, by.at === 0 ? null : by.of);
  const tells = by !== null && (by.kind === "call" || by.kind === "operation" || by.kind === "index");
  return tells ? { ...value, test: by } : value;
}

function assignEach(
  targets: readonly Expression[],
  value: Value,
  line: number,
  environment: Environment,
  run: Interpreter,
): void {
  targets.forEach((target, at) => {
    const part = value.list?.[at] ?? (value.list === null ? derived(value) : unknown);
    assign(target, part, line, environment, run);
  });
}

/** `map[key] = value`: the variable then holds the entry. */
function assignEntry(
  target: Expression & { kind: "index" },
  value: Value,
  line: number,
  environment: Environment,
  run: Interpreter,
): void {
  const object = run.evaluate(target.object, environment);
  const key = run.evaluate(target.index, environment);
  const paths = object.names.map((name) => `${name}[]=`);
  for (const sink of run.model.sinks.find(paths)) {
    const { applies, values } = reachedBy(sink, {
      args: [key, value],
      receiver: object,
      keywords: new Map(),
      page: null,
    });
    if (applies) run.report(sink, values, line, environment);
  }
  const place = placeOf(target.object);
  if (place !== null) environment.set(place, through(putEntry(object, key, value), place, line));
}

export function sinkOfAssignment(
  paths: readonly string[],
  value: Value,
  line: number,
  environment: Environment,
  run: Interpreter,
): void {
  for (const sink of run.model.sinks.find(paths)) {
    const { applies, values } = reachedBy(sink, {
      receiver: null,
      args: [value],
      keywords: new Map(),
      page: null,
    });
    if (applies) run.report(sink, values, line, environment);
  }
}
