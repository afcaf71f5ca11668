/** The job that looks for new heads: from the timetable, and at once when auto-review is turned on. */
import type { NewJob } from "../domain/job.ts";

export const pollKind = "poll_pull_requests";

/** One poll at a time: the baseline of a repository must not race with the poll that would review its heads. */
export function pollJob(runAt: Date): NewJob {
  return {
    lane: "ingest",
    /** It looks at the repositories of every organization. */
    organizationId: "instance",
    kind: pollKind,
    lockKey: pollKind,
    dedupeKey: null,
    payload: null,
    runAt,
    maxAttempts: 1,
    priority: 0,
  };
}
