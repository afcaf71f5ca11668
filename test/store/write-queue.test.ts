/** How writers share the one connection: in turn, durable together, and nobody for ever. */
import { afterEach, describe, expect, jest, test } from "bun:test";
import { openMemoryDatabase } from "../../src/store/sqlite/databases.ts";
import { directChannel, type WriteChannel } from "../../src/store/sqlite/write-channel.ts";
import type { WriteCommand } from "../../src/store/sqlite/write-connection.ts";
import { WriteQueue } from "../../src/store/sqlite/write-queue.ts";
import { transactionTimeoutMs } from "../../src/store/sqlite/write-turn.ts";
import { SqliteFailure } from "../../src/store/store-error.ts";
import { failureOf } from "../contracts/store-world.ts";
import { realClock } from "../support/databases.ts";

afterEach(() => {
  jest.useRealTimers();
});

describe("writers that wait at the same time", () => {
  test("share one commit", async () => {
    const { queue, sent } = watchedQueue({ monotonicMs: () => 0 });
    await Promise.all(Array.from({ length: 50 }, (_, n) => queue.run(insert(n))));
    expect(sent.filter((op) => op === "commit").length).toBeLessThanOrEqual(2);
  });

  test("are answered only after it", async () => {
    const { queue, sent } = watchedQueue();
    await queue.run(insert(1));
    expect(sent).toEqual(["begin", "INSERT", "commit"]);
    const turn = await queue.begin();
    await turn.run(insert(2));
    const committed = turn.commit();
    expect(sent.at(-1)).toBe("RELEASE");
    await committed;
    expect(sent.at(-1)).toBe("commit");
  });

  test("are committed after 2 ms though more keep coming", async () => {
    let now = 0;
    const { queue, sent } = watchedQueue({ monotonicMs: () => now++ });
    await Promise.all(Array.from({ length: 12 }, (_, n) => queue.run(insert(n))));
    const groups = sent.join(" ").split("commit").length - 1;
    expect(groups).toBe(6);
  });

  test("run one after another, whatever each waits for", async () => {
    const { queue } = watchedQueue();
    const order: string[] = [];
    const write = async (name: string) => {
      const turn = await queue.begin();
      order.push(`${name} begins`);
      await turn.run(insert(order.length));
      await Bun.sleep(1);
      order.push(`${name} ends`);
      await turn.commit();
    };
    await Promise.all(["a", "b", "c"].map(write));
    expect(order).toEqual(["a begins", "a ends", "b begins", "b ends", "c begins", "c ends"]);
  });

  test("all hear of a commit that fails, and the next may write again", async () => {
    const { queue, failNext } = watchedQueue();
    failNext("commit", "SQLITE_FULL");
    const failures = await Promise.all([1, 2, 3].map((n) => failureOf(queue.run(insert(n)))));
    expect(failures).toMatchObject([
      { code: "SQLITE_FULL" },
      { code: "SQLITE_FULL" },
      { code: "SQLITE_FULL" },
    ]);
    await queue.run(insert(1));
  });
});

describe("a transaction that never ends", () => {
  test("is rolled back after 10 seconds, so that the others go on", async () => {
    jest.useFakeTimers();
    const { queue } = watchedQueue();
    const endless = await queue.begin();
    await endless.run(insert(1));
    const waiting = queue.run(insert(1));
    jest.advanceTimersByTime(transactionTimeoutMs);
    expect(await waiting).toMatchObject({ changes: 1 });
    expect(await failureOf(endless.run(insert(2)))).toMatchObject({
      message: expect.stringContaining("10000 ms"),
    });
    expect(await failureOf(endless.commit())).toMatchObject({ kind: "internal" });
  });
});

describe("a queue that is closed", () => {
  test("finishes what waits and refuses what comes", async () => {
    const { queue } = watchedQueue();
    const waiting = queue.run(insert(1));
    const closing = queue.close();
    expect(await failureOf(queue.run(insert(2)))).toMatchObject({ kind: "shutting_down" });
    expect(await waiting).toMatchObject({ changes: 1 });
    await closing;
  });
});

function insert(n: number) {
  return { sql: "INSERT INTO numbers (n) VALUES (?)", parameters: [n] };
}

/** A queue over a database in memory that says what it was told to do. */
function watchedQueue(clock: { monotonicMs(): number } = realClock) {
  const database = openMemoryDatabase();
  database.run("CREATE TABLE numbers (n INTEGER NOT NULL PRIMARY KEY)");
  const channel = directChannel(database);
  const sent: string[] = [];
  let failure: { op: string; code: string } | null = null;
  const watched: WriteChannel = {
    send: async (command) => {
      const op = nameOf(command);
      sent.push(op);
      if (failure?.op === op) {
        const { code } = failure;
        failure = null;
        throw new SqliteFailure(code, "as the test asked");
      }
      return channel.send(command);
    },
    close: () => channel.close(),
  };
  return {
    queue: new WriteQueue(watched, { now: realClock.now, monotonicMs: clock.monotonicMs }),
    sent,
    failNext: (op: string, code: string) => {
      failure = { op, code };
    },
  };
}

function nameOf(command: WriteCommand): string {
  return command.op === "run" ? (command.statement.sql.split(" ")[0] ?? "") : command.op;
}
