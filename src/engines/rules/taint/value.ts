/** What the interpreter knows about a value: which constants it can be, whose input it holds, and what it is called. */
import type { Environment } from "./environment.ts";
import type { Constant, Expression, FunctionCode } from "./syntax.ts";

/** Input from outside that a value holds. */
export interface Taint {
  /** The expression that it came in by. */
  origin: number;
  /** `the request's parameter` */
  what: string;
  /** Which one of several, where the code names it: `id`. */
  key: string | null;
  line: number;
  /** The variables that it went through. */
  steps: readonly Step[];
  /** Kinds of sinks that it can do nothing to any more; `*` = all. */
  cleared: ReadonlySet<string>;
  /** False once it went through a function that is not known: what came out may be something else. */
  isSure: boolean;
  /** Does its harm as a number too: a predictable one. */
  isNumber: boolean;
}

export interface Step {
  name: string;
  line: number;
}

export interface Closure {
  code: FunctionCode;
  environment: Environment;
}

export interface Value {
  /** All that it can be; empty = not known. */
  constants: readonly Constant[];
  taints: readonly Taint[];
  /** What it is, as paths of types, modules and calls: `flask.request.args`, `Statement`, `?cursor` (a name only). */
  names: readonly string[];
  /** The elements of a list whose positions are known. */
  list: readonly Value[] | null;
  /** The entries under constant keys; what others may hold is in `taints`. */
  map: ReadonlyMap<string, Value> | null;
  closure: Closure | null;
  /** Of a variable: what it was computed by, for a later `if` that asks it instead. */
  test: Expression | null;
}

export const unknown: Value = {
  constants: [],
  taints: [],
  names: [],
  list: null,
  map: null,
  closure: null,
  test: null,
};

/** What a call gives that does not come back: `abort(404)`. */
export const never: Value = { ...unknown };

const constantsMax = 4;
const taintsMax = 4;
const namesMax = 4;
const stepsMax = 6;
const itemsMax = 64;

export function constant(...constants: readonly Constant[]): Value {
  return { ...unknown, constants: constants.length > constantsMax ? [] : constants };
}

export function named(...names: readonly string[]): Value {
  return { ...unknown, names };
}

export function listOf(items: readonly Value[]): Value {
  if (items.length > itemsMax) return { ...unknown, taints: joinTaints(...items.map(allTaints)) };
  return { ...unknown, list: items };
}

/** Its own input and that of all that it holds. */
export function allTaints(value: Value): readonly Taint[] {
  if (value.list === null && value.map === null) return value.taints;
  return joinTaints(
    value.taints,
    ...(value.list ?? []).map(allTaints),
    ...[...(value.map?.values() ?? [])].map(allTaints),
  );
}

/** Input of the same identity is judged together: a check of one is a check of the other. */
export function identity(taint: Taint): string {
  return `${taint.origin} ${taint.key ?? ""}`;
}

/** Keeps the first of each identity, cleared only of what all are cleared of. */
export function joinTaints(...groups: readonly (readonly Taint[])[]): readonly Taint[] {
  const filled = groups.filter((group) => group.length > 0);
  if (filled.length <= 1) return filled[0] ?? [];
  const joined = new Map<string, Taint>();
  for (const taint of filled.flat()) {
    const key = identity(taint);
    const known = joined.get(key);
    if (known === undefined) joined.set(key, taint);
    else if (known !== taint) joined.set(key, onlyCleared(known, commonKinds(known.cleared, taint.cleared)));
  }
  const result = [...joined.values()].slice(0, taintsMax);
  const first = filled[0] ?? [];
  return result.length === first.length && result.every((taint, at) => taint === first[at]) ? first : result;
}

function onlyCleared(taint: Taint, cleared: ReadonlySet<string>): Taint {
  return cleared.size === taint.cleared.size ? taint : { ...taint, cleared };
}

/** Kinds that both name; `*` = all. */
export function commonKinds(a: ReadonlySet<string>, b: ReadonlySet<string>): ReadonlySet<string> {
  if (a === b || b.has("*")) return a;
  return a.has("*") ? b : new Set([...a].filter((kind) => b.has(kind)));
}

/** What a value can be when either may have happened; `a` itself when `b` adds nothing. */
export function join(a: Value, b: Value): Value {
  if (a === b) return a;
  const taints = joinTaints(a.taints, b.taints);
  const list = joinLists(a, b);
  const map = joinMaps(a, b);
  const scattered = [
    list === null ? (a.list ?? []) : [],
    list === null ? (b.list ?? []) : [],
    map === null ? [...(a.map?.values() ?? [])] : [],
    map === null ? [...(b.map?.values() ?? [])] : [],
  ].flat();
  const joined: Value = {
    constants: joinConstants(a, b),
    taints: joinTaints(taints, ...scattered.map(allTaints)),
    names: joinNames(a.names, b.names),
    list,
    map,
    closure: a.closure ?? b.closure,
    test: a.test === b.test ? a.test : null,
  };
  return same(a, joined) ? a : joined;
}

function same(a: Value, b: Value): boolean {
  return (
    a.taints === b.taints &&
    a.constants === b.constants &&
    a.names === b.names &&
    a.list === b.list &&
    a.map === b.map &&
    a.closure === b.closure &&
    a.test === b.test
  );
}

function joinConstants(a: Value, b: Value): readonly Constant[] {
  if (b.constants.length > 0 && b.constants.every((one) => a.constants.includes(one))) return a.constants;
  if (a.constants.length === 0 || b.constants.length === 0)
    return a.constants.length === 0 ? a.constants : [];
  const all = [...new Set([...a.constants, ...b.constants])];
  return all.length > constantsMax ? [] : all;
}

function joinNames(a: readonly string[], b: readonly string[]): readonly string[] {
  if (b.every((name) => a.includes(name))) return a;
  return [...new Set([...a, ...b])].slice(0, namesMax);
}

/** Null when the positions are not known any more. A null or unset variable that becomes a list is that list. */
function joinLists(a: Value, b: Value): readonly Value[] | null {
  if (a.list === null || b.list === null) return isNothing(a) ? b.list : isNothing(b) ? a.list : null;
  const { list } = b;
  if (a.list === list) return a.list;
  if (a.list.length !== list.length) return null;
  const joined = a.list.map((item, at) => join(item, list[at] ?? unknown));
  return joined.every((item, at) => item === a.list?.[at]) ? a.list : joined;
}

function joinMaps(a: Value, b: Value): ReadonlyMap<string, Value> | null {
  if (a.map === null || b.map === null) return isNothing(a) ? b.map : isNothing(b) ? a.map : null;
  if (a.map === b.map) return a.map;
  const joined = new Map(a.map);
  let changed = false;
  for (const [key, value] of b.map) {
    const known = joined.get(key);
    const next = known === undefined ? value : join(known, value);
    changed ||= next !== known;
    joined.set(key, next);
  }
  return changed ? joined : a.map;
}

function isNothing(value: Value): boolean {
  return value.constants.length === 1 && value.constants[0] === null && value.taints.length === 0;
}

export function joinAll(values: readonly Value[]): Value {
  const [first = unknown, ...rest] = values;
  return rest.reduce(join, first);
}

/** A value that something was made of: the same input, nothing else known. */
export function derived(...from: readonly Value[]): Value {
  const taints = joinTaints(...from.map(allTaints));
  return taints.length === 0 ? unknown : { ...unknown, taints };
}

/** The input under a name that the code gives: which parameter, which header. */
export function keyed(value: Value, key: string): Value {
  if (!value.taints.some((taint) => taint.key === null)) return value;
  return { ...value, taints: value.taints.map((taint) => (taint.key === null ? { ...taint, key } : taint)) };
}

/** The value after it was put in a variable. */
export function through(value: Value, name: string, line: number): Value {
  if (value.taints.length === 0) return value;
  const taints = value.taints.map((taint) => {
    const last = taint.steps.at(-1);
    if (last?.name === name || taint.steps.length >= stepsMax) return taint;
    return { ...taint, steps: [...taint.steps, { name, line }] };
  });
  return { ...value, taints };
}

/** The value where what was checked of its input is known of the value itself; the same one when that says nothing new. */
export function withCleared(value: Value, kindsOf: (taint: Taint) => ReadonlySet<string> | undefined): Value {
  const clear = (taint: Taint): Taint => {
    const kinds = kindsOf(taint);
    if (kinds === undefined || kinds.size === 0 || kinds.isSubsetOf(taint.cleared)) return taint;
    return { ...taint, cleared: taint.cleared.union(kinds) };
  };
  const inside = (one: Value): Value => withCleared(one, kindsOf);
  const taints = mapped(value.taints, clear);
  const list = value.list === null ? null : mapped(value.list, inside);
  const entries = value.map === null ? null : [...value.map];
  const isMapKept = entries === null || entries.every(([, entry]) => inside(entry) === entry);
  if (taints === value.taints && list === value.list && isMapKept) return value;
  const map = isMapKept ? value.map : new Map(entries.map(([key, entry]) => [key, inside(entry)]));
  return { ...value, taints, list, map };
}

function mapped<T>(items: readonly T[], change: (item: T) => T): readonly T[] {
  const changed = items.map(change);
  return changed.every((item, at) => item === items[at]) ? items : changed;
}

/** What a function gives that is not known and was given the values. */
export function guessed(...from: readonly Value[]): Value {
  const { taints } = derived(...from);
  return taints.length === 0
    ? unknown
    : { ...unknown, taints: taints.map((taint) => ({ ...taint, isSure: false })) };
}

export function cleared(value: Value, kinds: readonly string[]): Value {
  const clear = (taint: Taint): Taint => ({ ...taint, cleared: new Set([...taint.cleared, ...kinds]) });
  return { ...unknown, taints: allTaints(value).map(clear) };
}

/** What is left of it as a number. */
export function asNumber(value: Value): Value {
  const taints = allTaints(value).filter((taint) => taint.isNumber);
  return taints.length === 0 ? unknown : { ...unknown, taints };
}

/** True or false where all that it can be agrees; null = either. */
export function truth(value: Value): boolean | null {
  if (value.constants.length === 0) return null;
  const [first, ...rest] = value.constants.map(isTrue);
  return rest.every((one) => one === first) ? (first ?? null) : null;
}

function isTrue(value: Constant): boolean {
  return value !== null && value !== false && value !== 0 && value !== "";
}
