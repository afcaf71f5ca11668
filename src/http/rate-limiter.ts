/**
 * Requests counted per organization, or per address of a stranger, in fixed hours of the UTC clock. Counting is in memory;
 * every second what was added is written down, and the answer is the sum over all processes on the database.
 */
import type { Clock, Logger } from "../domain/runtime.ts";
import type { Store } from "../domain/store.ts";

export interface RateStanding {
  /** Requests per hour. */
  limit: number;
  remaining: number;
  /** Unix seconds at which the count starts anew. */
  resetAt: number;
  /** Until then; at least 1. */
  retryAfterSeconds: number;
  /** The limit was reached before this request, which was not counted. */
  exceeded: boolean;
}

export interface RateLimiter {
  /** Reads back what this hour's earlier processes counted. */
  load(): Promise<void>;
  /** Counts one request of the subject (`org_…` or `ip:…`), unless it is over the limit. */
  count(subject: string, limit: number): RateStanding;
  /** The same without counting. */
  look(subject: string, limit: number): RateStanding;
  flush(): Promise<void>;
}

interface Counter {
  /** The hour's sum as the database last told it. */
  stored: number;
  /** Being written now. */
  writing: number;
  /** Counted since. */
  fresh: number;
}

const hourMs = 3_600_000;
/** Addresses counted one by one in an hour; those after share one count, so that a flood cannot fill the memory. */
const subjectsMax = 20_000;
const otherAddresses = "ip:others";

export function createRateLimiter(deps: { store: Store; clock: Clock; logger: Logger }): RateLimiter {
  const { store, clock, logger } = deps;
  let hour = Math.floor(clock.now().getTime() / hourMs);
  let counters = new Map<string, Counter>();
  let lastWrite = Promise.resolve();

  function counterOf(subject: string): Counter {
    const known = counters.get(subject);
    if (known !== undefined) return known;
    if (subject.startsWith("ip:") && subject !== otherAddresses && counters.size >= subjectsMax) {
      return counterOf(otherAddresses);
    }
    const counter = { stored: 0, writing: 0, fresh: 0 };
    counters.set(subject, counter);
    return counter;
  }

  /** An ended hour is forgotten, written or not: nobody asks for it again. */
  function enterHourOf(nowMs: number): void {
    const current = Math.floor(nowMs / hourMs);
    if (current === hour) return;
    hour = current;
    counters = new Map();
  }

  async function writeFresh(): Promise<void> {
    const changed = [...counters].filter(([, counter]) => counter.fresh > 0);
    if (changed.length === 0) return;
    for (const [, counter] of changed) {
      counter.writing = counter.fresh;
      counter.fresh = 0;
    }
    try {
      const sums = await addAll(store, hourName(hour), changed);
      for (const [at, [, counter]] of changed.entries()) counter.stored = sums[at] ?? counter.stored;
    } catch (error) {
      for (const [, counter] of changed) counter.fresh += counter.writing;
      logger.warn("could not write the request counts down; they are kept for the next time", { error });
    } finally {
      for (const [, counter] of changed) counter.writing = 0;
    }
  }

  function standing(subject: string, limit: number, added: 0 | 1): RateStanding {
    const nowMs = clock.now().getTime();
    enterHourOf(nowMs);
    const counter = counterOf(subject);
    const used = counter.stored + counter.writing + counter.fresh;
    const exceeded = used >= limit;
    if (!exceeded) counter.fresh += added;
    const resetAt = ((hour + 1) * hourMs) / 1000;
    return {
      limit,
      remaining: exceeded ? 0 : limit - used - added,
      resetAt,
      retryAfterSeconds: Math.max(1, Math.ceil(resetAt - nowMs / 1000)),
      exceeded,
    };
  }

  return {
    async load() {
      enterHourOf(clock.now().getTime());
      await store.rates.prune(hourName(hour));
      for (const { subject, count } of await store.rates.load(hourName(hour))) {
        counterOf(subject).stored = count;
      }
    },
    count: (subject, limit) => standing(subject, limit, 1),
    look: (subject, limit) => standing(subject, limit, 0),
    flush() {
      lastWrite = lastWrite.then(writeFresh);
      return lastWrite;
    },
  };
}

function addAll(
  store: Store,
  hour: string,
  changed: readonly (readonly [subject: string, counter: Counter])[],
): Promise<number[]> {
  return store.transaction(async (tx) => {
    const sums: number[] = [];
    for (const [subject, counter] of changed) sums.push(await tx.rates.add(subject, hour, counter.writing));
    return sums;
  });
}

/** `2026-11-21T09` */
function hourName(hour: number): string {
  return new Date(hour * hourMs).toISOString().slice(0, 13);
}
