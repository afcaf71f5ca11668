import type { Clock } from "../../src/domain/runtime.ts";

export interface FakeClock extends Clock {
  /** `500 ms`, `90 seconds`, `2 hours`, `35 days` */
  passes(time: string): void;
  set(instant: string): void;
}

const units: Readonly<Record<string, number>> = {
  ms: 1,
  second: 1_000,
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
};

/** Stands still until told otherwise. */
export function createFakeClock(start = "2026-11-21T06:00:00.000Z"): FakeClock {
  let wall = Date.parse(start);
  let monotonic = 0;
  return {
    now: () => new Date(wall),
    monotonicMs: () => monotonic,
    passes(time) {
      const [, number = "", unit = ""] = /^(\d+) (ms|second|minute|hour|day)s?$/.exec(time) ?? [];
      const unitMs = units[unit];
      if (unitMs === undefined) throw new Error(`Not a length of time: ${time}`);
      wall += Number(number) * unitMs;
      monotonic += Number(number) * unitMs;
    },
    set(instant) {
      wall = Date.parse(instant);
    },
  };
}
