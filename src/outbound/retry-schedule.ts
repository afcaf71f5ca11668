/** When a delivery that failed is tried again. */

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** Milliseconds before each attempt, counted from the one before: ten attempts over three days. */
export const attemptDelaysMs: readonly number[] = [
  0,
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
];

/** A receiver that is overwhelmed gets at least this long. */
const overwhelmedDelayMs = minute;
const overwhelmedStatuses: readonly number[] = [429, 502, 504];
const jitter = 0.2;

export interface FailedAttempt {
  status: number | null;
  timedOut: boolean;
  /** What the receiver asked for with `Retry-After`; null when it did not. */
  retryAfterMs: number | null;
}

/**
 * Milliseconds from the failed attempt, the `attempt`th, to the next one; null when it was the last. `Retry-After` is
 * followed between the scheduled delay and twice that; without it the delay varies by ±20 %, so that many deliveries
 * which failed together do not come back together. `random` is from 0 to 1.
 */
export function retryDelayMs(attempt: number, failed: FailedAttempt, random: number): number | null {
  const scheduled = attemptDelaysMs[attempt];
  if (scheduled === undefined) return null;
  const overwhelmed =
    failed.timedOut || (failed.status !== null && overwhelmedStatuses.includes(failed.status));
  const least = overwhelmed ? overwhelmedDelayMs : 0;
  const base = Math.max(scheduled, least);
  if (failed.retryAfterMs !== null) return Math.min(Math.max(failed.retryAfterMs, base), 2 * base);
  return Math.max(least, Math.round(base * (1 - jitter + 2 * jitter * random)));
}
