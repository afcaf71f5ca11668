import type { Kysely } from "kysely";
import type { Repository, RepositoryWithCounts } from "../domain/repository.ts";
import type { RepositoryStore } from "../domain/store.ts";
import { millisecondsOrNull, timeOrNull, withoutUndefined } from "./columns.ts";
import type { RepositoryRow, Tables } from "./tables.ts";

export class SqlRepositories implements RepositoryStore {
  readonly #db: Kysely<Tables>;

  constructor(db: Kysely<Tables>) {
    this.#db = db;
  }

  async insert(repository: Repository): Promise<void> {
    await this.#db
      .insertInto("repositories")
      .values({
        id: repository.id,
        organization_id: repository.organizationId,
        name: repository.name,
        code_host_id: repository.codeHostId,
        auto_review: repository.autoReview ? 1 : 0,
        reviews_count: 0,
        last_review_at: null,
        created_at: repository.createdAt.getTime(),
        disabled_at: millisecondsOrNull(repository.disabledAt),
      })
      .execute();
  }

  async update(
    id: string,
    change: Partial<Pick<Repository, "codeHostId" | "autoReview" | "disabledAt">>,
  ): Promise<boolean> {
    const columns = withoutUndefined({
      code_host_id: change.codeHostId,
      auto_review:
        change.autoReview === undefined ? undefined : change.autoReview ? (1 as const) : (0 as const),
      disabled_at: change.disabledAt === undefined ? undefined : millisecondsOrNull(change.disabledAt),
    });
    if (columns === null) return (await this.get(id)) !== null;
    const result = await this.#db
      .updateTable("repositories")
      .set(columns)
      .where("id", "=", id)
      .executeTakeFirst();
    return result.numUpdatedRows > 0n;
  }

  async get(id: string): Promise<Repository | null> {
    const row = await this.#db.selectFrom("repositories").selectAll().where("id", "=", id).executeTakeFirst();
    return row === undefined ? null : toRepository(row);
  }

  async byName(organizationId: string, name: string): Promise<Repository | null> {
    const row = await this.#db
      .selectFrom("repositories")
      .selectAll()
      .where("organization_id", "=", organizationId)
      .where("name", "=", name)
      .executeTakeFirst();
    return row === undefined ? null : toRepository(row);
  }

  async autoReviewed(): Promise<readonly Repository[]> {
    const rows = await this.#db
      .selectFrom("repositories")
      .selectAll()
      .where("auto_review", "=", 1)
      .where("disabled_at", "is", null)
      .execute();
    return rows.map(toRepository);
  }

  /** Sorted here: databases disagree about the order of text. */
  async list(organizationId: string): Promise<readonly RepositoryWithCounts[]> {
    const rows = await this.#db
      .selectFrom("repositories")
      .selectAll()
      .where("organization_id", "=", organizationId)
      .where("disabled_at", "is", null)
      .execute();
    rows.sort((a, b) => (a.name < b.name ? -1 : 1));
    return rows.map((row) => ({
      ...toRepository(row),
      reviewsCount: row.reviews_count,
      lastReviewAt: timeOrNull(row.last_review_at),
    }));
  }
}

function toRepository(row: RepositoryRow): Repository {
  return {
    id: row.id,
    organizationId: row.organization_id,
    name: row.name,
    codeHostId: row.code_host_id,
    autoReview: row.auto_review === 1,
    createdAt: new Date(row.created_at),
    disabledAt: timeOrNull(row.disabled_at),
  };
}
