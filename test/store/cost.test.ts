/** What must cost the same on a hundred thousand rows as on a hundred: claims and the list of reviews. */
import { describe, expect, test } from "bun:test";
import { sql } from "kysely";
import { aJob, noon, settleIn } from "../contracts/store-world.ts";
import { storeKinds, type TestStore } from "../support/databases.ts";

const many = 100_000;
const few = 100;
/** Reading the backlog would cost hundreds of times as much; a busy machine costs a few times as much. */
const timesMax = 10;

const kinds = [...storeKinds()].filter(([kind]) => kind !== "SQLite in memory");

describe.each(kinds)("on %s", (_kind, open) => {
  test.each([
    ["due", noon.getTime()],
    ["not yet due", noon.getTime() + 86_400_000],
  ])(
    "a claim costs the same with 100,000 jobs waiting that are %s",
    async (_, runAt) => {
      await using world = await open();
      await fillJobs(world, 1, few, runAt);
      const cheap = await medianMs(() => claimAndComplete(world));
      await fillJobs(world, few + 1, many, runAt);
      expect(await medianMs(() => claimAndComplete(world))).toBeLessThan(cheap * timesMax);
    },
    60_000,
  );

  test("a page of the reviews costs the same with 100,000 of them", async () => {
    await using world = await open();
    await settleIn(world.store);
    const page = { offset: 0, limit: 20 };
    const read = () => world.store.reviews.list("org_acme", { status: "completed" }, page);
    await fillReviews(world, 1, few);
    const cheap = await medianMs(read);
    await fillReviews(world, few + 1, many);
    expect((await read()).items[0]?.id).toBe(`rev_${many}`);
    expect(await medianMs(read)).toBeLessThan(cheap * timesMax);
  }, 60_000);
});

async function claimAndComplete({ store }: TestStore): Promise<void> {
  const job = await store.jobs.claim("review", noon, "token");
  if (job !== null) await store.jobs.complete(job, noon);
}

/** In ten organizations, each job under a lock key of its own. */
async function fillJobs(
  { kysely, store }: TestStore,
  from: number,
  to: number,
  runAt: number,
): Promise<void> {
  for (let n = 0; n < 10; n++) await store.jobs.enqueue(aJob({ organizationId: `org_${n}` }), noon);
  await sql`INSERT INTO jobs (id, lane, organization_id, kind, state, priority, run_at, attempt, max_attempts,
      lock_key, created_at, payload)
    WITH RECURSIVE numbers (n) AS (SELECT ${sql.lit(from)} UNION ALL SELECT n + 1 FROM numbers WHERE n < ${sql.lit(to)})
    SELECT 'old_' || n, 'review', 'org_' || (n % 10), 'review', 'queued', 0, ${sql.lit(runAt)}, 0, 3,
      'lock_' || n, 0, '{}'
    FROM numbers`.execute(kysely);
  await refreshStatistics(kysely, "jobs");
}

async function fillReviews({ kysely }: TestStore, from: number, to: number): Promise<void> {
  await sql`INSERT INTO reviews (id, organization_id, repository_id, repository, pull_request, origin, status,
      comments_count, created_at, options)
    WITH RECURSIVE numbers (n) AS (SELECT ${sql.lit(from)} UNION ALL SELECT n + 1 FROM numbers WHERE n < ${sql.lit(to)})
    SELECT 'rev_' || n, 'org_acme', 'repo_acme/shop', 'acme/shop', n, 'api', 'completed', 0, n, '{}'
    FROM numbers`.execute(kysely);
  await refreshStatistics(kysely, "reviews");
}

/** What autovacuum does a minute after so many rows came. */
async function refreshStatistics(kysely: TestStore["kysely"], table: string): Promise<void> {
  await sql`ANALYZE ${sql.table(table)}`.execute(kysely);
}

async function medianMs(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let n = 0; n < 51; n++) {
    const startedAt = performance.now();
    await work();
    times.push(performance.now() - startedAt);
  }
  return times.toSorted((a, b) => a - b)[25] ?? Number.NaN;
}
