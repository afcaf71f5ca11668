import { type Voucher, discountCents } from "./voucher.ts";

export interface Item {
  sku: string;
  cents: number;
  quantity: number;
}

export class Cart {
  readonly items: Item[] = [];
  voucher: Voucher | null = null;

  add(item: Item): void {
    const known = this.items.find((one) => one.sku === item.sku);
    if (known === undefined) this.items.push({ ...item });
    else known.quantity += item.quantity;
  }

  totalCents(): number {
    const sum = this.items.reduce((total, item) => total + item.cents * item.quantity, 0);
    return sum - discountCents(this.voucher, sum);
  }
}
