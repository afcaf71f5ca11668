/** What the timetable asks for. Each may be missed, late or repeated without harm. */
import { periodOf } from "../domain/credit.ts";
import type { JobHandler } from "../domain/job-handler.ts";
import type { Clock } from "../domain/runtime.ts";
import type { Store } from "../domain/store.ts";
import { grantPeriod } from "../review/charge-credits.ts";

const hourMs = 3_600_000;
/** Long enough to look into a failed one. */
const endedJobsKeptMs = 7 * 24 * hourMs;
const idempotencyKeptMs = 24 * hourMs;
/** Hours are counted as `2026-11-21T06`. */
const hourLength = 13;
/** Rows that one statement deletes, so that no transaction is long. */
const pruneBatch = 1_000;

/** Kind `grant_credits`: the new month's grants, before anybody uses or looks at them. */
export function createGrantCredits(clock: Clock): JobHandler {
  return {
    async run({ store }) {
      const at = clock.now();
      for (const organization of await store.organizations.list()) {
        await store.transaction((tx) => grantPeriod(tx, organization, periodOf(at), at));
      }
    },
  };
}

/** Kind `prune`: what has served its time. */
export function createPrune(clock: Clock): JobHandler {
  return {
    async run({ store, signal }) {
      const before = (ageMs: number) => new Date(clock.now().getTime() - ageMs);
      await pruneJobs(store, before(endedJobsKeptMs), signal);
      await store.idempotency.prune(before(idempotencyKeptMs));
      await store.rates.prune(before(hourMs).toISOString().slice(0, hourLength));
    },
  };
}

async function pruneJobs(store: Store, before: Date, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && (await store.jobs.prune(before, pruneBatch)) === pruneBatch);
}
