/** Every database that a release of ours has made can be brought to this one's schema, and a newer one is left alone. */
import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { type Kysely, sql } from "kysely";
import { type Migration, migrations } from "../src/store/migrations.ts";
import type { StoreHandle } from "../src/store/open.ts";
import { openPostgres } from "../src/store/postgres/open-postgres.ts";
import { openSqlite } from "../src/store/sqlite/open-sqlite.ts";
import type { Tables } from "../src/store/tables.ts";
import { failureOf } from "./contracts/store-world.ts";
import { rowsAfter } from "./store/migration-rows.ts";
import { emptyDatabases, hasPostgres, type TestDatabase, testRuntime } from "./support/databases.ts";

const latest = migrations.length;
const versions = migrations.map(({ version }) => version);
const engines = new Map([["SQLite", emptyDatabases.sqlite]]);
if (hasPostgres()) engines.set("PostgreSQL", emptyDatabases.postgres);

test("the migrations are numbered without a gap, and each is a file of that number", () => {
  expect(versions).toEqual(Array.from({ length: latest }, (_, index) => index + 1));
  const files = readdirSync(join(import.meta.dir, "../src/store/migrations")).filter((name) =>
    name.endsWith(".sql"),
  );
  const named = migrations.map(({ version, name }) => `${String(version).padStart(4, "0")}_${name}.sql`);
  expect(files.toSorted()).toEqual(named);
});

describe.each([...engines])("on %s", (_engine, makeDatabase) => {
  test.each([0, ...versions])("an empty database of version %i is brought up to date", async (version) => {
    await using database = await makeDatabase();
    await (await open(database, upTo(version))).store.close();
    const { kysely, store } = await open(database, migrations);
    expect(await appliedVersions(kysely)).toEqual(versions);
    await store.close();
  });

  test.each([0, ...versions])("a database in use of version %i keeps its rows", async (version) => {
    await using database = await makeDatabase();
    for (const step of versions.slice(0, version)) await migrateAndFill(database, step);
    const before = await withKysely(database, upTo(version), rowCounts);
    const after = await withKysely(database, migrations, rowCounts);
    expect(after).toMatchObject(before);
  });

  test("every table had a row when the next migration came", async () => {
    await using database = await makeDatabase();
    for (const step of versions) await migrateAndFill(database, step);
    const counts = await withKysely(database, migrations, rowCounts);
    expect(Object.entries(counts).filter(([, rows]) => rows === 0)).toEqual([]);
  });

  test("a database of a newer version is refused, and told what to do", async () => {
    await using database = await makeDatabase();
    const newer = { version: latest + 1, name: "newer", sql: "CREATE TABLE newer (n INTEGER)" };
    await (await open(database, [...migrations, newer])).store.close();
    expect(await failureOf(open(database, migrations))).toMatchObject({
      kind: "conflict",
      message: expect.stringMatching(
        new RegExp(`version ${latest + 1}.*up to ${latest}.*Start the newer version`),
      ),
    });
    await (await open(database, [...migrations, newer])).store.close();
  });

  test("a migration that fails changes nothing, the ones before it included", async () => {
    await using database = await makeDatabase();
    await migrateAndFill(database, 1);
    const broken = {
      version: 2,
      name: "broken",
      sql: "CREATE TABLE half_done (n INTEGER); INSERT INTO nowhere VALUES (1)",
    };
    expect(await failureOf(open(database, [...upTo(1), broken]))).toBeInstanceOf(Error);
    const counts = await withKysely(database, migrations, rowCounts);
    expect(counts).toMatchObject({ organizations: 1 });
    expect(counts).not.toHaveProperty("half_done");
  });

  test("a migration whose process is killed half-way is as if it had not begun", async () => {
    await using database = await makeDatabase();
    for (const step of versions) await migrateAndFill(database, step);
    await killWhileMigrating(database);
    const { kysely, store } = await open(database, migrations);
    expect(await appliedVersions(kysely)).toEqual(versions);
    const counts = await rowCounts(kysely);
    expect(counts).toMatchObject({ organizations: 1, reviews: 1 });
    expect(counts).not.toHaveProperty("half_done");
    await store.close();
  }, 30_000);
});

describe("on SQLite", () => {
  test("the database is copied aside before it is migrated, and not when there is nothing to migrate", async () => {
    await using database = await emptyDatabases.sqlite();
    await migrateAndFill(database, 1);
    await (await open(database, migrations)).store.close();
    await (await open(database, migrations)).store.close();
    const copies = readdirSync(database.dataDir).filter((name) => name.includes("before-upgrade"));
    expect(copies).toEqual(["plumbline.db.before-upgrade-from-1"]);
    const copy = new Database(join(database.dataDir, copies[0] ?? ""), { readonly: true });
    expect(copy.query("SELECT slug FROM organizations").all()).toEqual([{ slug: "acme" }]);
    expect(copy.query("SELECT name FROM sqlite_master WHERE name = 'reviews'").all()).toEqual([]);
    copy.close();
  });
});

function upTo(version: number): readonly Migration[] {
  return migrations.slice(0, version);
}

async function open(database: TestDatabase, steps: readonly Migration[]): Promise<StoreHandle> {
  const options = { ...testRuntime(), migrations: steps };
  const { databaseUrl, dataDir } = database;
  return databaseUrl === null
    ? openSqlite({ ...options, dataDir })
    : openPostgres({ ...options, databaseUrl });
}

async function withKysely<T>(
  database: TestDatabase,
  steps: readonly Migration[],
  work: (kysely: Kysely<Tables>) => Promise<T>,
): Promise<T> {
  const { kysely, store } = await open(database, steps);
  const result = await work(kysely);
  await store.close();
  return result;
}

async function migrateAndFill(database: TestDatabase, version: number): Promise<void> {
  await withKysely(database, upTo(version), async (kysely) => {
    for (const insert of rowsAfter[version] ?? []) await sql.raw(insert).execute(kysely);
  });
}

async function appliedVersions(kysely: Kysely<Tables>): Promise<number[]> {
  const rows = await kysely.selectFrom("schema_migrations").select("version").orderBy("version").execute();
  return rows.map(({ version }) => version);
}

/** Rows by table, the one that notes the migrations left out. */
async function rowCounts(kysely: Kysely<Tables>): Promise<Record<string, number>> {
  const tables = await kysely.introspection.getTables();
  const counts: Record<string, number> = {};
  for (const { name } of tables.filter(({ name }) => name !== "schema_migrations")) {
    const { rows } = await sql<{ n: number }>`SELECT count(*) AS n FROM ${sql.table(name)}`.execute(kysely);
    counts[name] = rows[0]?.n ?? 0;
  }
  return counts;
}

async function killWhileMigrating(database: TestDatabase): Promise<void> {
  const script = join(import.meta.dir, "store/children/migrate-slowly.ts");
  const child = Bun.spawn([process.execPath, script, database.databaseUrl ?? "", database.dataDir], {
    stdout: "pipe",
  });
  for await (const _said of child.stdout) break;
  await Bun.sleep(500);
  expect(child.exitCode).toBeNull();
  child.kill("SIGKILL");
  await child.exited;
}
