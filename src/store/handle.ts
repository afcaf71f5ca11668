/** An open store: the repositories, and the life of what is under them. */
import { sql } from "kysely";
import type { StoreHandle } from "./open.ts";
import { SqlStore, type StoreParts } from "./store.ts";

export function storeHandle(parts: StoreParts, closeConnections: () => Promise<void>): StoreHandle {
  let closing: Promise<void> | null = null;
  const life = {
    engine: parts.engine,
    // Raw, so that on SQLite it goes through the writer: a store that can only read is not ready.
    ping: async () => {
      await sql`SELECT 1`.execute(parts.db);
    },
    close: () => {
      closing ??= closeConnections();
      return closing;
    },
  };
  return { store: Object.assign(new SqlStore(parts), life), kysely: parts.db, engine: parts.engine };
}
