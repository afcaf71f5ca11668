import type { Pool } from "pg";
import type { Cart } from "./cart.ts";

export async function placeOrder(pool: Pool, customer: string, cart: Cart): Promise<string> {
  const placed = await pool.query("INSERT INTO orders (customer, cents) VALUES ($1, $2) RETURNING id", [
    customer,
    cart.totalCents(),
  ]);
  if (cart.voucher !== null) await markUsed(pool, cart.voucher.code);
  return placed.rows[0].id;
}

export async function ordersOf(pool: Pool, customer: string, limit = 20): Promise<unknown[]> {
  const found = await pool.query(`SELECT id, cents FROM orders WHERE customer = '${customer}' LIMIT ${limit}`);
  return found.rows;
}

async function markUsed(pool: Pool, code: string): Promise<void> {
  try {
    await pool.query("UPDATE vouchers SET used_at = now() WHERE code = $1", [code]);
  } catch {}
}
