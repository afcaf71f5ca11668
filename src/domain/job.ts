/** Work that must happen: a row, claimed by a worker under a lease, finished under the same token. */

/** A lane has its own workers and its own cap per organization, so that slow reviews never delay deliveries. */
export const lanes = ["review", "deliver", "ingest", "cron"] as const;
export type Lane = (typeof lanes)[number];

/**
 * Jobs of one organization that may run at once, by lane. An organization has one webhook endpoint, so `deliver` is
 * also what a hanging receiver can hold: nothing but webhook deliveries belongs into that lane.
 */
export const laneCapDefault: Readonly<Record<Lane, number>> = { review: 3, deliver: 4, ingest: 4, cron: 1 };

export type JobState = "queued" | "running" | "done" | "failed" | "superseded" | "cancelled";

export interface NewJob {
  lane: Lane;
  organizationId: string;
  /** Names the function in worker/job-handlers that runs it. */
  kind: string;
  /** At most one job with a lock key runs at a time; the others wait their turn. */
  lockKey: string | null;
  /** Two jobs never share one; a second enqueue answers `duplicate`. */
  dedupeKey: string | null;
  payload: unknown;
  runAt: Date;
  maxAttempts: number;
  /** Higher runs first. */
  priority: number;
}

/** A claimed job. `leaseToken` is the fencing token: every write about the job names it. */
export interface ClaimedJob {
  id: string;
  lane: Lane;
  organizationId: string;
  kind: string;
  payload: unknown;
  /** Counted at the claim: 1 the first time. */
  attempt: number;
  maxAttempts: number;
  leaseToken: string;
  createdAt: Date;
}

export const leaseMs = 60_000;
export const heartbeatMs = 15_000;

/** min(1 h, 5 s · 2^(attempt − 1)), before jitter. */
export function retryDelayMs(attempt: number): number {
  return Math.min(3_600_000, 5_000 * 2 ** Math.max(0, attempt - 1));
}
