import type { Pool } from "pg";
import type { Cart } from "./cart.ts";

export async function placeOrder(pool: Pool, customer: string, cart: Cart): Promise<string> {
  const placed = await pool.query("INSERT INTO orders (customer, cents) VALUES ($1, $2) RETURNING id", [
    customer,
    cart.totalCents(),
  ]);
  return placed.rows[0].id;
}
