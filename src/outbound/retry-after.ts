/** `Retry-After` (RFC 9110 §10.2.3) is a number of seconds or a date. */

const imfDate = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** Milliseconds after `now`, 0 when that is past; null without the header or when it is malformed. */
export function retryAfterMs(value: string | undefined, now: Date): number | null {
  if (value === undefined) return null;
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1000;
  if (!imfDate.test(value)) return null;
  return Math.max(0, Date.parse(value) - now.getTime());
}
