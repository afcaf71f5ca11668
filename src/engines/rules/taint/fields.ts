/** What an object of a class of this file keeps: its constructor and methods put it in, other methods find it. */
import { placeOf } from "./assign.ts";
import type { Call } from "./calls.ts";
import type { Environment } from "./environment.ts";
import type { Interpreter } from "./interpreter.ts";
import { store } from "./receivers.ts";
import type { Closure, Value } from "./value.ts";

/** How a method names its own object, by language. */
const selves = ["this", "$this", "self"] as const;

export class Fields {
  private known: Map<string, Value>;

  constructor(known: ReadonlyMap<string, Value>) {
    this.known = new Map(known);
  }

  /** The method begins. */
  enter(environment: Environment): void {
    for (const [name, value] of this.known)
      for (const self of selves)
        if (environment.get(self) !== undefined) environment.set(`${self}.${name}`, value);
  }

  /** It has come back, if it does, with this. */
  leave(after: Environment | null): void {
    const parts = after === null ? [] : selves.flatMap((self) => [...after.partsOf(self)]);
    const changed = parts.filter(([name, value]) => value !== this.known.get(name));
    this.known = new Map([...this.known, ...changed]);
  }

  get all(): ReadonlyMap<string, Value> {
    return this.known;
  }
}

const constructors = ["constructor", "__construct", "__init__"];

/** The fields of `new Class(…)`; null when no constructor of this file runs. */
export function constructed(
  made: Call,
  environment: Environment,
  run: Interpreter,
): ReadonlyMap<string, Value> | null {
  const owner = made.paths[0]?.replace(/\.new$/, "");
  const closure = constructors.flatMap((name) => run.methods.get(`${owner}.${name}`) ?? [])[0];
  if (closure === undefined) return null;
  const fields = new Fields(new Map());
  run.runFunction(closure, made.args, environment, undefined, fields);
  return fields.all.size === 0 ? null : fields.all;
}

/** Runs a method on the object's fields, which it may change. */
export function runMethod(
  closure: Closure,
  args: readonly Value[],
  made: Call,
  environment: Environment,
  run: Interpreter,
): Value | null {
  const { callee } = made.expression;
  const place = callee.kind === "member" ? placeOf(callee.object) : null;
  const own = selves.find((self) => self === place);
  if (own === undefined && (made.receiver?.map ?? null) === null)
    return run.runFunction(closure, args, environment, made.expression);
  const fields = new Fields(own === undefined ? (made.receiver?.map ?? new Map()) : environment.partsOf(own));
  const result = run.runFunction(closure, args, environment, made.expression, fields);
  if (own !== undefined) for (const [name, value] of fields.all) environment.set(`${own}.${name}`, value);
  else if (made.receiver !== null) store(made, environment, (known) => ({ ...known, map: fields.all }));
  return result;
}
