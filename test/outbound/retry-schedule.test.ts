import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { attemptDelaysMs, type FailedAttempt, retryDelayMs } from "../../src/outbound/retry-schedule.ts";

const refused: FailedAttempt = { status: 500, timedOut: false, retryAfterMs: null };
const middle = 0.5;

describe("retrying a delivery", () => {
  test("waits 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h, then gives up", () => {
    const delays = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((attempt) => retryDelayMs(attempt, refused, middle));
    const seconds = delays.map((ms) => (ms === null ? null : ms / 1000));
    expect(seconds).toEqual([5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400, null]);
  });

  test("varies every wait by up to 20 %", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 9 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (attempt, random) => {
          const scheduled = attemptDelaysMs[attempt] ?? 0;
          const delay = retryDelayMs(attempt, refused, random) ?? 0;
          expect(delay).toBeGreaterThanOrEqual(Math.floor(scheduled * 0.8));
          expect(delay).toBeLessThanOrEqual(Math.ceil(scheduled * 1.2));
        },
      ),
    );
    expect(retryDelayMs(2, refused, 0)).toBe(240_000);
    expect(retryDelayMs(2, refused, 1)).toBe(360_000);
  });

  test("follows Retry-After between the scheduled wait and twice that", () => {
    const asked = (seconds: number) => ({ ...refused, status: 503, retryAfterMs: seconds * 1000 });
    expect(retryDelayMs(2, asked(1), middle)).toBe(300_000);
    expect(retryDelayMs(2, asked(450), middle)).toBe(450_000);
    expect(retryDelayMs(2, asked(86_400), middle)).toBe(600_000);
  });

  test("leaves an overwhelmed receiver alone for a minute at least", () => {
    for (const random of [0, middle, 1]) {
      for (const status of [429, 502, 504]) {
        expect(retryDelayMs(1, { ...refused, status }, random)).toBeGreaterThanOrEqual(60_000);
      }
      const timedOut = { ...refused, status: null, timedOut: true };
      expect(retryDelayMs(1, timedOut, random)).toBeGreaterThanOrEqual(60_000);
    }
    expect(retryDelayMs(1, { ...refused, status: 429, retryAfterMs: 90_000 }, middle)).toBe(90_000);
    expect(retryDelayMs(1, { ...refused, status: 429, retryAfterMs: 300_000 }, middle)).toBe(120_000);
  });
});
