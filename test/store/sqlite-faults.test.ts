/** What may happen to a SQLite database of ours: the process killed, a second process, a held lock, a full disk. */
import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { StoreHandle } from "../../src/store/open.ts";
import { openStore } from "../../src/store/open.ts";
import { failureOf } from "../contracts/store-world.ts";
import { emptyDatabases, realClock, testRuntime } from "../support/databases.ts";
import { aSmallDisk } from "./small-disk.ts";

const children = join(import.meta.dir, "children");

describe("a process that is killed while it writes", () => {
  test("loses no write that was answered, time after time", async () => {
    await using folder = await emptyDatabases.sqlite();
    const answered: number[] = [];
    for (const lifeMs of [150, 250, 400]) {
      const first = Math.max(-1, ...answered) + 1_000;
      answered.push(...(await writesBeforeKill(folder.dataDir, first, lifeMs)));
    }
    expect(answered.length).toBeGreaterThan(0);

    const { store } = await open(folder.dataDir);
    for (const n of answered) expect(await store.settings.get(`write-${n}`)).toMatchObject({ n });
    const queued = (await store.jobs.counts()).reduce((sum, { count }) => sum + count, 0);
    expect(queued).toBeGreaterThanOrEqual(answered.length);
    await store.close();
    const database = new Database(join(folder.dataDir, "plumbline.db"), { readonly: true });
    expect(database.query("PRAGMA integrity_check").get()).toEqual({ integrity_check: "ok" });
    const torn = database
      .query(
        "SELECT count(*) AS n FROM settings WHERE 'job-' || substr(name, 7) NOT IN (SELECT dedupe_key FROM jobs)",
      )
      .get();
    expect(torn).toEqual({ n: 0 });
    database.close();
  }, 60_000);
});

describe("a data folder", () => {
  test("is one process's alone: the second is told which has it", async () => {
    await using folder = await emptyDatabases.sqlite();
    const { store } = await open(folder.dataDir);
    Bun.gc(true);
    const second = spawn("hold-folder.ts", folder.dataDir);
    expect(await second.firstLine).toContain(`in use by process ${process.pid}`);
    expect(await second.child.exited).toBe(1);
    await store.close();
  }, 20_000);

  test("is free again when its process is killed", async () => {
    await using folder = await emptyDatabases.sqlite();
    const holder = spawn("hold-folder.ts", folder.dataDir);
    expect(await holder.firstLine).toBe("open");
    const refused = await failureOf(open(folder.dataDir));
    expect(refused).toMatchObject({
      kind: "conflict",
      message: expect.stringContaining(`process ${holder.child.pid}`),
    });
    holder.child.kill("SIGKILL");
    await holder.child.exited;
    const { store } = await open(folder.dataDir);
    await store.close();
  }, 20_000);

  test("is free again when its store could not be opened", async () => {
    await using folder = await emptyDatabases.sqlite();
    const file = join(folder.dataDir, "plumbline.db");
    writeFileSync(file, "This is not a database, but it is somebody's.".repeat(100));
    const refused = await failureOf(open(folder.dataDir));
    expect(refused).toMatchObject({
      message: expect.stringContaining(`database in ${folder.dataDir} is damaged`),
    });
    expect(await Bun.file(file).text()).toStartWith("This is not a database");
    rmSync(file);
    const { store } = await open(folder.dataDir);
    await store.close();
  });

  test("that cannot be written is named", async () => {
    await using folder = await emptyDatabases.sqlite();
    const file = join(folder.dataDir, "a-file");
    writeFileSync(file, "");
    const dataDir = join(file, "data");
    expect(await failureOf(open(dataDir))).toMatchObject({
      message: expect.stringContaining(`The data folder ${dataDir} cannot be written`),
    });
  });

  test("shows its database to its owner only", async () => {
    await using folder = await emptyDatabases.sqlite();
    const { store } = await open(folder.dataDir);
    await store.settings.put("secret", "v1.sealed");
    for (const name of ["plumbline.db", "plumbline.db-wal", "plumbline.db-shm"]) {
      expect((await Bun.file(join(folder.dataDir, name)).stat()).mode & 0o077).toBe(0);
    }
    await store.close();
  });
});

describe("a database that another program has locked", () => {
  test("makes writers wait without holding up the event loop", async () => {
    await using folder = await emptyDatabases.sqlite();
    const { store } = await open(folder.dataDir);
    const other = new Database(join(folder.dataDir, "plumbline.db"));
    other.run("BEGIN IMMEDIATE");
    const loop = watchEventLoop();
    const writing = Promise.all([1, 2, 3].map((n) => store.settings.put(`key-${n}`, n)));
    await Bun.sleep(1_000);
    expect(await store.settings.get("key-1")).toBeNull();
    other.run("COMMIT");
    await writing;
    // A loop that waited for the lock would turn every 100 ms at best; a busy machine makes single turns long.
    expect(loop.turns()).toBeGreaterThan(60);
    expect(await store.settings.get("key-3")).toBe(3);
    other.close();
    await store.close();
  }, 20_000);

  test("for over 5 seconds refuses writes as busy, and takes them again afterwards", async () => {
    await using folder = await emptyDatabases.sqlite();
    const { store } = await open(folder.dataDir);
    const other = new Database(join(folder.dataDir, "plumbline.db"));
    other.run("BEGIN IMMEDIATE");
    const refused = await failureOf(store.settings.put("key", 1));
    expect(refused).toMatchObject({ kind: "storage_busy", retryAfterSeconds: 1 });
    other.run("ROLLBACK");
    await store.settings.put("key", 2);
    expect(await store.settings.get("key")).toBe(2);
    other.close();
    await store.close();
  }, 20_000);
});

describe("a full disk", () => {
  test("refuses what it cannot keep, loses nothing else, and recovers when there is room", async () => {
    await using disk = await aSmallDisk();
    const handle = await open(disk.folder);
    await disk.shrink(handle);
    const stored = await fillUp(handle);
    const refused = await failureOf(handle.store.settings.put("one-more", "x".repeat(1_000_000)));
    expect(refused).toMatchObject({ kind: "storage_full", retryAfterSeconds: 60 });
    for (const name of stored) expect(await handle.store.settings.get(name)).toHaveLength(50_000);

    await disk.grow(handle);
    await handle.store.settings.put("one-more", "fits");
    expect(await handle.store.settings.get("one-more")).toBe("fits");
    await handle.store.close();
    const database = new Database(join(disk.folder, "plumbline.db"), { readonly: true });
    expect(database.query("PRAGMA integrity_check").get()).toEqual({ integrity_check: "ok" });
    database.close();
  }, 30_000);
});

async function open(dataDir: string): Promise<StoreHandle> {
  return openStore({ databaseUrl: null, dataDir, ...testRuntime(), clock: realClock });
}

/** Writes many at once until the disk is full; answers the names of those that were taken. */
async function fillUp({ store }: StoreHandle): Promise<string[]> {
  const stored: string[] = [];
  for (let round = 0; round < 100; round++) {
    const names = Array.from({ length: 8 }, (_, n) => `fill-${round}-${n}`);
    const answers = await Promise.allSettled(
      names.map((name) => store.settings.put(name, "x".repeat(50_000))),
    );
    for (const [n, answer] of answers.entries()) {
      if (answer.status === "fulfilled") stored.push(names[n] ?? "");
      else expect(answer.reason).toMatchObject({ kind: "storage_full" });
    }
    if (answers.some(({ status }) => status === "rejected")) return stored;
  }
  throw new Error("the disk never filled up");
}

async function writesBeforeKill(dataDir: string, first: number, lifeMs: number): Promise<number[]> {
  const writer = spawn("write-until-killed.ts", dataDir, String(first));
  await writer.firstLine;
  await Bun.sleep(lifeMs);
  writer.child.kill("SIGKILL");
  await writer.child.exited;
  return (await writer.wholeLines).map(Number);
}

function spawn(script: string, ...args: string[]) {
  const child = Bun.spawn([process.execPath, join(children, script), ...args], {
    stdout: "pipe",
    stderr: "inherit",
  });
  const first = Promise.withResolvers<string>();
  const wholeLines = readLines(child.stdout, first.resolve);
  return { child, firstLine: first.promise, wholeLines };
}

/** A line without its end was cut short: it says nothing. */
async function readLines(
  stream: ReadableStream<Uint8Array>,
  first: (line: string) => void,
): Promise<string[]> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of stream) {
    text += decoder.decode(chunk, { stream: true });
    if (text.includes("\n")) first(text.slice(0, text.indexOf("\n")));
  }
  first("it said nothing");
  return text.split("\n").slice(0, -1);
}

/** Counts the turns of the event loop, on a timer of 5 ms. */
function watchEventLoop(): { turns(): number } {
  let turns = 0;
  const timer = setInterval(() => {
    turns += 1;
  }, 5);
  return {
    turns() {
      clearInterval(timer);
      return turns;
    },
  };
}
