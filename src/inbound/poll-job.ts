/** The job that looks for new heads: from the timetable, and at once when auto-review is turned on. */
import type { NewJob } from "../domain/job.ts";

export const pollKind = "poll_pull_requests";

/** One poll at a time: the baseline of a repository must not race with the poll that would review its heads. */
export const poll = { kind: pollKind, lane: "ingest", lockKey: pollKind, maxAttempts: 1 } as const;

export function pollJob(runAt: Date): NewJob {
  return {
    ...poll,
    /** It looks at the repositories of every organization. */
    organizationId: "instance",
    dedupeKey: null,
    payload: null,
    runAt,
    priority: 0,
  };
}
