import type { OpenStore } from "../../src/domain/store.ts";

type Changes = {
  [Part in Exclude<keyof OpenStore, "transaction" | "engine">]?: Partial<OpenStore[Part]>;
} & { transaction?: OpenStore["transaction"] };

/** The same store with some of its methods replaced: `altered(store, { reviews: { version: … } })`. */
export function altered(store: OpenStore, changes: Changes): OpenStore {
  return overlay(store, (name, held) => {
    const change: unknown = Reflect.get(changes, name);
    if (typeof change !== "object" || change === null) return change;
    return overlay(held as object, (method) => Reflect.get(change, method));
  });
}

/** `replace` answers undefined for what stays. Methods keep their own `this`, private fields included. */
function overlay<T extends object>(target: T, replace: (name: PropertyKey, held: unknown) => unknown): T {
  return new Proxy(target, {
    get(_, name) {
      const held: unknown = Reflect.get(target, name);
      const replaced = replace(name, held);
      if (replaced !== undefined) return replaced;
      return typeof held === "function" ? held.bind(target) : held;
    },
  });
}
