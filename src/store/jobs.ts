import { type Kysely, sql } from "kysely";
import {
  type ClaimedJob,
  type JobState,
  type Lane,
  laneCapDefault,
  leaseMs,
  type NewJob,
} from "../domain/job.ts";
import type { Ids } from "../domain/runtime.ts";
import type { JobStore, OpenStore } from "../domain/store.ts";
import { claimedColumns, claimJob, firstRunAt, toClaimedJob } from "./claim-job.ts";
import { timeOrNull } from "./columns.ts";
import type { Prepared } from "./prepared.ts";
import type { StoreParts } from "./store.ts";
import type { JobRow, Tables } from "./tables.ts";
import { atomically } from "./transaction.ts";

/** What the claimed job's row becomes when nobody holds it any more. */
const unleased = { lease_token: null, lease_until: null } as const;

const interrupted = "interrupted: the process that ran it went away";

export class SqlJobs implements JobStore {
  readonly #db: Kysely<Tables>;
  readonly #engine: OpenStore["engine"];
  readonly #ids: Ids;
  readonly #prepared: Prepared | null;

  constructor({ db, engine, ids, prepared }: StoreParts) {
    this.#db = db;
    this.#engine = engine;
    this.#ids = ids;
    this.#prepared = prepared;
  }

  async enqueue(job: NewJob, at: Date): Promise<{ id: string } | "duplicate"> {
    return atomically(this.#db, async (tx) => {
      await ensureLane(tx, job);
      const made = await tx
        .insertInto("jobs")
        .values(toRow(this.#ids.next("job"), job, at))
        .onConflict((conflict) => conflict.column("dedupe_key").doNothing())
        .returning("id")
        .executeTakeFirst();
      return made ?? "duplicate";
    });
  }

  async claim(lane: Lane, now: Date, leaseToken: string): Promise<ClaimedJob | null> {
    const [job = null] = await this.claimSeveral(lane, now, [leaseToken]);
    return job;
  }

  async claimSeveral(lane: Lane, now: Date, leaseTokens: readonly string[]): Promise<readonly ClaimedJob[]> {
    if (this.#prepared !== null) return this.#prepared.claimSeveral(lane, now, leaseTokens);
    const claimed: ClaimedJob[] = [];
    for (const leaseToken of leaseTokens) {
      const job = await claimJob(this.#db, this.#engine, { lane, now, leaseToken });
      if (job === null) break;
      claimed.push(job);
    }
    return claimed;
  }

  async heartbeat(job: ClaimedJob, now: Date): Promise<boolean> {
    return this.#write(job, { lease_until: now.getTime() + leaseMs });
  }

  async complete(job: ClaimedJob, now: Date): Promise<boolean> {
    return this.#write(job, { state: "done", ended_at: now.getTime(), ...unleased });
  }

  async retry(job: ClaimedJob, runAt: Date, error: string): Promise<boolean> {
    return this.#write(job, { state: "queued", run_at: runAt.getTime(), last_error: error, ...unleased });
  }

  async bury(job: ClaimedJob, now: Date, error: string): Promise<boolean> {
    return this.#write(job, { state: "failed", ended_at: now.getTime(), last_error: error, ...unleased });
  }

  async release(job: ClaimedJob, now: Date): Promise<boolean> {
    const attempt = job.attempt - 1;
    return this.#write(job, { state: "queued", run_at: now.getTime(), attempt, ...unleased });
  }

  async recover(now: Date, which: "all" | "expired"): Promise<readonly ClaimedJob[]> {
    return atomically(this.#db, async (tx) => {
      const orphans = tx
        .updateTable("jobs")
        .where("state", "=", "running")
        .$if(which === "expired", (query) => query.where("lease_until", "<", now.getTime()));
      const buried = await orphans
        .set({ state: "failed", ended_at: now.getTime(), last_error: interrupted, ...unleased })
        .whereRef("attempt", ">=", "max_attempts")
        .returning(claimedColumns)
        .execute();
      await orphans
        .set({ state: "queued", run_at: now.getTime(), last_error: interrupted, ...unleased })
        .execute();
      return buried.map(toClaimedJob);
    });
  }

  /** One look per organization of the lane, each at the head of an index: flat in the number of jobs. */
  async nextRunAt(lane: Lane): Promise<Date | null> {
    if (this.#prepared !== null) return this.#prepared.nextRunAt(lane);
    const row = await this.#db
      .selectFrom("job_lanes as o")
      .select(sql<number | null>`min(${sql.raw(firstRunAt)})`.as("run_at"))
      .where("o.lane", "=", lane)
      .executeTakeFirstOrThrow();
    return timeOrNull(row.run_at);
  }

  /** Three statements, each on the partial index of its state. */
  async counts(): Promise<readonly { lane: Lane; state: JobState; count: number }[]> {
    const groups = (["queued", "running", "failed"] as const).map((state) =>
      this.#db
        .selectFrom("jobs")
        .select(["lane", sql<number>`cast(count(*) as integer)`.as("count")])
        .where("state", "=", sql.lit(state))
        .groupBy("lane")
        .execute()
        .then((rows) => rows.map((row) => ({ ...row, state }))),
    );
    return (await Promise.all(groups)).flat();
  }

  async prune(before: Date, limit: number): Promise<number> {
    const result = await this.#db
      .deleteFrom("jobs")
      .where("id", "in", (eb) =>
        eb
          .selectFrom("jobs")
          .select("id")
          .where("ended_at", "is not", null)
          .where("ended_at", "<", before.getTime())
          .orderBy("ended_at")
          .limit(limit),
      )
      .executeTakeFirst();
    return Number(result.numDeletedRows);
  }

  /** Writes under the job's lease; false when somebody else has it by now. */
  async #write(job: ClaimedJob, columns: Partial<JobRow>): Promise<boolean> {
    const result = await this.#db
      .updateTable("jobs")
      .set(columns)
      .where("id", "=", job.id)
      .where("lease_token", "=", job.leaseToken)
      .where("state", "=", "running")
      .executeTakeFirst();
    return result.numUpdatedRows > 0n;
  }
}

async function ensureLane(tx: Kysely<Tables>, job: NewJob): Promise<void> {
  await tx
    .insertInto("job_lanes")
    .values({
      lane: job.lane,
      organization_id: job.organizationId,
      cap: laneCapDefault[job.lane],
      last_claim_at: 0,
    })
    .onConflict((conflict) => conflict.columns(["lane", "organization_id"]).doNothing())
    .execute();
}

function toRow(id: string, job: NewJob, at: Date): JobRow {
  return {
    id,
    lane: job.lane,
    organization_id: job.organizationId,
    kind: job.kind,
    state: "queued",
    priority: job.priority,
    run_at: job.runAt.getTime(),
    attempt: 0,
    max_attempts: job.maxAttempts,
    lock_key: job.lockKey,
    dedupe_key: job.dedupeKey,
    ...unleased,
    created_at: at.getTime(),
    ended_at: null,
    last_error: null,
    payload: JSON.stringify(job.payload),
  };
}
