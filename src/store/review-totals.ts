/**
 * Totals of reviews, changed in the transaction that changes a review, so that no list and no usage ever counts rows.
 * The row with an empty repository counts the whole organization and carries its version, which every change raises.
 */
import type { Kysely } from "kysely";
import { type Period, periodOf } from "../domain/credit.ts";
import type { ReviewStatus } from "../domain/review.ts";
import type { ReviewFilter, ReviewUsage } from "../domain/store.ts";
import type { Tables } from "./tables.ts";

const wholeOrganization = "";

/** Which totals a review counts in. */
export interface Counted {
  organization_id: string;
  repository: string;
  created_at: number;
}

type StatusChange = Partial<Record<ReviewStatus, number>>;

export interface UsageChange {
  /** −1 for one that turned out superseded. */
  reviews?: number;
  completed?: number;
  tokens_used?: number;
  duration_seconds?: number;
}

/** Adds `change` to the counts by status, and 1 to the versions. */
export async function countStatus(db: Kysely<Tables>, review: Counted, change: StatusChange): Promise<void> {
  const counts = { pending: 0, processing: 0, completed: 0, failed: 0, ...change, version: 1 };
  const { organization_id, repository } = review;
  await db
    .insertInto("review_totals")
    .values([
      { organization_id, repository: wholeOrganization, ...counts },
      { organization_id, repository, ...counts },
    ])
    .onConflict((conflict) =>
      conflict.columns(["organization_id", "repository"]).doUpdateSet((eb) => ({
        pending: eb("review_totals.pending", "+", eb.ref("excluded.pending")),
        processing: eb("review_totals.processing", "+", eb.ref("excluded.processing")),
        completed: eb("review_totals.completed", "+", eb.ref("excluded.completed")),
        failed: eb("review_totals.failed", "+", eb.ref("excluded.failed")),
        version: eb("review_totals.version", "+", eb.ref("excluded.version")),
      })),
    )
    .execute();
}

/** Adds `change` to the usage of the month in which the review was created. */
export async function countUsage(db: Kysely<Tables>, review: Counted, change: UsageChange): Promise<void> {
  await db
    .insertInto("review_periods")
    .values({
      organization_id: review.organization_id,
      period: periodOf(new Date(review.created_at)),
      ...{ reviews: 0, completed: 0, tokens_used: 0, duration_seconds: 0, ...change },
    })
    .onConflict((conflict) =>
      conflict.columns(["organization_id", "period"]).doUpdateSet((eb) => ({
        reviews: eb("review_periods.reviews", "+", eb.ref("excluded.reviews")),
        completed: eb("review_periods.completed", "+", eb.ref("excluded.completed")),
        tokens_used: eb("review_periods.tokens_used", "+", eb.ref("excluded.tokens_used")),
        duration_seconds: eb("review_periods.duration_seconds", "+", eb.ref("excluded.duration_seconds")),
      })),
    )
    .execute();
}

export async function totalOf(
  db: Kysely<Tables>,
  organizationId: string,
  filter: ReviewFilter,
): Promise<number> {
  const row = await db
    .selectFrom("review_totals")
    .select(["pending", "processing", "completed", "failed"])
    .where("organization_id", "=", organizationId)
    .where("repository", "=", filter.repository ?? wholeOrganization)
    .executeTakeFirst();
  return totalIn(row, filter.status);
}

/** The sum of a row's counts, or the one of `status`; 0 without a row. */
export function totalIn(
  row: Record<ReviewStatus, number> | undefined,
  status: ReviewStatus | undefined,
): number {
  if (row === undefined) return 0;
  if (status !== undefined) return row[status];
  return row.pending + row.processing + row.completed + row.failed;
}

export async function versionOf(db: Kysely<Tables>, organizationId: string): Promise<number> {
  const row = await db
    .selectFrom("review_totals")
    .select("version")
    .where("organization_id", "=", organizationId)
    .where("repository", "=", wholeOrganization)
    .executeTakeFirst();
  return row?.version ?? 0;
}

export async function usageOf(
  db: Kysely<Tables>,
  organizationId: string,
  period: Period,
): Promise<ReviewUsage> {
  const row = await db
    .selectFrom("review_periods")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .where("period", "=", period)
    .executeTakeFirst();
  if (row === undefined) return { reviews: 0, tokensUsed: 0, averageSeconds: 0 };
  const averageSeconds = row.completed === 0 ? 0 : Math.round(row.duration_seconds / row.completed);
  return { reviews: row.reviews, tokensUsed: row.tokens_used, averageSeconds };
}
