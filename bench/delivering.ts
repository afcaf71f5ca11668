/**
 * Webhook deliveries a second to a sink on this machine, from a backlog that waits when the service starts: every one
 * signed, sent over a connection of its own, and recorded durably. Beside it a loop that only sends and stores a row.
 */
import { Database } from "bun:sqlite";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { hmacSha256Hex } from "../src/crypto.ts";
import { processorMs, startProgram } from "./program.ts";
import { milliseconds, printTable, ratio } from "./table.ts";
import { fillBacklog } from "./webhook-backlog.ts";

const deliveries = 4_000;
const giveUpMs = 60_000;
/** What the bare loop has under way at once; one organization of the product has four, all of them thirty-two. */
const bareAtOnce = 32;
const bareBody = JSON.stringify({ event: "review.completed", summary: "12 files changed. ".repeat(30) });

interface Outcome {
  name: string;
  perSecond: number;
  /** Processor time each took of the sender, in milliseconds: what a busy machine does not change. */
  processorMs: number;
  /** Rows in the delivery log. */
  recorded: number;
}

export async function benchDelivering(executable: string, folder: string): Promise<void> {
  const outcomes = [
    await deliverBare(join(folder, "bare-deliveries.db")),
    await deliverBacklog(executable, folder, 1),
    await deliverBacklog(executable, folder, 8),
  ];
  const baseline = outcomes[0]?.perSecond ?? Number.NaN;
  printTable(
    `${deliveries.toLocaleString("en")} webhook deliveries to a sink on this machine`,
    ["sender", "deliveries/s", "ratio", "processor time each", "attempts recorded"],
    outcomes.map(({ name, perSecond, processorMs, recorded }) => [
      ...[
        name,
        perSecond.toFixed(0),
        ratio(perSecond, baseline),
        milliseconds(processorMs),
        String(recorded),
      ],
    ]),
  );
}

async function deliverBacklog(executable: string, folder: string, organizations: number): Promise<Outcome> {
  const dataDir = join(folder, `deliveries-of-${organizations}`);
  await mkdir(dataDir, { mode: 0o700 });
  const environment = {
    HOME: folder,
    PLUMBLINE_DATA_DIR: dataDir,
    PLUMBLINE_SECRET_KEY_FILE: `${dataDir}.key`,
    PLUMBLINE_LOG_LEVEL: "error",
  };
  using sink = startSink();
  await fillBacklog({ environment, sink: sink.url, organizations, deliveries });
  const command = [executable, "serve", "--port", "0"];
  const program = await startProgram({ command, environment, path: "/healthz" });
  const startedMs = processorMs(program.pid);
  const perSecond = await sink.ratePerSecond(deliveries);
  const usedMs = processorMs(program.pid) - startedMs;
  await program.stop();
  const database = new Database(join(dataDir, "plumbline.db"), { readonly: true });
  const recorded = countRows(database, "SELECT count(*) AS n FROM webhook_attempts WHERE status = 204");
  database.close();
  const name = `plumbline, ${organizations} organization${organizations === 1 ? "" : "s"}`;
  return { name, perSecond, processorMs: usedMs / deliveries, recorded };
}

/** `fetch` and one INSERT a delivery, each commit durable. */
async function deliverBare(file: string): Promise<Outcome> {
  using sink = startSink();
  const database = new Database(file, { create: true });
  database.run("PRAGMA journal_mode = WAL");
  database.run("PRAGMA synchronous = FULL");
  database.run("CREATE TABLE attempts (n INTEGER PRIMARY KEY, status INTEGER NOT NULL)");
  const record = database.query("INSERT INTO attempts (status) VALUES (?)");
  let left = deliveries;
  const send = async () => {
    while (left > 0) {
      left -= 1;
      const headers = { "X-Service-Signature": hmacSha256Hex("secret", bareBody) };
      const { status } = await fetch(sink.url, { method: "POST", headers, body: bareBody, keepalive: false });
      record.run(status);
    }
  };
  const before = process.cpuUsage();
  const arrived = sink.ratePerSecond(deliveries);
  await Promise.all(Array.from({ length: bareAtOnce }, send));
  const perSecond = await arrived;
  const { user, system } = process.cpuUsage(before);
  const recorded = countRows(database, "SELECT count(*) AS n FROM attempts WHERE status = 204");
  database.close();
  const name = "bare: fetch and one durable INSERT, the sink with it";
  return { name, perSecond, processorMs: (user + system) / 1_000 / deliveries, recorded };
}

/** Answers everything with 204, and knows when. */
function startSink() {
  let [count, firstAt, lastAt] = [0, 0, 0];
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      await request.arrayBuffer();
      count += 1;
      lastAt = performance.now();
      if (count === 1) firstAt = lastAt;
      return new Response(null, { status: 204 });
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}/`,
    /** From the first to the last of `expected`, once they have arrived. */
    async ratePerSecond(expected: number): Promise<number> {
      const startedAt = performance.now();
      while (count < expected) {
        if (performance.now() - startedAt > giveUpMs) throw new Error(`only ${count} of ${expected} arrived`);
        await Bun.sleep(20);
      }
      return ((expected - 1) * 1_000) / (lastAt - firstAt);
    },
    [Symbol.dispose]: () => void server.stop(true),
  };
}

function countRows(database: Database, sql: string): number {
  return database.query<{ n: number }, []>(sql).get()?.n ?? Number.NaN;
}
