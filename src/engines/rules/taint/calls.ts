/** Calls: sinks, sources and sanitizers by the model, functions of the file by running them, others by a rule of thumb. */
import { assign } from "./assign.ts";
import { runCallbacks } from "./callbacks.ts";
import { only } from "./collections.ts";
import type { Environment } from "./environment.ts";
import { constructed, runMethod } from "./fields.ts";
import { formatCall } from "./formats.ts";
import type { Interpreter } from "./interpreter.ts";
import { fitting } from "./lookup.ts";
import type { Sink } from "./model.ts";
import { textOf } from "./operators.ts";
import { pagesOf } from "./pages.ts";
import { onReceiver } from "./receivers.ts";
import { keepPageType, keepSetting, pageType } from "./settings.ts";
import { argumentsAt, holdsAll, reachedBy } from "./sink-arguments.ts";
import type { Expression } from "./syntax.ts";
import { sanitizedBy, unknownResult } from "./unknown-calls.ts";
import { asNumber, type Closure, cleared, derived, never, type Taint, unknown, type Value } from "./value.ts";

export type CallExpression = Expression & { kind: "call" };

/** A call with its parts evaluated. */
export interface Call {
  expression: CallExpression;
  /** What the method is called on; null for a plain function. */
  receiver: Value | null;
  /** The function's or method's name: `execute`. */
  name: string;
  /** What it may be: `Statement.execute`, `?cursor.execute`. */
  paths: readonly string[];
  args: readonly Value[];
  /** Keyword arguments. */
  keywords: ReadonlyMap<string, Value>;
  /** What kind of page the program said it writes; null = it did not. */
  page: Value | null;
}

export function call(expression: CallExpression, environment: Environment, run: Interpreter): Value {
  run.reach.call(expression.line);
  const { callee } = expression;
  const receiver = callee.kind === "member" ? run.evaluate(callee.object, environment) : null;
  const target = callee.kind === "name" ? environment.get(callee.name) : undefined;
  const other = callee.kind === "name" || callee.kind === "member" ? null : run.evaluate(callee, environment);
  const positional: Value[] = [];
  const keywords = new Map<string, Value>();
  for (const argument of expression.args) {
    const value = run.evaluate(argument.value, environment);
    if (argument.name === null) positional.push(value);
    else keywords.set(argument.name, value);
  }
  const made: Call = {
    expression,
    receiver,
    name: callee.kind === "name" || callee.kind === "member" ? callee.name : "",
    paths: pathsOf(expression, receiver, target ?? other),
    args: positional,
    keywords,
    page: pageType(environment),
  };
  keepPageType(made, environment);
  return resultOf(made, target ?? other, environment, run);
}

function pathsOf(
  expression: CallExpression,
  receiver: Value | null,
  target: Value | null | undefined,
): string[] {
  const { callee, creates } = expression;
  const ending = creates ? ".new" : "";
  if (callee.kind === "name") {
    const known = target?.names.filter((name) => name !== `?${callee.name}`) ?? [];
    return (known.length > 0 ? known : [callee.name]).map((name) => `${name}${ending}`);
  }
  if (callee.kind !== "member") return (target?.names ?? []).map((name) => `${name}${ending}`);
  const owners = receiver === null || receiver.names.length === 0 ? ["?"] : receiver.names;
  return owners.map((owner) => `${owner}.${callee.name}${ending}`);
}

function resultOf(
  made: Call,
  target: Value | null | undefined,
  environment: Environment,
  run: Interpreter,
): Value {
  const { expression, paths } = made;
  const sinks = run.model.sinks.find(paths).filter((sink) => visitSink(sink, made, environment, run));
  const given = runCallbacks(made, environment, run);
  const names = expression.creates
    ? paths.map((path) => path.replace(/\.new$/, ""))
    : paths
        .map((path) => path.replace(/\.getInstance(Strong)?$/, ".new"))
        .map((path) => (path.endsWith(".new") ? path.slice(0, -4) : `${path}()`))
        .flatMap((path) => [...run.model.types.find([path]), path]);
  const sanitized = sanitizedIn(made, run);
  if (sanitized.includes("*")) return { ...asNumber(derived(...everything(made))), names };
  if (sanitized.length > 0) return { ...cleared(derived(...everything(made)), sanitized), names };
  for (const { from, to } of run.model.fills.find(paths)) {
    fill(to, derived(...from.flatMap((which) => argumentsAt(which, made))).taints, made, environment, run);
  }
  const called = run.model.sources.find(paths).filter(({ isProperty }) => !isProperty);
  const sources = fitting(called, made.receiver?.taints ?? []);
  if (sources.length > 0) return { ...fromSources(sources, made, environment, run), names };
  if (run.model.exits.find(paths).length > 0) return never;
  const fields = expression.creates ? constructed(made, environment, run) : null;
  if (fields !== null) return { ...unknown, names, map: fields };
  const followed = follow(made, target, environment, run);
  if (followed !== null) return followed;
  const set = keepSetting(made, environment);
  if (run.model.fluent.find(paths).length > 0) return set ?? made.receiver ?? unknown;
  // What a sink gives back is not what it was given: rows are not the query.
  if (sinks.length > 0) return { ...unknown, names };
  if (given !== null) return { ...given, names: [...given.names, ...names] };
  const text = formatCall(made.name, made.receiver, made.args, made.keywords);
  if (text !== null) return textOf(text);
  const kept = onReceiver(made, environment, run);
  if (kept !== null) return kept;
  const result = unknownResult(made, run);
  // What is made by a thing with settings has them: `factory.newDocumentBuilder()`.
  const map = made.args.length === 0 ? (made.receiver?.map ?? null) : result.map;
  return { ...result, map, ...containers(names, run), names: [...names, ...result.names] };
}

function containers(names: readonly string[], run: Interpreter): Partial<Value> {
  if (names.some((name) => run.model.lists.has(name))) return { list: [] };
  return names.some((name) => run.model.maps.has(name)) ? { map: new Map() } : {};
}

function sanitizedIn(made: Call, run: Interpreter): string[] {
  return run.model.sanitizers
    .find(made.paths)
    .filter(({ when }) => holdsAll(when, made))
    .flatMap(({ clears }) => clears);
}

export function everything(made: Call): Value[] {
  return [...(made.receiver === null ? [] : [made.receiver]), ...made.args, ...made.keywords.values()];
}

/** Whether the call is one. */
function visitSink(sink: Sink, made: Call, environment: Environment, run: Interpreter): boolean {
  const { applies, values } = reachedBy(sink, made);
  if (applies) run.report(sink, values, made.expression.line, environment);
  return applies;
}

function fromSources(
  sources: Parameters<Interpreter["input"]>[0],
  made: Call,
  environment: Environment,
  run: Interpreter,
): Value {
  const key = only(made.args.findLast((arg) => typeof only(arg) === "string"));
  const value = run.input(sources, made.expression, typeof key === "string" ? key : null);
  for (const source of sources) {
    if (source.fills === null) continue;
    fill(source.fills, [run.taint(source, made.expression, null)], made, environment, run);
  }
  return value;
}

/** The argument holds the input then, and is otherwise what it was. */
function fill(
  at: number,
  taints: readonly Taint[],
  { expression }: Call,
  environment: Environment,
  run: Interpreter,
): void {
  const target = expression.args[at]?.value;
  if (target === undefined || taints.length === 0) return;
  const { names } = run.evaluate(target, environment);
  assign(target, { ...unknown, names, taints }, expression.line, environment, run);
}

/** A function of the file that is named so is taken at its word; its loop over characters is not understood. */
const saysClean = /saniti[sz]e|escape|encode|clean|ext(ension)?(_?name)?$|verify_?(file|path|name)/i;

/** A function of this file. */
function follow(
  made: Call,
  target: Value | null | undefined,
  environment: Environment,
  run: Interpreter,
): Value | null {
  const closure = made.expression.creates ? null : (target?.closure ?? methodOf(made, run));
  if (closure === null) return null;
  const args = closure.code.parameters.map(
    (parameter, at) => made.keywords.get(parameter.name) ?? made.args[at] ?? unknown,
  );
  const result = runMethod(closure, args, made, environment, run);
  if (result === null || result === never) return result;
  // What a page returns is judged where it is returned.
  if (pagesOf(closure, run.model.pages).length > 0) return unknown;
  // How it escapes need not be understood.
  const kinds = saysClean.test(made.name) ? sanitizedBy(made.name) : null;
  return kinds === null ? result : cleared(result, kinds);
}

function methodOf(made: Call, run: Interpreter): Closure | null {
  for (const path of made.paths) {
    const overloads = run.methods.get(path);
    if (overloads === undefined) continue;
    const fitting = overloads.find(({ code }) => code.parameters.length === made.args.length);
    return fitting ?? overloads[0] ?? null;
  }
  return null;
}
