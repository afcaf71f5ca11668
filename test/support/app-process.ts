/** The process in which the test app works: it can die, be taken for dead, and be followed by another. */
import type { OpenStore } from "../../src/domain/store.ts";
import type { Worker } from "../../src/worker/worker.ts";
import type { FakeClock } from "./fake-clock.ts";
import { aMortalStore } from "./mortal-store.ts";

export interface AppProcess {
  /** Does everything that is due. */
  work(): Promise<void>;
  /** It is gone without a word, and another takes its place. */
  crashesAndRestarts(): Promise<void>;
  /**
   * Works until it has asked its store so many things, dies there, and another takes its place. False when the work
   * was done before.
   */
  crashesAfter(questions: number): Promise<boolean>;
  /** Another process believes that this one is dead; it is not. */
  isTakenForDead(): Promise<void>;
  stop(): Promise<void>;
}

export function startProcess(
  store: OpenStore,
  clock: FakeClock,
  newWorker: (store: OpenStore) => Worker,
): AppProcess {
  const begin = () => {
    const mortal = aMortalStore(store);
    return { mortal, worker: newWorker(mortal.store) };
  };
  let current = begin();

  const appProcess: AppProcess = {
    work: () => current.worker.runUntilIdle(),
    async crashesAndRestarts() {
      current.mortal.dies();
      // On PostgreSQL the dead process might be one that lives: its leases must end first.
      if (store.engine === "postgres") clock.passes("61 seconds");
      const { worker } = begin();
      await worker.start();
      await worker.stop(0);
      current = begin();
    },
    async crashesAfter(questions) {
      current.mortal.diesAfter(questions);
      const worked = appProcess.work().then(() => false);
      const died = await Promise.race([worked, current.mortal.death.then(() => true)]);
      await appProcess.crashesAndRestarts();
      return died;
    },
    async isTakenForDead() {
      await store.jobs.recover(clock.now(), "all");
    },
    stop: () => current.worker.stop(0),
  };
  return appProcess;
}
