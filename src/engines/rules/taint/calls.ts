/** Calls: sinks, sources and sanitizers by the model, functions of the file by running them, others by a rule of thumb. */
import { assign } from "./assign.ts";
import { only } from "./collections.ts";
import type { Environment } from "./environment.ts";
import { formatCall, leftByClass } from "./formats.ts";
import { withoutCharacters } from "./guards.ts";
import type { Interpreter } from "./interpreter.ts";
import type { Sink } from "./model.ts";
import { textOf } from "./operators.ts";
import { keepSetting, onReceiver, setting } from "./receivers.ts";
import { argumentsAt, reachedBy } from "./sink-arguments.ts";
import type { Expression } from "./syntax.ts";
import { combines, passesOn, sanitizedBy, tellsAbout } from "./unknown-calls.ts";
import {
  allTaints,
  asNumber,
  type Closure,
  cleared,
  derived,
  guessed,
  keyed,
  listOf,
  named,
  never,
  type Taint,
  unknown,
  type Value,
} from "./value.ts";

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
  };
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
  const sinks = run.model.sinks.find(paths);
  for (const sink of sinks) visitSink(sink, made, environment, run);
  runCallbacks(made, environment, run);
  const names = expression.creates
    ? paths.map((path) => path.replace(/\.new$/, ""))
    : paths
        .map((path) => path.replace(/\.getInstance(Strong)?$/, ".new"))
        .map((path) => (path.endsWith(".new") ? path.slice(0, -4) : `${path}()`));
  const sanitized = run.model.sanitizers.find(paths).flat();
  if (sanitized.includes("*")) return { ...asNumber(derived(...everything(made))), names };
  if (sanitized.length > 0) return { ...cleared(derived(...everything(made)), sanitized), names };
  for (const { from, to } of run.model.fills.find(paths)) {
    fill(to, derived(...from.flatMap((which) => argumentsAt(which, made))).taints, made, environment, run);
  }
  const sources = run.model.sources.find(paths);
  if (sources.length > 0) return { ...fromSources(sources, made, environment, run), names };
  if (run.model.exits.find(paths).length > 0) return never;
  const followed = follow(made, target, environment, run);
  if (followed !== null) return followed;
  // What a sink gives back is not what it was given: rows are not the query.
  if (sinks.length > 0) return { ...unknown, names };
  if (setting.test(made.name)) keepSetting(made, environment);
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

function everything(made: Call): Value[] {
  return [...(made.receiver === null ? [] : [made.receiver]), ...made.args, ...made.keywords.values()];
}

function visitSink(sink: Sink, made: Call, environment: Environment, run: Interpreter): void {
  const { applies, values } = reachedBy(sink, made);
  if (applies) run.report(sink, values, made.expression.line, environment);
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

/** Functions given as arguments run with what they are called with, as far as that is known: the receiver's elements. */
function runCallbacks(made: Call, environment: Environment, run: Interpreter): void {
  const elements = made.receiver === null ? unknown : derived(made.receiver);
  if (elements.taints.length === 0) return;
  for (const { closure } of made.args) {
    if (closure !== null)
      run.runFunction(
        closure,
        closure.code.parameters.map(() => elements),
        environment,
      );
  }
}

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
  const result = run.runFunction(closure, args, environment, made.expression);
  // What a page returns is judged where it is returned.
  return result !== null && run.isPage(closure.code) ? unknown : result;
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

const partOfRequest =
  /param|header|cookie|query_?string|query_?(var|value)|form_?(value|field|data|param)|post_?(value|data)|body/i;

/** A function that is not in this file. */
function unknownResult(made: Call, run: Interpreter): Value {
  const { receiver, name, args, expression } = made;
  const holders = [...(receiver === null ? [] : [receiver]), ...args];
  if (holders.some((holder) => holdsRequest(holder, run))) {
    if (expression.creates || /wrap|request/i.test(name)) return named("request");
    if (partOfRequest.test(name)) {
      const key = only(args.findLast((arg) => typeof only(arg) === "string"));
      return run.input(
        run.model.sources.find(["request-part"]),
        expression,
        typeof key === "string" ? key : null,
      );
    }
  }
  const kinds = sanitizedBy(name);
  if (kinds !== null) return kinds.includes("*") ? unknown : cleared(derived(...everything(made)), kinds);
  const [single, ...more] = args;
  // A constant in another coding is still one.
  if (single !== undefined && single.constants.length > 0 && more.length === 0 && /b64|base64/i.test(name))
    return single;
  if (tellsAbout(name)) return asNumber(derived(...everything(made)));
  if (/^(replace|replaceAll|str_replace|ReplaceAll|sub|preg_replace|ReplaceAllString)$/.test(name)) {
    return cleared(derived(...passesOn(made)), replaced(made));
  }
  if (/^(compile|MustCompile|Compile)$/.test(name))
    return { ...unknown, map: new Map([["pattern", args[0] ?? unknown]]) };
  if (name === "append" && receiver === null && single?.list !== undefined && single.list !== null) {
    return listOf([...single.list, ...more]);
  }
  const passed = passesOn(made);
  if (passed.length === 1 && /^(asList|Arrays|list|tuple|iter|of|copyOf|array_values|stream)$/.test(name)) {
    const [single = unknown] = passed;
    if (single.list !== null && args.length === 1) return single;
    if (args.length > 1) return listOf(args);
  }
  if (/^(asList|of)$/.test(name)) return listOf(args);
  const key = only(args[0]);
  const result = isOwn(passed, made) ? derived(...passed) : guessed(...passed);
  const isGetter =
    args.length === 1 && typeof key === "string" && receiver !== null && allTaints(receiver).length > 0;
  if (isGetter) return keyed(result, key);
  return args.length === 0 && /^(get|is)[A-Z]/.test(name) ? keyed(result, name.slice(3)) : result;
}

/** Whether it is made of what the method is called on, or is known to be made of all that it is given. */
function isOwn(passed: readonly Value[], { receiver, expression, name }: Call): boolean {
  return expression.creates || combines.test(name) || passed.every((value) => value === receiver);
}

/** Kinds that need what was replaced. */
function replaced({ receiver, args }: Call): readonly string[] {
  const texts = args.filter((one) => typeof only(one) === "string");
  const pattern = receiver?.map?.get("pattern");
  const [first = unknown, second] = pattern === undefined ? texts : [pattern, ...texts];
  return [...quotesIn(only(first)), ...leftByClass(first, second)];
}

/** Once its quotes are replaced a value stays within the text that it is put in. */
function quotesIn(replaced: unknown): string[] {
  return replaced === "'" || replaced === '"' ? withoutCharacters(replaced) : replaced === "<" ? ["xss"] : [];
}

function holdsRequest(value: Value, run: Interpreter): boolean {
  return value.names.includes("request") || run.model.requests.find(value.names).length > 0;
}
