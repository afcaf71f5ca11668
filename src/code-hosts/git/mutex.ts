/** Runs `work` when all work given before it has ended; rejects with the signal's reason when aborted while waiting. */
export type Mutex = <T>(signal: AbortSignal, work: () => Promise<T>) => Promise<T>;

export function createMutex(): Mutex {
  let last: Promise<void> = Promise.resolve();
  return async (signal, work) => {
    const before = last;
    const turn = Promise.withResolvers<void>();
    last = before.then(() => turn.promise);
    try {
      await unlessAborted(before, signal);
      return await work();
    } finally {
      turn.resolve();
    }
  };
}

async function unlessAborted(promise: Promise<void>, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const abort = Promise.withResolvers<never>();
  const onAbort = () => abort.reject(signal.reason);
  signal.addEventListener("abort", onAbort);
  try {
    await Promise.race([promise, abort.promise]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}
