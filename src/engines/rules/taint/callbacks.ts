/** Functions given to functions: `ids.map(Number)`, `names.filter(isAllowed)`, `page.then((text) => text.trim())`. */
import type { Call } from "./calls.ts";
import { only } from "./collections.ts";
import type { Environment } from "./environment.ts";
import type { Interpreter } from "./interpreter.ts";
import type { Expression } from "./syntax.ts";
import { sanitizedBy, tellsAbout } from "./unknown-calls.ts";
import { asNumber, type Closure, cleared, derived, guessed, unknown, type Value } from "./value.ts";

/** What the callback gives is what the call gives, or a list of it. */
const gives = /^(map|flatMap|then|array_map)$/;
const keeps = /^(filter|find|findLast|array_filter)$/;
/** Only the first parameter is an element; the next is its position. */
const byElement = /^(map|flatMap|then|forEach|each|filter|find|findLast|some|every|findIndex)$/;

/** Runs them with what they are called with, as far as that is known. Null where their results say nothing of the call's. */
export function runCallbacks(made: Call, environment: Environment, run: Interpreter): Value | null {
  const { receiver, name, args } = made;
  const isFunction = /^array_(map|filter|walk)$/.test(name);
  const [callback, all] =
    name === "array_map" ? args : isFunction ? [args[1], args[0]] : [args[0], receiver ?? undefined];
  const elements = all === undefined ? unknown : derived(all);
  if (elements.taints.length === 0) return null;
  const results = args.map(({ closure }) =>
    closure === null ? null : runWith(closure, elements, made, environment, run),
  );
  if (callback === undefined) return null;
  if (gives.test(name)) return results[args.indexOf(callback)] ?? byName(callback, elements, run);
  if (!keeps.test(name) || callback.closure === null) return null;
  return kept(callback.closure, elements, environment, run);
}

/** The elements for which the function answers yes. */
function kept(closure: Closure, elements: Value, environment: Environment, run: Interpreter): Value {
  const site: Expression = { kind: "opaque", parts: [], line: closure.code.line };
  const inside = environment.clone();
  run.runFunction(closure, [elements], inside, site);
  const yes = run.answers.get(site)?.yes;
  return yes ? { ...elements, taints: run.withChecks(elements.taints, yes) } : elements;
}

function runWith(
  closure: Closure,
  elements: Value,
  made: Call,
  environment: Environment,
  run: Interpreter,
): Value | null {
  const given = closure.code.parameters.map((_, at) =>
    at > 0 && byElement.test(made.name) ? unknown : elements,
  );
  return run.runFunction(closure, given, environment);
}

/** `map(Number)`, `array_map("intval", $ids)`; null when nothing is known of the function. */
function byName(callback: Value, elements: Value, run: Interpreter): Value | null {
  const text = only(callback);
  const paths = typeof text === "string" ? [text] : callback.names;
  const [path] = paths;
  if (path === undefined) return null;
  const name = path.slice(path.lastIndexOf(".") + 1).replace(/^\?/, "");
  const kinds = run.model.sanitizers
    .find(paths)
    .flatMap(({ clears, when }) => (when.length === 0 ? clears : []));
  const clears = kinds.length > 0 ? kinds : (sanitizedBy(name) ?? []);
  if (clears.includes("*") || tellsAbout(name)) return asNumber(elements);
  if (clears.length > 0) return cleared(elements, clears);
  const { passing } = run.model;
  if (passing === null) return null;
  return passing.find(paths).length > 0 ? elements : guessed(elements);
}
