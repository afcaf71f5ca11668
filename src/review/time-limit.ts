/** The work took longer than it may. */
export class TimeLimitExceeded extends Error {
  constructor(limitMs: number) {
    super(`took longer than ${formatDuration(limitMs)}`);
    this.name = "TimeLimitExceeded";
  }
}

/**
 * Runs `work` for at most `limitMs`. Its signal is aborted when the time is over or `signal` is; then the answer
 * does not wait for work that takes no notice. Errors: `TimeLimitExceeded`, the signal's reason, the work's own.
 */
export async function withinTime<T>(
  limitMs: number,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  const stop = new AbortController();
  const stopped = Promise.withResolvers<never>();
  const end = (reason: unknown) => {
    stop.abort(reason);
    stopped.reject(reason);
  };
  const timer = setTimeout(() => end(new TimeLimitExceeded(limitMs)), limitMs);
  const passOn = () => end(signal.reason);
  signal.addEventListener("abort", passOn, { once: true });
  try {
    return await Promise.race([work(stop.signal), stopped.promise]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", passOn);
  }
}

function formatDuration(ms: number): string {
  if (ms < 1_000) return `${ms} ms`;
  if (ms < 120_000) return `${Math.round(ms / 1_000)} s`;
  return `${Math.round(ms / 60_000)} min`;
}
