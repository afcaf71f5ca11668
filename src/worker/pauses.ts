/** How the worker waits: until something rings, or for a while unless it is told to stop. */

export interface Doorbell {
  ring(): void;
  /** Resolves when it rings, or after `ms`. A ring that nobody was waiting for is not lost: it ends the next wait. */
  wait(ms: number): Promise<void>;
}

export function createDoorbell(): Doorbell {
  let rung = false;
  let answer: (() => void) | null = null;
  return {
    ring() {
      rung = true;
      answer?.();
    },
    async wait(ms) {
      if (!rung) {
        const { promise, resolve } = Promise.withResolvers<void>();
        const timer = setTimeout(resolve, ms);
        answer = resolve;
        await promise;
        clearTimeout(timer);
        answer = null;
      }
      rung = false;
    },
  };
}

/** Resolves after `ms`, or at once when the signal is aborted. */
export async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  const wake = () => resolve();
  signal.addEventListener("abort", wake, { once: true });
  await promise;
  clearTimeout(timer);
  signal.removeEventListener("abort", wake);
}

/** After the store failed `failures` times in a row: 0.5 s, doubling to 30 s. */
export function storeBackOffMs(failures: number): number {
  return Math.min(30_000, 500 * 2 ** (failures - 1));
}
