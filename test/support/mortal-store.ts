import type { OpenStore, Store } from "../../src/domain/store.ts";

export interface MortalStore {
  store: OpenStore;
  /** From now on nothing asked through it is done, no answer to what was asked arrives, and open transactions roll back. */
  dies(): void;
  /** Dies by itself when so many questions, those inside transactions included, have been done. */
  diesAfter(questions: number): void;
  death: Promise<void>;
}

/** A store as one process holds it, which can be killed before or after any statement. */
export function aMortalStore(store: OpenStore): MortalStore {
  const never = new Promise<never>(() => {});
  const death = Promise.withResolvers<void>();
  let dead = false;
  let left = Number.POSITIVE_INFINITY;

  function dies(): void {
    dead = true;
    death.resolve();
  }

  /** `lost` is what becomes of a question that the dead ask. */
  function mortal<T extends object>(target: T, lost: () => Promise<never>): T {
    const ask = async (question: () => unknown) => {
      if (dead) return lost();
      const [answer] = await Promise.allSettled([question()]);
      left -= 1;
      if (left <= 0) dies();
      if (dead) return lost();
      if (answer.status === "rejected") throw answer.reason;
      return answer.value;
    };
    return new Proxy(target, {
      get(_, name) {
        const value: unknown = Reflect.get(target, name);
        if (name === "transaction" && typeof value === "function") {
          return (work: (tx: Store) => Promise<unknown>) =>
            ask(() => value.call(target, (tx: Store) => work(mortal(tx, rollBack))));
        }
        if (typeof value === "function") {
          return (...args: unknown[]) => ask(() => value.apply(target, args));
        }
        return typeof value === "object" && value !== null ? mortal(value, lost) : value;
      },
    });
  }

  return {
    store: mortal(store, () => never),
    dies,
    diesAfter(questions) {
      left = questions;
    },
    death: death.promise,
  };
}

async function rollBack(): Promise<never> {
  throw new Error("The process died in the middle of a transaction.");
}
