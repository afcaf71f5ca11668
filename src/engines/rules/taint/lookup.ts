/** What a name or a member stands for: what was put there, or the input that its path stands for. */
import { placeOf } from "./assign.ts";
import type { Environment } from "./environment.ts";
import type { Interpreter } from "./interpreter.ts";
import type { Source } from "./model.ts";
import type { Expression } from "./syntax.ts";
import { typed } from "./typed.ts";
import { constant, keyed, named, type Taint, unknown, type Value } from "./value.ts";

/** A variable that holds what some call gave is still known by its own name too: `pool = mysql.createPool()`. */
export function variable(
  expression: Expression & { kind: "name" },
  environment: Environment,
  run: Interpreter,
): Value {
  const { name } = expression;
  const value = environment.get(name);
  if (value === undefined)
    return withSource(named(/^[A-Z$]/.test(name) ? name : `?${name}`), expression, run);
  return value.names.every((path) => path.endsWith("()"))
    ? { ...value, names: [...value.names, `?${name}`] }
    : value;
}

/** They tell about a value and hold nothing of it; of a whole request, the last ones may be the names of its parameters. */
const tellsAbout = /^(length|size)$/;
const tellsOfPart = /^(count|status|status_code|line|column)$/;

export function member(
  expression: Expression & { kind: "member" },
  environment: Environment,
  run: Interpreter,
): Value {
  const place = placeOf(expression);
  const known = place === null ? undefined : environment.get(place);
  if (known !== undefined) return known;
  const object = run.evaluate(expression.object, environment);
  const { name } = expression;
  const entry = object.map?.get(name);
  if (entry !== undefined) return entry;
  const isPart = object.taints.every((taint) => taint.key !== null);
  const isHarmless = tellsAbout.test(name) || (isPart && tellsOfPart.test(name));
  const own = isHarmless ? unknown : keyed({ ...unknown, taints: object.taints }, name);
  const paths = object.names.map((path) => `${path}.${name}`);
  const names = [...run.model.types.find(paths), ...paths];
  const type = object.names.map((path) => run.fields.get(path)?.get(name)).find((one) => one !== undefined);
  if (type !== undefined) return typed(own, type);
  const length = name === "length" && object.list !== null ? constant(object.list.length) : null;
  return withSource(length ?? { ...own, names }, expression, run);
}

/** Those that give input here: from nowhere, or out of input that is there. */
export function fitting(sources: readonly Source[], taints: readonly Taint[]): readonly Source[] {
  return sources.filter(({ inside }) =>
    inside === null ? taints.length === 0 : taints.some((taint) => taint.what === inside),
  );
}

/** With the input that its path stands for. */
export function withSource(value: Value, expression: Expression, run: Interpreter): Value {
  const isOwn = expression.kind === "member" && isThis(expression.object);
  const known = run.model.sources.find(value.names).filter((source) => !(isOwn && source.isProperty));
  const sources = fitting(known, value.taints);
  return sources.length === 0 ? value : { ...value, taints: run.input(sources, expression, null).taints };
}

/** A class's own fields are what it puts there, whatever it is called. */
function isThis(object: Expression): boolean {
  return object.kind === "name" && object.name === "$this";
}
