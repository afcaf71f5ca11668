/** What may happen between us and PostgreSQL: it restarts, it is away, it breaks a deadlock, another process migrates. */
import { describe, expect, test } from "bun:test";
import { sql } from "kysely";
import { migrations } from "../../src/store/migrations.ts";
import { openStore } from "../../src/store/open.ts";
import { aPlanNamed, failureOf } from "../contracts/store-world.ts";
import { emptyDatabases, hasPostgres, silentLogger, testRuntime } from "../support/databases.ts";
import { startPostgresServer } from "../support/postgres-server.ts";

describe.if(hasPostgres())("PostgreSQL", () => {
  test("that crashes and restarts is waited for, and keeps what it answered", async () => {
    await using server = await startPostgresServer();
    const { store } = await openStore({ databaseUrl: server.url, dataDir: "", ...testRuntime() });
    await store.plans.put(aPlanNamed("before"));
    await server.crash();
    const read = store.plans.get("before");
    await server.restart();
    expect(await read).not.toBeNull();
    await store.transaction((tx) => tx.plans.put(aPlanNamed("after")));
    await Promise.all(Array.from({ length: 30 }, (_, n) => store.settings.put(`key-${n}`, n)));
    expect(await store.plans.list()).toHaveLength(2);
    await store.close();
  }, 30_000);

  test("that crashes inside a transaction loses that transaction whole, and says that it was away", async () => {
    await using server = await startPostgresServer();
    const { store } = await openStore({ databaseUrl: server.url, dataDir: "", ...testRuntime() });
    const work = store.transaction(async (tx) => {
      await tx.plans.put(aPlanNamed("first"));
      await server.crash();
      await tx.plans.put(aPlanNamed("second"));
    });
    expect(await failureOf(work)).toMatchObject({ kind: "storage_busy" });
    await server.restart();
    expect(await store.plans.list()).toEqual([]);
    await store.close();
  }, 30_000);

  test("that is not there is named, without the password, when the store is opened", async () => {
    const databaseUrl = "postgres://someone:hunter2@127.0.0.1:1/plumbline";
    const refused = await failureOf(openStore({ databaseUrl, dataDir: "", ...testRuntime() }));
    expect(refused).toMatchObject({
      kind: "storage_busy",
      message: "PostgreSQL at 127.0.0.1:1 does not answer.",
    });
  });

  test("ends a transaction that does nothing for 10 seconds, and a wait of 5 for a lock", async () => {
    await using database = await emptyDatabases.postgres();
    const { store, kysely } = await openStore({ ...database, ...testRuntime() });
    const { rows } = await sql<{ idle: string; lock: string }>`
        SELECT current_setting('idle_in_transaction_session_timeout') AS idle,
               current_setting('lock_timeout') AS lock`.execute(kysely);
    expect(rows).toEqual([{ idle: "10s", lock: "5s" }]);
    await store.close();
  });

  test("is asked again when it broke a deadlock", async () => {
    await using database = await emptyDatabases.postgres();
    const { store } = await openStore({ ...database, ...testRuntime() });
    for (const subject of ["a", "b"]) await store.rates.add(subject, "hour", 0);
    const bothLocked = meeting(2);
    const addInOrder = (first: string, second: string) => {
      let runs = 0;
      return store.transaction(async (tx) => {
        runs += 1;
        await tx.rates.add(first, "hour", 1);
        if (runs === 1) await bothLocked();
        await tx.rates.add(second, "hour", 1);
      });
    };
    await Promise.all([addInOrder("a", "b"), addInOrder("b", "a")]);
    const counts = await store.rates.load("hour");
    expect(counts.map(({ count }) => count)).toEqual([2, 2]);
    await store.close();
  }, 30_000);

  test("is migrated once when several processes start at the same time", async () => {
    await using database = await emptyDatabases.postgres();
    const handles = await Promise.all([1, 2, 3].map(() => openStore({ ...database, ...testRuntime() })));
    const [{ kysely }] = handles as [(typeof handles)[0]];
    const applied = await kysely.selectFrom("schema_migrations").select("version").execute();
    expect(applied).toHaveLength(migrations.length);
    for (const { store } of handles) await store.close();
  });

  test("is warned about when its clock and ours differ", async () => {
    await using database = await emptyDatabases.postgres();
    const warnings: string[] = [];
    const logger = { ...silentLogger, warn: (message: string) => warnings.push(message) };
    const runtime = testRuntime();
    runtime.clock.set("2031-01-01T00:00:00.000Z");
    const { store } = await openStore({ ...database, ...runtime, logger });
    expect(warnings).toEqual([expect.stringContaining("clock")]);
    await store.close();
  });
});

/** Resolves for everybody once `count` have come. */
function meeting(count: number): () => Promise<void> {
  const all = Promise.withResolvers<void>();
  let present = 0;
  return () => {
    present += 1;
    if (present === count) all.resolve();
    return all.promise;
  };
}
