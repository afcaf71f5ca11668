/** A newer push makes older reviews of the same pull request moot, unless somebody asked for them by API. */
import type { Announce } from "../domain/announce.ts";
import type { Review, ReviewFailure } from "../domain/review.ts";
import type { Clock } from "../domain/runtime.ts";
import type { Store } from "../domain/store.ts";

const superseded: ReviewFailure = {
  code: "superseded",
  message: "A newer push to the pull request made this review moot; the newer head has a review of its own.",
};

/** In the transaction that makes the newer review. A run under way goes on for nothing: its outcome is not stored. */
export async function supersedeOlder(
  deps: { clock: Clock; announce: Announce },
  tx: Store,
  newer: Review,
): Promise<void> {
  const at = deps.clock.now();
  for (const older of await tx.reviews.unfinished(newer.repositoryId, newer.pullRequest)) {
    if (older.origin !== "event" || older.id === newer.id) continue;
    if (!(await tx.reviews.fail(older.id, superseded, at))) continue;
    await tx.credits.release(older.id, at);
    await deps.announce(tx, "review.failed", {
      ...older,
      status: "failed",
      failure: superseded,
      completedAt: at,
    });
  }
}
