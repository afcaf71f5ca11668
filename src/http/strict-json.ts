/** JSON as I-JSON (RFC 7493) wants it: every field of an object once. And no deeper and no longer than anybody means. */
import { AppError } from "../domain/errors.ts";

export const jsonDepthMax = 32;
/** Fields and array elements of one body; keeps the worst body of 1 MiB from holding up everybody else. */
export const jsonItemsMax = 20_000;

/** Errors: AppError `malformed_json`. */
export function parseStrictJson(text: string): unknown {
  refuseOddShape(text);
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new AppError("malformed_json", "The body is not well-formed JSON.", { cause });
  }
}

const quote = 0x22;
const backslash = 0x5c;
const opening = new Set([0x7b, 0x5b]);
const closing = new Set([0x7d, 0x5d]);
const brace = 0x7b;
const comma = 0x2c;
const colon = 0x3a;

/** One pass over the text that knows strings, brackets and commas and leaves everything else to JSON.parse. */
function refuseOddShape(text: string): void {
  /** The names seen in each open object; null for an open array. */
  const open: (Set<string> | null)[] = [];
  let expectsName = false;
  let items = 0;
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charCodeAt(at);
    if (char === quote) {
      const end = endOfString(text, at);
      if (expectsName) noteName(open.at(-1), text.slice(at, end + 1));
      at = end;
    } else if (opening.has(char)) {
      if (open.length === jsonDepthMax) {
        throw new AppError("malformed_json", `The body is nested more than ${jsonDepthMax} levels deep.`);
      }
      open.push(char === brace ? new Set() : null);
      expectsName = char === brace;
    } else if (closing.has(char)) {
      open.pop();
      expectsName = false;
    } else if (char === comma) {
      items += 1;
      if (items === jsonItemsMax) {
        throw new AppError("malformed_json", `The body has more than ${jsonItemsMax} fields and elements.`);
      }
      expectsName = open.at(-1) instanceof Set;
    } else if (char === colon) {
      expectsName = false;
    }
  }
}

/** The index of the closing quote; the text's end when there is none. */
function endOfString(text: string, from: number): number {
  let at = from + 1;
  while (at < text.length && text.charCodeAt(at) !== quote) {
    at += text.charCodeAt(at) === backslash ? 2 : 1;
  }
  return at;
}

function noteName(names: Set<string> | null | undefined, literal: string): void {
  if (!names) return;
  const name = literal.includes("\\") ? unescaped(literal) : literal;
  if (names.has(name)) throw new AppError("malformed_json", "The body names a field twice in one object.");
  names.add(name);
}

/** As a literal without needless escapes; a broken one as it is, for JSON.parse to refuse. */
function unescaped(literal: string): string {
  try {
    return JSON.stringify(JSON.parse(literal));
  } catch {
    return literal;
  }
}
