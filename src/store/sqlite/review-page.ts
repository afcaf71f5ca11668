/**
 * A page of the reviews, read by hand: GET /v1/reviews is what clients poll, and building its statement with Kysely
 * costs more than running it. The contract suite holds it to the same answers as reviews.ts.
 */
import type { ReviewStatus } from "../../domain/review.ts";
import type { ReviewFilter } from "../../domain/store.ts";
import { listColumns, type ReviewListRow, toListItem } from "../review-rows.ts";
import { totalIn } from "../review-totals.ts";
import type { ReadReviewPage } from "../reviews.ts";
import { withStoreErrors } from "../store-error.ts";
import type { TransactionGuard } from "../transaction.ts";
import type { ReadConnection } from "./read-connection.ts";

const totalStatement = `SELECT pending, processing, completed, failed FROM review_totals
  WHERE organization_id = ? AND repository = ?`;

const pageStatements = {
  all: pageStatement(""),
  status: pageStatement("AND status = ?"),
  repository: pageStatement("AND repository = ?"),
  both: pageStatement("AND repository = ? AND status = ?"),
};

export function reviewPageReader(reader: ReadConnection, guard: TransactionGuard): ReadReviewPage {
  return async (organizationId, filter, page) => {
    guard.refuseInside();
    const { repository, status } = filter;
    const conditions = [organizationId, repository, status].filter((value) => value !== undefined);
    const [items, totals] = await withStoreErrors(
      Promise.all([
        reader.run({
          sql: pageStatements[shapeOf(filter)],
          parameters: [...conditions, page.limit, page.offset],
        }),
        reader.run({ sql: totalStatement, parameters: [organizationId, repository ?? ""] }),
      ]),
    );
    return {
      items: (items.rows as ReviewListRow[]).map(toListItem),
      total: totalIn(totals.rows[0] as Record<ReviewStatus, number> | undefined, status),
    };
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
