/**
 * The claim. An organization's row in job_lanes is locked first, then its head job is taken: so claims of one
 * organization stand in line, and its cap is exact. Between the lock and the job another claim may have ended: the
 * second statement counts and looks at lock keys again, on PostgreSQL with a newer snapshot than the first.
 *
 * `(SELECT 1 … LIMIT 1) IS NOT NULL` instead of EXISTS: SQLite rewrites that into a join that reads the whole backlog.
 */
import { type Kysely, type RawBuilder, sql } from "kysely";
import { isAppError } from "../domain/errors.ts";
import { type ClaimedJob, type Lane, leaseMs } from "../domain/job.ts";
import type { OpenStore } from "../domain/store.ts";
import type { JobRow, Tables } from "./tables.ts";
import { atomically } from "./transaction.ts";

export const claimedColumns = [
  "id",
  "lane",
  "organization_id",
  "kind",
  "payload",
  "attempt",
  "max_attempts",
  "lease_token",
  "created_at",
] as const satisfies readonly (keyof JobRow)[];

export interface Claim {
  lane: Lane;
  now: Date;
  leaseToken: string;
}

/** SQL over the job `j`. */
export const lockKeyIsFree = `(j.lock_key IS NULL OR NOT EXISTS
  (SELECT 1 FROM jobs AS l WHERE l.lock_key = j.lock_key AND l.state = 'running'))`;

/** SQL over the organization `o`. */
export const runningInLane = `(SELECT count(*) FROM jobs AS r
  WHERE r.lane = o.lane AND r.organization_id = o.organization_id AND r.state = 'running')`;

/** SQL over the organization `o`: when the first of its queued jobs is due. */
export const firstRunAt = `(SELECT j.run_at FROM jobs AS j
  WHERE j.lane = o.lane AND j.organization_id = o.organization_id AND j.state = 'queued'
  ORDER BY j.run_at LIMIT 1)`;

/** How an organization is locked: SQLite has one writer; PostgreSQL first tries those that nobody is claiming from. */
const lockings = {
  sqlite: [sql``],
  postgres: [sql`FOR UPDATE OF o SKIP LOCKED`, sql`FOR UPDATE OF o`],
} as const satisfies Record<OpenStore["engine"], readonly RawBuilder<unknown>[]>;

const jobLocking = {
  sqlite: sql``,
  postgres: sql`FOR UPDATE SKIP LOCKED`,
} as const satisfies Record<OpenStore["engine"], RawBuilder<unknown>>;

export async function claimJob(
  db: Kysely<Tables>,
  engine: OpenStore["engine"],
  claim: Claim,
): Promise<ClaimedJob | null> {
  for (const locking of lockings[engine]) {
    const job = await attemptClaim(db, engine, locking, claim);
    if (job !== null) return job;
  }
  return null;
}

export function toClaimedJob(row: Pick<JobRow, (typeof claimedColumns)[number]>): ClaimedJob {
  return {
    id: row.id,
    lane: row.lane,
    organizationId: row.organization_id,
    kind: row.kind,
    payload: JSON.parse(row.payload),
    attempt: row.attempt,
    maxAttempts: row.max_attempts,
    leaseToken: row.lease_token ?? "",
    createdAt: new Date(row.created_at),
  };
}

async function attemptClaim(
  db: Kysely<Tables>,
  engine: OpenStore["engine"],
  locking: RawBuilder<unknown>,
  claim: Claim,
): Promise<ClaimedJob | null> {
  try {
    return await atomically(db, async (tx) => {
      const chosen = await chooseOrganization(tx, locking, claim);
      if (chosen === undefined) return null;
      const job = await takeHeadJob(tx, engine, chosen, claim);
      if (job === undefined) return null;
      await tx
        .updateTable("job_lanes")
        .set({ last_claim_at: claim.now.getTime() })
        .where("lane", "=", claim.lane)
        .where("organization_id", "=", chosen.organization_id)
        .execute();
      return toClaimedJob(job);
    });
  } catch (error) {
    // The unique index on running lock keys: another lane or organization took the key in this very moment.
    if (isAppError(error, "conflict") && !db.isTransaction) return null;
    throw error;
  }
}

async function chooseOrganization(tx: Kysely<Tables>, locking: RawBuilder<unknown>, { lane, now }: Claim) {
  const running = sql.raw(runningInLane);
  const { rows } = await sql<{ organization_id: string; cap: number }>`
    SELECT o.organization_id, o.cap FROM job_lanes AS o
    WHERE o.lane = ${lane}
      AND (SELECT 1 FROM jobs AS j
           WHERE j.lane = o.lane AND j.organization_id = o.organization_id
             AND j.state = 'queued' AND j.run_at <= ${now.getTime()} AND ${sql.raw(lockKeyIsFree)}
           LIMIT 1) IS NOT NULL
      AND ${running} < o.cap
    ORDER BY ${running}, o.last_claim_at, o.organization_id
    LIMIT 1 ${locking}`.execute(tx);
  return rows[0];
}

async function takeHeadJob(
  tx: Kysely<Tables>,
  engine: OpenStore["engine"],
  chosen: { organization_id: string; cap: number },
  { lane, now, leaseToken }: Claim,
) {
  const { rows } = await sql<JobRow>`
    UPDATE jobs
    SET state = 'running', attempt = attempt + 1,
        lease_token = ${leaseToken}, lease_until = ${now.getTime() + leaseMs}
    WHERE id = (
      SELECT j.id FROM jobs AS j
      WHERE j.lane = ${lane} AND j.organization_id = ${chosen.organization_id}
        AND j.state = 'queued' AND j.run_at <= ${now.getTime()} AND ${sql.raw(lockKeyIsFree)}
        AND (SELECT count(*) FROM jobs AS r
             WHERE r.lane = ${lane} AND r.organization_id = ${chosen.organization_id}
               AND r.state = 'running') < ${chosen.cap}
      ORDER BY j.priority DESC, j.run_at, j.id
      LIMIT 1 ${jobLocking[engine]})
    RETURNING ${sql.join(claimedColumns.map((column) => sql.ref(column)))}`.execute(tx);
  return rows[0];
}
