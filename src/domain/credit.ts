/** Monthly review credits as a ledger (docs/api.md). A period is a UTC calendar month, `2026-11`. */

export type Period = string;

export const creditsPerReview = 1;

export function periodOf(instant: Date): Period {
  return instant.toISOString().slice(0, 7);
}

/** The first instant after the period. `Date.UTC` carries month 12 into January of the next year. */
export function periodEnd(period: Period): Date {
  const [year, month] = period.split("-").map(Number) as [number, number];
  return new Date(Date.UTC(year, month, 1));
}

export function periodStart(period: Period): Date {
  return new Date(`${period}-01T00:00:00.000Z`);
}

export interface CreditBalance {
  period: Period;
  /** Everything granted in the period, plan changes included. */
  total: number;
  used: number;
  reserved: number;
  /** total − used − reserved; never negative. */
  remaining: number;
}
