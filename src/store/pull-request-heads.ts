import type { Kysely } from "kysely";
import type { PullRequestHead, PullRequestHeadStore } from "../domain/store.ts";
import type { Tables } from "./tables.ts";
import { atomically } from "./transaction.ts";

/** Rows that one statement inserts: three parameters each. */
const headsPerInsert = 1_000;

export class SqlPullRequestHeads implements PullRequestHeadStore {
  readonly #db: Kysely<Tables>;

  constructor(db: Kysely<Tables>) {
    this.#db = db;
  }

  async known(repositoryId: string): Promise<readonly PullRequestHead[] | null> {
    const baseline = await this.#db
      .selectFrom("pull_request_baselines")
      .select("recorded_at")
      .where("repository_id", "=", repositoryId)
      .executeTakeFirst();
    if (baseline === undefined) return null;
    const rows = await this.#db
      .selectFrom("pull_request_heads")
      .select(["pull_request", "head_sha"])
      .where("repository_id", "=", repositoryId)
      .execute();
    return rows.map((row) => ({ number: row.pull_request, headSha: row.head_sha }));
  }

  async record(repositoryId: string, heads: readonly PullRequestHead[], at: Date): Promise<void> {
    await atomically(this.#db, async (tx) => {
      await tx
        .insertInto("pull_request_baselines")
        .values({ repository_id: repositoryId, recorded_at: at.getTime() })
        .onConflict((conflict) => conflict.column("repository_id").doNothing())
        .execute();
      await tx.deleteFrom("pull_request_heads").where("repository_id", "=", repositoryId).execute();
      for (let start = 0; start < heads.length; start += headsPerInsert) {
        const rows = heads.slice(start, start + headsPerInsert);
        await tx
          .insertInto("pull_request_heads")
          .values(
            rows.map(({ number, headSha }) => ({
              repository_id: repositoryId,
              pull_request: number,
              head_sha: headSha,
            })),
          )
          .execute();
      }
    });
  }

  async forget(repositoryId: string): Promise<void> {
    await atomically(this.#db, async (tx) => {
      await tx.deleteFrom("pull_request_heads").where("repository_id", "=", repositoryId).execute();
      await tx.deleteFrom("pull_request_baselines").where("repository_id", "=", repositoryId).execute();
    });
  }
}
