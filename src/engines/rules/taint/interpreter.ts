/**
 * Runs a file's code abstractly: every function once with what is known of its parameters, calls within the file from
 * where they are made. It follows input (value.ts) and constants, which decide branches; loops run until nothing new.
 */
import { asked, assign, textOf } from "./assign.ts";
import { call } from "./calls.ts";
import { entryOf, isExtension, sliceOf } from "./collections.ts";
import { Environment } from "./environment.ts";
import { executeAll } from "./execute.ts";
import type { Fields } from "./fields.ts";
import { type Frame, isLeftOpen, leave, newFrame, type Ways } from "./frames.ts";
import { refined } from "./guards.ts";
import { member, variable, withSource } from "./lookup.ts";
import type { Model, Sink, Source } from "./model.ts";
import { operate } from "./operators.ts";
import { pagesOf } from "./pages.ts";
import { parameterValues } from "./parameters.ts";
import { Reach } from "./reach.ts";
import type { Expression, FunctionCode, Statement } from "./syntax.ts";
import { typed } from "./typed.ts";
import {
  allTaints,
  type Closure,
  cleared,
  constant,
  derived,
  join,
  listOf,
  named,
  never,
  type Taint,
  truth,
  unknown,
  type Value,
} from "./value.ts";

/** Input that reaches a sink. */
export interface Flow {
  sink: Sink;
  taint: Taint;
  line: number;
}

/** The name of several values that a function gives back. */
const several = "results";

/** Expressions and statements for one function and all that it calls, and for the whole file. */
const stepsPerEntry = 10_000;
const stepsPerFile = 60_000;
const depthMax = 5;

class BudgetSpent extends Error {}

export class Interpreter {
  readonly model: Model;
  readonly flows = new Map<string, Flow>();
  /** Sinks that only harmless values get to, as far as was seen; null where another value does. */
  readonly harmless = new Map<string, { sink: Sink; line: number } | null>();
  readonly reach = new Reach();
  /** `Class` → its fields' types. */
  readonly fields = new Map<string, ReadonlyMap<string, string>>();
  /** `Class.method` → its overloads. */
  readonly methods = new Map<string, Closure[]>();
  readonly frames: Frame[] = [];
  private readonly entries: Closure[] = [];
  private readonly queued = new Set<FunctionCode>();
  private steps = 0;
  private entrySteps = 0;

  constructor(model: Model) {
    this.model = model;
  }

  run(program: readonly Statement[]): void {
    const file: FunctionCode = { name: "", parameters: [], body: program, marks: [], line: 1 };
    this.enter({ code: file, environment: new Environment() });
    for (let next = this.entries.shift(); next !== undefined; next = this.entries.shift()) this.enter(next);
  }

  /** To be run by itself later, with what its environment then knows. */
  queue(closure: Closure): void {
    if (this.queued.has(closure.code)) return;
    this.queued.add(closure.code);
    this.entries.push(closure);
  }

  get frame(): Frame {
    const frame = this.frames.at(-1);
    if (frame === undefined) throw new Error("no function is being run");
    return frame;
  }

  evaluate(expression: Expression, environment: Environment): Value {
    this.step();
    switch (expression.kind) {
      case "constant":
        return constant(expression.value);
      case "name":
        return variable(expression, environment, this);
      case "module":
        return named(expression.path);
      case "member":
        return member(expression, environment, this);
      case "index": {
        const object = this.evaluate(expression.object, environment);
        const entry = withSource(
          entryOf(object, this.evaluate(expression.index, environment)),
          expression,
          this,
        );
        return isExtension(expression) ? cleared(entry, ["path-traversal"]) : entry;
      }
      case "slice":
        return sliceOf(
          this.evaluate(expression.object, environment),
          expression.from === null ? null : this.evaluate(expression.from, environment),
          expression.to === null ? null : this.evaluate(expression.to, environment),
        );
      case "call":
        return call(expression, environment, this);
      case "operation":
        return operate(expression, environment, this);
      case "choice":
        return this.choose(expression, environment);
      case "assign": {
        const value = this.evaluate(expression.value, environment);
        assign(expression.target, asked(value, expression.value), expression.line, environment, this);
        return value;
      }
      case "list":
        return listOf(expression.items.map((item) => this.evaluate(item, environment)));
      case "map":
        return this.mapOf(expression.entries, environment);
      case "cast":
        return typed(this.evaluate(expression.value, environment), expression.type);
      case "function": {
        const closure = { code: expression.code, environment: environment.clone() };
        this.queue(closure);
        return { ...unknown, closure };
      }
      case "results":
        return {
          ...listOf(expression.items.map((item) => this.evaluate(item, environment))),
          names: [several],
        };
      case "result":
        return this.resultAt(expression, environment);
      case "opaque":
        return derived(...expression.parts.map((part) => this.evaluate(part, environment)));
    }
  }

  private lastResults: Value = unknown;

  /** Of several results of a function elsewhere the first is what was asked for; the others tell how it went. */
  private resultAt({ of, at }: Expression & { kind: "result" }, environment: Environment): Value {
    if (at === 0) this.lastResults = this.evaluate(of, environment);
    const results = this.lastResults;
    if (results.names.includes(several)) return results.list?.[at] ?? unknown;
    return at === 0 ? results : unknown;
  }

  /** Whether what follows can be reached. Changes the environment. */
  execute(statements: readonly Statement[], environment: Environment): boolean {
    return executeAll(statements, environment, this);
  }

  step(): void {
    this.steps += 1;
    this.entrySteps += 1;
    if (this.entrySteps > stepsPerEntry || this.steps > stepsPerFile) throw new BudgetSpent();
  }

  /** The result of running the function, whose checks hold from then on; null where it is too deep or calls itself. */
  runFunction(
    closure: Closure,
    args: readonly Value[],
    from: Environment,
    site?: Expression,
    own?: Fields,
  ): Value | null {
    if (this.frames.length > depthMax || this.frames.some((frame) => frame.code === closure.code))
      return null;
    const environment = closure.environment.enter(from);
    closure.code.parameters.forEach((parameter, at) => {
      environment.set(parameter.name, typed(args[at] ?? unknown, parameter.type));
    });
    own?.enter(environment);
    const frame = newFrame(closure.code, []);
    this.frames.push(frame);
    try {
      if (this.execute(closure.code.body, environment)) leave(frame.left, environment);
    } finally {
      this.frames.pop();
    }
    own?.leave(frame.left.all);
    if (site === undefined) return frame.returns ?? unknown;
    if (frame.left.all === null) return isLeftOpen(closure.code, site) ? unknown : never;
    from.adoptChecks(frame.left.all);
    this.answers.set(site, frame.left);
    return frame.returns ?? unknown;
  }

  /** What the answers of calls within the file tell about the input. */
  readonly answers = new WeakMap<Expression, Ways>();

  /** Input from here on, where the model says that the paths name some. */
  input(sources: readonly Source[], origin: Expression, key: string | null): Value {
    const taints = sources
      .filter((source) => source.fills === null)
      .map((source) => this.taint(source, origin, key));
    return { ...unknown, taints };
  }

  taint(
    source: Pick<Source, "what" | "reaches" | "isNumber">,
    origin: Expression | { line: number },
    key: string | null,
  ): Taint {
    const cleared = new Set(this.model.kinds.filter((kind) => !source.reaches.has(kind)));
    const { what, isNumber } = source;
    const from = { origin: this.originOf(origin), line: origin.line };
    return { ...from, what, key, steps: [], cleared, isSure: true, isNumber };
  }

  /** The values have got to the sink. */
  report(sink: Sink, values: readonly Value[], line: number, environment: Environment): void {
    const key = `${sink.rule.id} ${line}`;
    const taints = values.flatMap(allTaints);
    const threats = taints
      .filter((one) => sink.from?.has(one.what) !== false)
      .filter((one) => environment.threatens(one, sink.kind));
    const taint = threats.find((one) => one.isSure || this.model.passing === null);
    const isKnown = taints.length > 0 || values.every((value) => value.constants.length > 0);
    this.harmless.set(
      key,
      threats.length === 0 && isKnown && this.harmless.get(key) !== null ? { sink, line } : null,
    );
    if (taint !== undefined && !this.flows.has(key)) this.flows.set(key, { sink, taint, line });
  }

  /** The input with the checks that were made of it here, for a value that leaves. */
  withChecks(taints: readonly Taint[], environment: Environment): readonly Taint[] {
    return taints.map((taint) => {
      const safe = this.model.kinds.filter((kind) => !environment.threatens(taint, kind));
      return safe.length === taint.cleared.size ? taint : { ...taint, cleared: new Set(safe) };
    });
  }

  private enter(closure: Closure): void {
    this.entrySteps = 0;
    const { code, environment } = closure;
    this.frames.push(newFrame(code, pagesOf(closure, this.model.pages)));
    try {
      const inside = code.name === "" && code.line === 1 ? environment : environment.clone();
      for (const [name, value] of parameterValues(code, this)) inside.set(name, value);
      this.execute(code.body, inside);
    } catch (error) {
      if (!(error instanceof BudgetSpent)) throw error;
    } finally {
      this.frames.length = 0;
    }
  }

  private choose(expression: Expression & { kind: "choice" }, environment: Environment): Value {
    const decided = truth(this.evaluate(expression.test, environment));
    const branch = (chosen: boolean): Value | null => {
      if (decided === !chosen) return null;
      const inside = refined(expression.test, chosen, environment.clone(), this);
      const value = this.evaluate(chosen ? expression.consequence : expression.alternative, inside);
      return { ...value, taints: this.withChecks(value.taints, inside) };
    };
    const then = branch(true);
    const otherwise = branch(false);
    if (then === null) return otherwise ?? unknown;
    return otherwise === null ? then : join(then, otherwise);
  }

  private mapOf(entries: readonly { key: Expression; value: Expression }[], environment: Environment): Value {
    const map = new Map<string, Value>();
    const others: Value[] = [];
    for (const { key, value } of entries) {
      const [name, ...more] = this.evaluate(key, environment).constants;
      const content = this.evaluate(value, environment);
      if (name === undefined || more.length > 0) others.push(content);
      else map.set(String(name), content);
    }
    return { ...unknown, map, taints: derived(...others).taints };
  }

  private readonly origins = new Map<unknown, number>();
  /** Written the same in the same function, it is the same input: a check of `req.query.id` is one of the next. */
  private originOf(expression: Expression | { line: number }): number {
    const text = "kind" in expression ? textOf(expression) : null;
    const key = text === null ? expression : `${text} in ${this.frames.at(-1)?.code?.line}`;
    const known = this.origins.get(key) ?? this.origins.size;
    this.origins.set(key, known);
    return known;
  }
}
