/** Calls: sinks, sources and sanitizers by the model, functions of the file by running them, others by a rule of thumb. */
import { assign, placeOf } from "./assign.ts";
import { collectionMethod, only } from "./collections.ts";
import type { Environment } from "./environment.ts";
import { withoutCharacters } from "./guards.ts";
import type { Interpreter } from "./interpreter.ts";
import type { Sink } from "./model.ts";
import { reachedBy } from "./sink-arguments.ts";
import type { Expression } from "./syntax.ts";
import { textMethod } from "./texts.ts";
import { passesOn, sanitizedBy, tellsAbout } from "./unknown-calls.ts";
import {
  allTaints,
  asNumber,
  type Closure,
  cleared,
  derived,
  keyed,
  listOf,
  named,
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
  const sources = run.model.sources.find(paths);
  if (sources.length > 0) return { ...fromSources(sources, made, environment, run), names };
  const followed = follow(made, target, environment, run);
  if (followed !== null) return followed;
  // What a sink gives back is not what it was given: rows are not the query.
  if (sinks.length > 0) return { ...unknown, names };
  if (setting.test(made.name)) keepSetting(made, environment);
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
    const filled = source.fills === null ? undefined : made.expression.args[source.fills]?.value;
    if (filled === undefined) continue;
    const taint = run.taint(source, made.expression, null);
    assign(filled, { ...unknown, taints: [taint] }, made.expression.line, environment, run);
  }
  return value;
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
  const result = run.runFunction(closure, args, environment);
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

const setting = /^set(ContentType|Feature|Attribute|Property|_?header|Header)$/;

/** `response.setContentType("text/plain")`, `factory.setFeature(name, true)`: sinks may ask for it. */
function keepSetting(made: Call, environment: Environment): void {
  const { receiver, args } = made;
  const [first = unknown, second] = args;
  if (receiver === null) return;
  const key = second === undefined ? "contentType" : (only(first) ?? first.names[0]);
  if (key === undefined) return;
  const map = new Map(receiver.map ?? []).set(String(key), { ...(second ?? first), taints: [] });
  store(made, { ...receiver, map }, environment);
}

const changing =
  /^(append|add|addAll|addElement|push|put|insert|extend|unshift|addFirst|addLast|WriteString|command|setdefault)$/;

/** Methods of collections and texts, which may change what they are called on. */
function onReceiver(made: Call, environment: Environment, run: Interpreter): Value | null {
  const { receiver, name, args } = made;
  if (receiver === null) return null;
  const effect = collectionMethod(receiver, name, args);
  if (effect !== null) {
    if (effect.after !== receiver) store(made, effect.after, environment);
    return effect.result;
  }
  const computed = textMethod(receiver, name, args);
  if (computed !== null) return computed;
  const isText =
    name === "write" && receiver.names.some((path) => /StringIO|StringWriter|BytesIO|Buffer/.test(path));
  if (!changing.test(name) && !isText) return null;
  const added = derived(receiver, ...args);
  const after = { ...receiver, constants: [], taints: added.taints, list: null, map: null };
  if (run.model.sinks.find(made.paths).length === 0) store(made, after, environment);
  return after;
}

/** `builder.append(a).append(b)` changes `builder`. */
function store(made: Call, after: Value, environment: Environment): void {
  let object: Expression = made.expression.callee;
  while (object.kind === "member" || object.kind === "call") {
    if (object.kind === "call") object = object.callee;
    else {
      const place = placeOf(object.object);
      if (place !== null && environment.get(place) !== undefined) {
        environment.set(place, after);
        return;
      }
      object = object.object;
    }
  }
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
  if (/^(replace|replaceAll|str_replace|ReplaceAll)$/.test(name)) {
    const replaced = [...args].map(only).find((one) => typeof one === "string");
    return cleared(derived(...passesOn(made)), quotesIn(replaced));
  }
  const passed = passesOn(made);
  if (passed.length === 1 && /^(asList|Arrays|list|tuple|iter|of|copyOf|array_values|stream)$/.test(name)) {
    const [single = unknown] = passed;
    if (single.list !== null && args.length === 1) return single;
    if (args.length > 1) return listOf(args);
  }
  if (/^(asList|of)$/.test(name)) return listOf(args);
  const key = only(args[0]);
  const result = derived(...passed);
  const isGetter =
    args.length === 1 && typeof key === "string" && receiver !== null && allTaints(receiver).length > 0;
  if (isGetter) return keyed(result, key);
  return args.length === 0 && /^(get|is)[A-Z]/.test(name) ? keyed(result, name.slice(3)) : result;
}

/** Once its quotes are replaced a value stays within the text that it is put in. */
function quotesIn(replaced: unknown): string[] {
  return replaced === "'" || replaced === '"' ? withoutCharacters(replaced) : replaced === "<" ? ["xss"] : [];
}

function holdsRequest(value: Value, run: Interpreter): boolean {
  return value.names.includes("request") || run.model.requests.find(value.names).length > 0;
}
