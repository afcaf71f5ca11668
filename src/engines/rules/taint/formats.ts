/** Templates with places for values: `%s` of C's family, `{}` of Python's and Java's. */
import { only } from "./collections.ts";
import type { Constant } from "./syntax.ts";
import { asNumber, constant, type Value } from "./value.ts";

const placeMax = 40;

/** What a value is asked for: its position or key, and whether only a number fits there. */
interface Place {
  at: number | null;
  key: string | null;
  isNumber: boolean;
}

const printf = /%(?:(?<at>\d+)\$|\((?<key>\w+)\))?[-+ #0,]*(?:\d+|\*)?(?:\.\d+)?(?<verb>[a-zA-Z%])/g;
const numberVerbs = /[diuoxXeEfFgGbtTp]/;
const braces = /\{\{|\}\}|\{(?<name>\w*)(?:[.[][^{}!:]*)?(?:![rsa])?(?:[,:](?<spec>[^{}]*))?\}/g;

/**
 * The text's parts in order: its constant pieces and the values between them. Null when the template is not known, or
 * asks for more than it is given.
 */
export function formatted(
  template: Value | undefined,
  given: readonly Value[],
  keywords: ReadonlyMap<string, Value>,
  piecesOf: typeof printfPieces = printfPieces,
): readonly Value[] | null {
  const text = only(template);
  if (typeof text !== "string") return null;
  const pieces = piecesOf(text);
  if (pieces.length > placeMax) return null;
  let next = 0;
  const parts: Value[] = [];
  for (const piece of pieces) {
    if (typeof piece === "string") {
      parts.push(constant(piece));
      continue;
    }
    const at = piece.at ?? (piece.key === null ? next++ : null);
    const value = at === null ? keywords.get(piece.key ?? "") : given[at];
    if (value === undefined) return null;
    parts.push(piece.isNumber ? asNumber(value) : value);
  }
  return parts;
}

function printfPieces(text: string): (string | Place)[] {
  return split(text, printf, ({ at, key, verb = "" }) =>
    verb === "%"
      ? "%"
      : { at: at === undefined ? null : Number(at) - 1, key: key ?? null, isNumber: numberVerbs.test(verb) },
  );
}

function bracePieces(text: string): (string | Place)[] {
  return split(text, braces, ({ name = "", spec = "" }, whole) => {
    if (whole === "{{" || whole === "}}") return whole.slice(1);
    const isPosition = /^\d+$/.test(name);
    return {
      at: isPosition ? Number(name) : null,
      key: isPosition || name === "" ? null : name,
      isNumber: /[dfoxX]$|^number/.test(spec),
    };
  });
}

function split(
  text: string,
  pattern: RegExp,
  read: (groups: Readonly<Record<string, string | undefined>>, whole: string) => string | Place,
): (string | Place)[] {
  const pieces: (string | Place)[] = [];
  let end = 0;
  for (const match of text.matchAll(pattern)) {
    pieces.push(text.slice(end, match.index), read(match.groups ?? {}, match[0]));
    end = match.index + match[0].length;
  }
  return [...pieces, text.slice(end)].filter((piece) => piece !== "");
}

/** Python's `template % value`: several values come as a tuple, named ones as a dictionary. */
export function interpolated(template: Value, value: Value): readonly Value[] | null {
  return formatted(template, value.list ?? [value], value.map ?? new Map(), printfPieces);
}

const formatters = /^(Sprintf|Errorf|sprintf|vsprintf|format|formatted|format_map)$/;

/** `fmt.Sprintf(template, …)`, `String.format(template, …)`, `template.format(…)`; null for any other call. */
export function formatCall(
  name: string,
  receiver: Value | null,
  args: readonly Value[],
  keywords: ReadonlyMap<string, Value>,
): readonly Value[] | null {
  if (!formatters.test(name)) return null;
  if (receiver !== null && isText(only(receiver))) {
    return formatted(receiver, args, keywords, name === "formatted" ? printfPieces : bracePieces);
  }
  const piecesOf = receiver?.names.includes("MessageFormat") ? bracePieces : printfPieces;
  const at = isText(only(args[0])) ? 0 : isText(only(args[1])) ? 1 : -1;
  return at === -1 ? null : formatted(args[at], args.slice(at + 1), keywords, piecesOf);
}

function isText(value: Constant | undefined): boolean {
  return typeof value === "string";
}

const letterClass = /^\/?\[\^(?<kept>(?:[\w .@:/-]|\\[\w.\-/])+)\][+*]?\/?g?$/;

/** Kinds that need a character which `replace(/[^a-z]/g, "_")` takes away. */
export function leftByClass(pattern: Value | undefined, replacement: Value | undefined): readonly string[] {
  const kept = letterClass.exec(String(only(pattern) ?? ""))?.groups?.kept;
  if (kept === undefined || !/^[\w .-]?$/.test(String(only(replacement) ?? "?"))) return [];
  if (/\\[SDW]/.test(kept)) return [];
  return /[/:]|\\\//.test(kept) ? ["sql-injection", "xss", "command-injection", "code-injection"] : ["*"];
}
