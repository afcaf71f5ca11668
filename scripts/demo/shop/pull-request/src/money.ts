/** Amounts are whole cents. */
export function formatCents(cents: number, currency = "EUR"): string {
  return new Intl.NumberFormat("en", { style: "currency", currency }).format(cents / 100);
}

export function percentOf(cents: number, percent: number): number {
  return Math.round((cents * percent) / 100);
}
