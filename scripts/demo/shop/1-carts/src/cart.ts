export interface Item {
  sku: string;
  cents: number;
  quantity: number;
}

export class Cart {
  readonly items: Item[] = [];

  add(item: Item): void {
    if (item.quantity <= 0) {
      throw new Error("A cart takes at least one of each item.");
    }
    const known = this.items.find((one) => one.sku === item.sku);
    if (known === undefined) this.items.push({ ...item });
    else known.quantity += item.quantity;
  }

  totalCents(): number {
    return this.items.reduce((sum, item) => sum + item.cents * item.quantity, 0);
  }
}
