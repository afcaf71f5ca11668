/** Methods of texts that are constants. */

import { only } from "./collections.ts";
import type { Constant } from "./syntax.ts";
import { constant, type Value } from "./value.ts";

/** Null when it is no such method, or what it is called on or with is not one constant each. */
export function textMethod(receiver: Value, name: string, args: readonly Value[]): Value | null {
  const text = only(receiver);
  if (typeof text !== "string") return null;
  const given = args.map(only);
  if (given.includes(undefined)) return null;
  const result = apply(text, name, given);
  return result === undefined ? null : constant(result);
}

function apply(text: string, name: string, args: readonly (Constant | undefined)[]): Constant | undefined {
  const [a, b] = args;
  if (args.length === 0) return withoutArguments(text, name);
  if (typeof a === "number") return atPosition(text, name, a, b);
  if (typeof a !== "string") return undefined;
  switch (name) {
    case "equals":
      return text === a;
    case "equalsIgnoreCase":
      return text.toLowerCase() === a.toLowerCase();
    case "contains":
    case "includes":
      return text.includes(a);
    case "startsWith":
    case "startswith":
      return text.startsWith(a);
    case "endsWith":
    case "endswith":
      return text.endsWith(a);
    case "indexOf":
    case "find":
      return text.indexOf(a);
    case "concat":
      return text + a;
    case "encode":
    case "decode":
      return text;
    case "replace":
      return typeof b === "string" ? text.replaceAll(a, b) : undefined;
    default:
      return undefined;
  }
}

function withoutArguments(text: string, name: string): Constant | undefined {
  switch (name) {
    case "length":
      return text.length;
    case "isEmpty":
      return text === "";
    case "toString":
    case "intern":
    case "encode":
    case "decode":
      return text;
    case "trim":
    case "strip":
      return text.trim();
    case "toLowerCase":
    case "lower":
      return text.toLowerCase();
    case "toUpperCase":
    case "upper":
      return text.toUpperCase();
    default:
      return undefined;
  }
}

function atPosition(text: string, name: string, at: number, end: Constant | undefined): Constant | undefined {
  if (name === "charAt" || name === "at") return text.at(at) ?? "";
  if (name !== "substring" && name !== "slice" && name !== "substr") return undefined;
  return text.slice(at, typeof end === "number" ? end : undefined);
}
