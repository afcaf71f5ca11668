/** Lists and maps whose contents are known by position or constant key. */
import type { Constant, Expression } from "./syntax.ts";
import {
  allTaints,
  constant,
  derived,
  join,
  joinTaints,
  keyed,
  listOf,
  unknown,
  type Value,
} from "./value.ts";

/** The one constant that a value is; undefined = not known. */
export function only(value: Value | undefined): Constant | undefined {
  return value?.constants.length === 1 ? value.constants[0] : undefined;
}

/** `value[key]`, `value.get(key)` */
export function entryOf(value: Value, key: Value): Value {
  const index = only(key);
  if (value.list !== null && typeof index === "number") {
    return value.list.at(index) ?? { ...unknown, taints: value.taints };
  }
  if (value.map !== null && index !== undefined) {
    return value.map.get(String(index)) ?? { ...unknown, taints: value.taints };
  }
  const text = only(value);
  if (typeof text === "string" && typeof index === "number") return constant(text.at(index) ?? "");
  const names = value.names.flatMap((name) =>
    typeof index === "string" ? [`${name}[]`, `${name}[${index}]`] : [`${name}[]`],
  );
  const input = { ...derived(value), names };
  return typeof index === "string" ? keyed(input, index) : input;
}

/** `name.rsplit(".", 1)[-1]`: behind the last dot there are no two. */
export function isExtension({ object, index }: Expression & { kind: "index" }): boolean {
  if (object.kind !== "call" || object.callee.kind !== "member") return false;
  const by = object.args[0]?.value;
  const isLast = index.kind === "operation" && index.operator === "-";
  return isLast && /^r?split$/.test(object.callee.name) && by?.kind === "constant" && by.value === ".";
}

/** What the collection is once the entry is in it. */
export function putEntry(value: Value, key: Value, entry: Value): Value {
  const index = only(key);
  if (value.list !== null && typeof index === "number" && index >= 0 && index < value.list.length) {
    return { ...value, list: value.list.with(index, entry) };
  }
  if (value.list !== null && index === null) return { ...value, ...withItems(value, [...value.list, entry]) };
  if (value.list !== null) return { ...unknown, taints: joinTaints(allTaints(value), allTaints(entry)) };
  if (index !== undefined && index !== null && (value.map !== null || value.taints.length === 0)) {
    return { ...value, constants: [], map: new Map(value.map ?? []).set(String(index), entry) };
  }
  return { ...value, constants: [], taints: joinTaints(value.taints, allTaints(entry)) };
}

export function sliceOf(value: Value, from: Value | null, to: Value | null): Value {
  const start = from === null ? 0 : only(from);
  const end = to === null ? undefined : only(to);
  const known = typeof start === "number" && (to === null || typeof end === "number");
  const text = only(value);
  if (known && typeof text === "string")
    return constant(text.slice(start, typeof end === "number" ? end : undefined));
  if (known && value.list !== null)
    return listOf(value.list.slice(start, typeof end === "number" ? end : undefined));
  return derived(value);
}

/** A method of a list or map: what it gives, and what the collection is afterwards. */
export interface Effect {
  result: Value;
  after: Value;
}

/** Null when the method is none of a collection's, or the collection's contents are not known. */
export function collectionMethod(value: Value, method: string, args: readonly Value[]): Effect | null {
  if (value.list !== null) return listMethod(value.list, value, method, args);
  if (value.map !== null) return mapMethod(value.map, value, method, args);
  return null;
}

function listMethod(
  list: readonly Value[],
  value: Value,
  method: string,
  args: readonly Value[],
): Effect | null {
  const [first = unknown, second = unknown] = args;
  const index = only(first);
  const now = (items: readonly Value[], result: Value): Effect => ({
    result,
    after: { ...value, ...withItems(value, items) },
  });
  switch (method) {
    case "add":
    case "append":
    case "push":
    case "addLast":
    case "insert":
    case "addElement": {
      if (args.length < 2) return now([...list, first], unknown);
      return typeof index === "number" ? now(list.toSpliced(index, 0, second), unknown) : null;
    }
    case "unshift":
    case "addFirst":
      return now([first, ...list], unknown);
    case "extend":
    case "addAll":
      return now([...list, ...(first.list ?? [derived(first)])], unknown);
    case "pop":
    case "remove":
    case "removeAt": {
      const at = args.length === 0 ? list.length - 1 : index;
      if (typeof at === "number") return now(list.toSpliced(at, 1), list.at(at) ?? unknown);
      return { result: derived(value), after: value };
    }
    case "shift":
    case "removeFirst":
      return now(list.slice(1), list[0] ?? unknown);
    case "get":
    case "at":
    case "elementAt":
      return { result: entryOf(value, first), after: value };
    case "set":
      return { result: unknown, after: putEntry(value, first, second) };
    case "clear":
      return now([], unknown);
    case "size":
    case "length":
      return { result: constant(list.length), after: value };
    case "toArray":
    case "copy":
    case "iterator":
    case "stream":
      return { result: value, after: value };
    default:
      return null;
  }
}

function withItems(value: Value, items: readonly Value[]): Partial<Value> {
  const list = listOf(items);
  return list.list === null
    ? { list: null, taints: joinTaints(value.taints, list.taints) }
    : { list: list.list };
}

function mapMethod(
  map: ReadonlyMap<string, Value>,
  value: Value,
  method: string,
  args: readonly Value[],
): Effect | null {
  switch (method) {
    case "put":
    case "set":
    case "setdefault":
    case "putIfAbsent":
    case "setProperty":
    case "setFeature":
      // `set(section, key, value)` keeps the value under both names together.
      if (args.length < 2) return null;
      return {
        result: unknown,
        after: putEntry(value, joinedKey(args.slice(0, -1)), args.at(-1) ?? unknown),
      };
    case "get":
    case "getOrDefault":
    case "getProperty": {
      const entry = entryOf(value, joinedKey(args));
      const first = args[0] ?? unknown;
      const only = map.has(String(first.constants[0])) ? entryOf(value, first) : entry;
      return { result: only, after: value };
    }
    case "remove":
    case "delete":
    case "pop": {
      const key = only(args[0]);
      if (key === undefined) return { result: derived(value), after: value };
      const rest = new Map(map);
      rest.delete(String(key));
      return { result: entryOf(value, args[0] ?? unknown), after: { ...value, map: rest } };
    }
    case "values":
    case "items":
    case "entrySet":
      return { result: derived(value), after: value };
    case "update":
    case "putAll":
      return { result: unknown, after: join(value, { ...unknown, map: args[0]?.map ?? new Map() }) };
    case "clear":
      return { result: unknown, after: { ...value, map: new Map(), taints: [] } };
    default:
      return null;
  }
}

function joinedKey(keys: readonly Value[]): Value {
  const [first = unknown, ...rest] = keys;
  if (rest.length === 0) {
    const name = first.constants.length === 0 && first.taints.length === 0 ? first.names[0] : undefined;
    return name === undefined ? first : constant(name);
  }
  const names = keys.map(only);
  return names.includes(undefined) ? unknown : constant(names.map(String).join("\n"));
}
