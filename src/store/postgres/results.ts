/** Bun.SQL's results as the store wants them. */
import type { StatementResult } from "../session.ts";

/** The object id of PostgreSQL's type int8, which Bun.SQL answers as text. */
const int8Type = 20;

interface PostgresResult extends Array<Record<string, unknown>> {
  count: number;
  columns?: readonly { name: string; type: number }[];
}

/** Every int8 of ours (a time, a version, a sum of tokens) is well below 2^53, so it becomes a number. */
export function toStatementResult(result: PostgresResult): StatementResult {
  const bigColumns = (result.columns ?? []).filter(({ type }) => type === int8Type);
  for (const { name } of bigColumns) {
    for (const row of result) {
      if (row[name] !== null) row[name] = Number(row[name]);
    }
  }
  return { rows: result, changes: result.count };
}
