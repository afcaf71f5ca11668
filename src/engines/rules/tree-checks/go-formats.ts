/** Go's fmt verbs. */
import { field, type PlainNode } from "../parser/plain-tree.ts";
import type { Mismatch } from "./python-formats.ts";

/** Functions by where their text stands among the arguments. */
const first = /^(fmt\.(Printf|Sprintf|Errorf)|log\.(Printf|Fatalf|Panicf)|[tb]\.(Logf|Errorf|Fatalf|Skipf))$/;
const second = /^fmt\.(Fprintf|Appendf)$/;

export function goMismatch(node: PlainNode): Mismatch | null {
  if (node.type !== "call_expression") return null;
  const callee = field(node, "function")?.text ?? "";
  const at = first.test(callee) ? 0 : second.test(callee) ? 1 : -1;
  if (at === -1) return null;
  const given = field(node, "arguments")?.children ?? [];
  const places = verbs(given[at]);
  const values = given.slice(at + 1);
  // Without arguments it is `go/sprintf-no-args` that speaks.
  if (places === null || values.length === 0 || values.some(isSpread)) return null;
  // `f(g())` hands on all that `g` returns.
  if (given.length === 2 && at === 1 && values[0]?.type === "call_expression") return null;
  if (places === values.length) return null;
  return { places: places === 1 ? "1 value" : `${places} values`, given: String(values.length) };
}

/** Null where it is not plainly a text, or numbers its arguments. */
function verbs(text: PlainNode | undefined): number | null {
  if (text === undefined || !/^(interpreted|raw)_string_literal$/.test(text.type)) return null;
  if (/%[^a-zA-Z%]*\[/.test(text.text)) return null;
  let places = 0;
  for (const [, width, precision, verb] of text.text.matchAll(
    /%[-+# 0]*(\*|\d+)?(?:\.(\*|\d+)?)?([a-zA-Z%])/g,
  )) {
    if (verb === "%") continue;
    places += 1 + Number(width === "*") + Number(precision === "*");
  }
  return places;
}

function isSpread({ type }: PlainNode): boolean {
  return type === "variadic_argument";
}
