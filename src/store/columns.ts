/** Between the domain's values and what columns hold. */

/** A time of a column: whole milliseconds since 1970 UTC. */
export function timeOrNull(milliseconds: number | null): Date | null {
  return milliseconds === null ? null : new Date(milliseconds);
}

export function millisecondsOrNull(time: Date | null): number | null {
  return time === null ? null : time.getTime();
}

/** A change's columns without those it leaves alone; null when it changes nothing. */
export function withoutUndefined<T extends object>(columns: T): Partial<T> | null {
  const entries = Object.entries(columns).filter(([, value]) => value !== undefined);
  return entries.length === 0 ? null : (Object.fromEntries(entries) as Partial<T>);
}
