import type { Kysely, SelectQueryBuilder } from "kysely";
import type { ReviewComment } from "../domain/comment.ts";
import type { Period } from "../domain/credit.ts";
import type {
  Review,
  ReviewFailure,
  ReviewOutcome,
  ReviewStatus,
  ReviewWithComments,
} from "../domain/review.ts";
import type { Page, ReviewFilter, ReviewListItem, ReviewStore, ReviewUsage } from "../domain/store.ts";
import type { Prepared } from "./prepared.ts";
import {
  fromComment,
  fromMetrics,
  fromReview,
  listColumns,
  toComment,
  toListItem,
  toReview,
} from "./review-rows.ts";
import { type Counted, countStatus, countUsage, totalOf, usageOf, versionOf } from "./review-totals.ts";
import type { StoreParts } from "./store.ts";
import type { ReviewRow, Tables } from "./tables.ts";
import { atomically } from "./transaction.ts";

/** Comments inserted by one statement: 13 parameters each, of the 65,535 that PostgreSQL takes. */
const commentsPerInsert = 500;
const recentReviews = 50;

/** A review moves forward only, so looking at the earlier status first misses no concurrent move. */
const openStatuses = ["pending", "processing"] as const satisfies readonly ReviewStatus[];

export class SqlReviews implements ReviewStore {
  readonly #db: Kysely<Tables>;
  readonly #prepared: Prepared | null;

  constructor({ db, prepared }: Pick<StoreParts, "db" | "prepared">) {
    this.#db = db;
    this.#prepared = prepared;
  }

  async insert(review: Review): Promise<void> {
    const row = fromReview(review);
    await atomically(this.#db, async (tx) => {
      await tx.insertInto("reviews").values(row).execute();
      await countStatus(tx, row, { [row.status]: 1 });
      await countUsage(tx, row, usageOfNew(row));
      await countInRepository(tx, row);
    });
  }

  async get(organizationId: string, id: string): Promise<ReviewWithComments | null> {
    const row = await this.#db
      .selectFrom("reviews")
      .selectAll()
      .where("id", "=", id)
      .where("organization_id", "=", organizationId)
      .executeTakeFirst();
    if (row === undefined) return null;
    const comments = row.comments_count === 0 ? [] : await this.#comments(id);
    return { ...toReview(row), comments };
  }

  async list(
    organizationId: string,
    filter: ReviewFilter,
    page: { offset: number; limit: number },
  ): Promise<Page<ReviewListItem>> {
    if (this.#prepared !== null) return this.#prepared.listReviews(organizationId, filter, page);
    const total = await totalOf(this.#db, organizationId, filter);
    const rows = await matching(this.#db.selectFrom("reviews"), organizationId, filter)
      .select(listColumns)
      .orderBy("created_at", "desc")
      .orderBy("id", "desc")
      .limit(page.limit)
      .offset(page.offset)
      .execute();
    return { items: rows.map(toListItem), total };
  }

  async unfinished(repositoryId: string, pullRequest: number): Promise<readonly Review[]> {
    const rows = await this.#db
      .selectFrom("reviews")
      .selectAll()
      .where("repository_id", "=", repositoryId)
      .where("pull_request", "=", pullRequest)
      .where("completed_at", "is", null)
      .orderBy("id")
      .execute();
    return rows.map(toReview);
  }

  async version(organizationId: string): Promise<number> {
    if (this.#prepared !== null) return this.#prepared.reviewVersion(organizationId);
    return versionOf(this.#db, organizationId);
  }

  async start(id: string, at: Date): Promise<boolean> {
    return this.#move(id, { status: "processing", started_at: at.getTime() }, { unstarted: true });
  }

  async setPullRequest(
    id: string,
    known: Pick<Review, "pullRequestUrl" | "headSha" | "baseSha">,
  ): Promise<void> {
    await atomically(this.#db, async (tx) => {
      const review = await tx
        .updateTable("reviews")
        .set({ pull_request_url: known.pullRequestUrl, head_sha: known.headSha, base_sha: known.baseSha })
        .where("id", "=", id)
        .returning(["organization_id", "repository", "created_at"])
        .executeTakeFirst();
      if (review !== undefined) await countStatus(tx, review, {});
    });
  }

  async complete(id: string, outcome: ReviewOutcome, at: Date): Promise<boolean> {
    const columns = {
      status: "completed" as const,
      completed_at: at.getTime(),
      summary: outcome.summary,
      comments_count: outcome.comments.length,
      ...fromMetrics(outcome.metrics),
    };
    return this.#move(id, columns, {
      afterwards: async (tx, review) => {
        await insertComments(tx, id, outcome.comments);
        await countUsage(tx, review, {
          completed: 1,
          tokens_used: outcome.metrics.tokensUsed,
          duration_seconds: outcome.metrics.durationSeconds,
        });
      },
    });
  }

  async fail(id: string, failure: ReviewFailure, at: Date): Promise<boolean> {
    const columns = {
      status: "failed" as const,
      completed_at: at.getTime(),
      failure_code: failure.code,
      failure_message: failure.message,
    };
    return this.#move(id, columns, {
      afterwards: async (tx, review) => {
        if (failure.code === "superseded") await countUsage(tx, review, { reviews: -1 });
      },
    });
  }

  async usage(organizationId: string, period: Period): Promise<ReviewUsage> {
    return usageOf(this.#db, organizationId, period);
  }

  async recentDurationSeconds(organizationId: string): Promise<number | null> {
    const rows = await matching(this.#db.selectFrom("reviews"), organizationId, { status: "completed" })
      .select("duration_seconds")
      .orderBy("created_at", "desc")
      .orderBy("id", "desc")
      .limit(recentReviews)
      .execute();
    if (rows.length === 0) return null;
    const sum = rows.reduce((seconds, row) => seconds + (row.duration_seconds ?? 0), 0);
    return Math.round(sum / rows.length);
  }

  /** Takes an open review to another status and counts that; false when it was not open (or, if asked, had started). */
  async #move(
    id: string,
    columns: Partial<ReviewRow> & { status: ReviewStatus },
    options: { unstarted?: boolean; afterwards?: (tx: Kysely<Tables>, review: Counted) => Promise<void> },
  ): Promise<boolean> {
    return atomically(this.#db, async (tx) => {
      for (const from of openStatuses) {
        const review = await tx
          .updateTable("reviews")
          .set(columns)
          .where("id", "=", id)
          .where("status", "=", from)
          .$if(options.unstarted === true, (query) => query.where("started_at", "is", null))
          .returning(["organization_id", "repository", "created_at"])
          .executeTakeFirst();
        if (review === undefined) continue;
        await countStatus(tx, review, from === columns.status ? {} : { [from]: -1, [columns.status]: 1 });
        await options.afterwards?.(tx, review);
        return true;
      }
      return false;
    });
  }

  async #comments(reviewId: string): Promise<ReviewComment[]> {
    const rows = await this.#db
      .selectFrom("review_comments")
      .selectAll()
      .where("review_id", "=", reviewId)
      .orderBy("position")
      .execute();
    return rows.map(toComment);
  }
}

function matching<O>(
  query: SelectQueryBuilder<Tables, "reviews", O>,
  organizationId: string,
  filter: ReviewFilter,
): SelectQueryBuilder<Tables, "reviews", O> {
  let matched = query.where("organization_id", "=", organizationId);
  if (filter.repository !== undefined) matched = matched.where("repository", "=", filter.repository);
  if (filter.status !== undefined) matched = matched.where("status", "=", filter.status);
  return matched;
}

async function insertComments(
  tx: Kysely<Tables>,
  reviewId: string,
  comments: readonly ReviewComment[],
): Promise<void> {
  const rows = comments.map((comment, position) => fromComment(reviewId, comment, position));
  for (let start = 0; start < rows.length; start += commentsPerInsert) {
    const values = rows.slice(start, start + commentsPerInsert);
    await tx.insertInto("review_comments").values(values).execute();
  }
}

function usageOfNew(row: ReviewRow): {
  reviews: number;
  completed: number;
  tokens_used: number;
  duration_seconds: number;
} {
  return {
    reviews: row.failure_code === "superseded" ? 0 : 1,
    completed: row.status === "completed" ? 1 : 0,
    tokens_used: row.tokens_used ?? 0,
    duration_seconds: row.duration_seconds ?? 0,
  };
}

async function countInRepository(tx: Kysely<Tables>, row: ReviewRow): Promise<void> {
  await tx
    .updateTable("repositories")
    .set((eb) => ({
      reviews_count: eb("reviews_count", "+", 1),
      last_review_at: eb
        .case()
        .when("last_review_at", ">", row.created_at)
        .then(eb.ref("last_review_at"))
        .else(row.created_at)
        .end(),
    }))
    .where("id", "=", row.repository_id)
    .execute();
}
