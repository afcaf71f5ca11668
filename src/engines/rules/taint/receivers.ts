/** Methods that change what they are called on: collections and texts that are put together. */
import { placeOf } from "./assign.ts";
import type { Call } from "./calls.ts";
import { collectionMethod } from "./collections.ts";
import type { Environment } from "./environment.ts";
import type { Interpreter } from "./interpreter.ts";
import type { Expression } from "./syntax.ts";
import { textMethod } from "./texts.ts";
import { derived, type Value } from "./value.ts";

const changing =
  /^(append|add|addAll|addElement|push|put|insert|extend|unshift|addFirst|addLast|WriteString|command|setdefault)$/;

/** Methods of collections and texts, which may change what they are called on. */
export function onReceiver(made: Call, environment: Environment, run: Interpreter): Value | null {
  const { receiver, name, args } = made;
  if (receiver === null) return null;
  const effect = collectionMethod(receiver, name, args);
  if (effect !== null) {
    if (effect.after !== receiver) store(made, environment, () => effect.after);
    return effect.result;
  }
  const computed = textMethod(receiver, name, args);
  if (computed !== null) return computed;
  const isText =
    name === "write" && receiver.names.some((path) => /StringIO|StringWriter|BytesIO|Buffer/.test(path));
  if (!changing.test(name) && !isText) return null;
  const added = derived(receiver, ...args);
  const after = { ...receiver, constants: [], taints: added.taints, list: null, map: null };
  if (run.model.sinks.find(made.paths).length === 0) store(made, environment, () => after);
  return after;
}

/** `builder.append(a).append(b)` changes `builder`. */
export function store(made: Call, environment: Environment, after: (known: Value) => Value): void {
  let object: Expression = made.expression.callee;
  while (object.kind === "member" || object.kind === "call") {
    if (object.kind === "call") object = object.callee;
    else {
      const place = placeOf(object.object);
      const known = place === null ? undefined : environment.get(place);
      if (place !== null && known !== undefined) {
        environment.set(place, after(known));
        return;
      }
      object = object.object;
    }
  }
}
