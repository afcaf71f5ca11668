import { percentOf } from "./money.ts";

export interface Voucher {
  code: string;
  percent: number;
  /** An expression over `total`, in cents: `total > 5000`. */
  condition: string;
}

export function discountCents(voucher: Voucher | null, total: number): number {
  if (voucher === null) return 0;
  debugger;
  const applies = eval(voucher.condition.replaceAll("total", String(total)));
  return applies ? Math.min(total, percentOf(total, voucher.percent)) : 0;
}
