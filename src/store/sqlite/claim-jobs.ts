/** Claims as one message to the writer. Nobody else writes meanwhile: the organization and its head job are found in one statement. */
import { leaseMs } from "../../domain/job.ts";
import { claimedColumns, firstRunAt, lockKeyIsFree, runningInLane, toClaimedJob } from "../claim-job.ts";
import { timeOrNull } from "../columns.ts";
import type { Prepared } from "../prepared.ts";
import type { Statement } from "../session.ts";
import { withStoreErrors } from "../store-error.ts";
import type { JobRow } from "../tables.ts";
import type { PreparedParts } from "./prepared.ts";

const isClaimable = `j.state = 'queued' AND j.run_at <= ?2 AND ${lockKeyIsFree}`;

const takeHeadJob = `UPDATE jobs
  SET state = 'running', attempt = attempt + 1, lease_token = ?3, lease_until = ?4
  WHERE id = (
    SELECT j.id FROM jobs AS j
    WHERE j.lane = ?1 AND ${isClaimable} AND j.organization_id = (
      SELECT o.organization_id FROM job_lanes AS o
      WHERE o.lane = ?1
        AND (SELECT 1 FROM jobs AS j
             WHERE j.lane = o.lane AND j.organization_id = o.organization_id AND ${isClaimable}
             LIMIT 1) IS NOT NULL
        AND ${runningInLane} < o.cap
      ORDER BY ${runningInLane}, o.last_claim_at, o.organization_id
      LIMIT 1)
    ORDER BY j.priority DESC, j.run_at, j.id
    LIMIT 1)
  RETURNING ${claimedColumns.join(", ")}`;

const noteClaim = `UPDATE job_lanes SET last_claim_at = ?2
  WHERE lane = ?1 AND organization_id = (
    SELECT organization_id FROM jobs WHERE lane = ?1 AND state = 'running' AND lease_token = ?3)`;

const nextRunAt = `SELECT min(${firstRunAt}) AS run_at FROM job_lanes AS o WHERE o.lane = ?`;

export function nextRunReader({ read, guard }: PreparedParts): Prepared["nextRunAt"] {
  return async (lane) => {
    guard.refuseInside();
    const { rows } = await withStoreErrors(read({ sql: nextRunAt, parameters: [lane] }));
    const [row] = rows as { run_at: number | null }[];
    return timeOrNull(row?.run_at ?? null);
  };
}

export function jobClaimer({ writer, guard }: PreparedParts): Prepared["claimSeveral"] {
  return async (lane, now, leaseTokens) => {
    guard.refuseInside();
    const at = now.getTime();
    // The first that finds nothing to claim ends it.
    const statements = leaseTokens.flatMap((token): Statement[] => [
      { sql: takeHeadJob, parameters: [lane, at, token, at + leaseMs] },
      { sql: noteClaim, parameters: [lane, at, token] },
    ]);
    const { rows } = await withStoreErrors(writer.runBatch(statements));
    return (rows as JobRow[]).map(toClaimedJob);
  };
}
