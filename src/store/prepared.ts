/**
 * What happens at every request or every job, where an engine has a faster way than Kysely outside of transactions. The
 * contract suite holds it to the same answers.
 */
import type { JobStore, ReviewStore } from "../domain/store.ts";
import type { OutboxStore } from "../domain/webhook-store.ts";

export interface Prepared {
  listReviews: ReviewStore["list"];
  reviewVersion: ReviewStore["version"];
  nextRunAt: JobStore["nextRunAt"];
  claimSeveral: JobStore["claimSeveral"];
  finishAttempt: OutboxStore["finishAttempt"];
}
