/**
 * A page of the reviews and their version, read by hand: GET /v1/reviews is what clients poll, and building its statement with Kysely
 * costs more than running it. The contract suite holds it to the same answers as reviews.ts.
 */
import type { ReviewStatus } from "../../domain/review.ts";
import type { ReviewFilter } from "../../domain/store.ts";
import type { Prepared } from "../prepared.ts";
import { listColumns, type ReviewListRow, toListItem } from "../review-rows.ts";
import { totalIn } from "../review-totals.ts";
import { withStoreErrors } from "../store-error.ts";
import type { PreparedParts } from "./prepared.ts";

const totalStatement = `SELECT pending, processing, completed, failed FROM review_totals
  WHERE organization_id = ? AND repository = ?`;

const versionStatement = "SELECT version FROM review_totals WHERE organization_id = ? AND repository = ''";

const pageStatements = {
  all: pageStatement(""),
  status: pageStatement("AND status = ?"),
  repository: pageStatement("AND repository = ?"),
  both: pageStatement("AND repository = ? AND status = ?"),
};

export function reviewPageReader({ read, guard }: PreparedParts): Prepared["listReviews"] {
  return async (organizationId, filter, page) => {
    guard.refuseInside();
    const { repository, status } = filter;
    const conditions = [organizationId, repository, status].filter((value) => value !== undefined);
    const [items, totals] = await withStoreErrors(
      Promise.all([
        read({
          sql: pageStatements[shapeOf(filter)],
          parameters: [...conditions, page.limit, page.offset],
        }),
        read({ sql: totalStatement, parameters: [organizationId, repository ?? ""] }),
      ]),
    );
    return {
      items: (items.rows as ReviewListRow[]).map(toListItem),
      total: totalIn(totals.rows[0] as Record<ReviewStatus, number> | undefined, status),
    };
  };
}

export function reviewVersionReader({ read, guard }: PreparedParts): Prepared["reviewVersion"] {
  return async (organizationId) => {
    guard.refuseInside();
    const { rows } = await withStoreErrors(read({ sql: versionStatement, parameters: [organizationId] }));
    const [row] = rows as { version: number }[];
    return row?.version ?? 0;
  };
}

function pageStatement(conditions: string): string {
  return `SELECT ${listColumns.join(", ")} FROM reviews WHERE organization_id = ? ${conditions}
    ORDER BY created_at DESC, id DESC LIMIT ? OFFSET ?`;
}

function shapeOf({ repository, status }: ReviewFilter): keyof typeof pageStatements {
  if (repository !== undefined) return status === undefined ? "repository" : "both";
  return status === undefined ? "all" : "status";
}
