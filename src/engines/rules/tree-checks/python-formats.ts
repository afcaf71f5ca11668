/** Python's `%`, `str.format` and the logging module's texts. */
import { field, ofType, type PlainNode } from "../parser/plain-tree.ts";

/** In words: `3 values`, `2`. */
export interface Mismatch {
  places: string;
  given: string;
}

export function pythonMismatch(node: PlainNode): Mismatch | null {
  if (node.type === "binary_operator" && field(node, "operator")?.text === "%") return afterPercent(node);
  if (node.type !== "call") return null;
  const callee = field(node, "function");
  const given = field(node, "arguments")?.children ?? [];
  if (callee?.type !== "attribute") return null;
  const [object, name] = [field(callee, "object"), field(callee, "attribute")?.text ?? ""];
  if (object === null) return null;
  if (name === "format") return inFormat(object, given);
  return isLogCall(object, name) ? inLog(given) : null;
}

function afterPercent(node: PlainNode): Mismatch | null {
  const [text, given] = [field(node, "left"), field(node, "right")];
  const places = text === null ? null : percentPlaces(text);
  if (places === null || given?.type !== "tuple" || given.children.some(isSplat)) return null;
  return differing(places, given.children.length);
}

function inLog([text, ...given]: readonly PlainNode[]): Mismatch | null {
  const values = given.filter(({ type }) => type !== "keyword_argument");
  const places = text === undefined ? null : percentPlaces(text);
  // Without arguments the text is not formatted at all; a single one may be a mapping.
  if (places === null || values.length === 0 || values.some(isSplat)) return null;
  return differing(places, values.length);
}

function isLogCall(object: PlainNode, name: string): boolean {
  return (
    /^(debug|info|warning|error|critical|exception)$/.test(name) &&
    /^((self|cls)\.)?_?(log|logger|logging|LOG|LOGGER)$/.test(object.text)
  );
}

function differing(places: number, given: number): Mismatch | null {
  return places === given ? null : { places: counted(places), given: String(given) };
}

/** Null where the places have names, or it is not plainly a text. */
function percentPlaces(node: PlainNode): number | null {
  const text = plainTextOf(node);
  if (text === null) return null;
  let places = 0;
  for (const [, name, width, precision, kind] of text.matchAll(
    /%(\(\w+\))?[-+ #0]*(\*|\d+)?(?:\.(\*|\d+))?[hlL]?([a-zA-Z%])/g,
  )) {
    if (name !== undefined) return null;
    if (kind === "%") continue;
    places += 1 + Number(width === "*") + Number(precision === "*");
  }
  return places;
}

/** Fewer than asked for fail; more are left out in silence, sometimes on purpose. */
function inFormat(template: PlainNode, given: readonly PlainNode[]): Mismatch | null {
  const text = plainTextOf(template);
  const fields = text === null ? null : formatFields(text);
  if (fields === null || given.some(isSplat)) return null;
  const names = new Set(ofType({ ...template, children: given }, "keyword_argument").map(nameOf));
  const values = given.length - names.size;
  const missing = fields.names.find((name) => !names.has(name));
  if (missing !== undefined) return { places: `\`${missing}\``, given: "no argument of that name" };
  return fields.values > values ? { places: counted(fields.values), given: String(values) } : null;
}

/** What `str.format` replaces; null for a text that is not one for it. */
function formatFields(text: string): { values: number; names: readonly string[] } | null {
  const plain = text.replaceAll("{{", "").replaceAll("}}", "");
  const names: string[] = [];
  let [automatic, highest] = [0, 0];
  for (const [, name = ""] of plain.matchAll(/\{([^{}:!.[]*)/g)) {
    if (name === "") automatic += 1;
    else if (/^\d+$/.test(name)) highest = Math.max(highest, Number(name) + 1);
    else if (/^[A-Za-z_]\w*$/.test(name)) names.push(name);
    else return null;
  }
  const closes = plain.split("}").length === plain.split("{").length;
  return closes ? { values: Math.max(automatic, highest), names } : null;
}

/** The inside of a text that is written out; null for others, such as f-strings. */
function plainTextOf(node: PlainNode): string | null {
  if (node.type === "parenthesized_expression")
    return node.children[0] ? plainTextOf(node.children[0]) : null;
  if (node.type === "concatenated_string") {
    const parts = node.children.map(plainTextOf);
    return parts.includes(null) ? null : parts.join("");
  }
  if (node.type !== "string" || /^[bB]?[rR]?[bB]?[fF]|^[rR][fF]/.test(node.text)) return null;
  return /^[a-zA-Z]*("""|'''|"|')(.*)\1$/s.exec(node.text)?.[2] ?? null;
}

function isSplat({ type }: PlainNode): boolean {
  return type === "list_splat" || type === "dictionary_splat" || type === "generator_expression";
}

function nameOf(argument: PlainNode): string {
  return field(argument, "name")?.text ?? "";
}

function counted(places: number): string {
  if (places === 0) return "no value";
  return places === 1 ? "1 value" : `${places} values`;
}
