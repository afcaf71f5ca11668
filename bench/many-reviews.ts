/** Makes many reviews of some, in the database itself: by the store a million would take minutes. No server runs meanwhile. */
import { Database } from "bun:sqlite";

const dayMs = 24 * 3_600_000;
const idPrefixLength = "rev_".length + 10;

/** Every review is there `times` times afterwards, each copy older than the one before and with an id of its own. */
export function multiplyReviews(file: string, times: number): void {
  const database = new Database(file, { strict: true });
  const columns = database
    .query<{ name: string }, []>("SELECT name FROM pragma_table_info('reviews')")
    .all()
    .map(({ name }) => name);
  const copied = columns.map((name) => copiedColumns[name] ?? name).join(", ");
  database.transaction(() => {
    database.run(
      `WITH RECURSIVE copies (copy) AS (SELECT 1 UNION ALL SELECT copy + 1 FROM copies WHERE copy < ?)
       INSERT INTO reviews (${columns.join(", ")}) SELECT ${copied} FROM reviews CROSS JOIN copies`,
      [times - 1],
    );
    const counted = ["pending", "processing", "completed", "failed"].map(
      (status) => `${status} = ${status} * ?1`,
    );
    database.run(`UPDATE review_totals SET ${counted.join(", ")}`, [times]);
  })();
  database.close();
}

const copiedColumns: Readonly<Record<string, string>> = {
  id: `substr(id, 1, ${idPrefixLength}) || printf('%06d', copy) || substr(id, -10)`,
  created_at: `created_at - copy * ${dayMs}`,
};
