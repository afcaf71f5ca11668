/**
 * `GET /v1/reviews?limit=20` on many reviews, beside bare Bun.serve doing less and less of the same. The servers take turns
 * in short rounds, so that whatever else the machine does hits all of them.
 */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { type LoadResult, putLoadOn } from "./load.ts";
import { type Program, startProgram } from "./program.ts";
import { type Seeded, seed } from "./seed.ts";
import { median } from "./statistics.ts";
import { milliseconds, printTable, ratio } from "./table.ts";

const reviews = 100_000;
const connections = 32;
const rounds = 5;
const secondsPerRound = 1.5;
const path = "/v1/reviews?limit=20";

/** What one server is asked, again and again. */
interface Contender {
  name: string;
  url: string;
  headers: Record<string, string>;
  status: number;
}

export async function benchReading(executable: string, folder: string): Promise<void> {
  const dataDir = join(folder, "reading-data");
  await mkdir(dataDir, { mode: 0o700 });
  console.log(`\nStoring ${reviews.toLocaleString("en")} reviews …`);
  const seeded = await seed({ executable, folder, dataDir, reviews });
  const programs: Program[] = [];
  try {
    const contenders = await startContenders(executable, seeded, programs);
    const results: LoadResult[][] = contenders.map(() => []);
    for (const { url, headers, status } of contenders) {
      await putLoadOn({ url, headers, status, connections, seconds: 1 });
    }
    for (let round = 0; round < rounds; round += 1) {
      for (const [n, { url, headers, status }] of contenders.entries()) {
        results[n]?.push(await putLoadOn({ url, headers, status, connections, seconds: secondsPerRound }));
      }
    }
    report(contenders, results);
  } finally {
    for (const program of programs) await program.stop();
  }
}

async function startContenders(
  executable: string,
  { environment, key, database, organizationId }: Seeded,
  programs: Program[],
): Promise<Contender[]> {
  const start = async (command: readonly string[], healthPath: string) => {
    const program = await startProgram({ command, environment, path: healthPath });
    programs.push(program);
    return program.url;
  };
  const product = (await start([executable, "serve", "--port", "0"], "/healthz")) + path;
  const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
  const response = await fetch(product, { headers });
  const etag = response.headers.get("etag") ?? "";
  const length = (await response.bytes()).length;

  const bare = [process.execPath, join(import.meta.dir, "bare-server.ts")];
  const sameLength = await start([...bare, "bytes", "", "", String(length)], "/");
  const sameSelect = await start([...bare, "select", database, organizationId], "/");
  return [
    { name: "bare Bun.serve, same SELECT", url: `${sameSelect}/`, headers: {}, status: 200 },
    { name: "bare Bun.serve, same length", url: `${sameLength}/`, headers: {}, status: 200 },
    { name: "plumbline, list", url: product, headers, status: 200 },
    {
      name: "plumbline, unchanged list (304)",
      url: product,
      headers: { ...headers, "If-None-Match": etag },
      status: 304,
    },
  ];
}

function report(contenders: readonly Contender[], results: readonly LoadResult[][]): void {
  const medianOf = (n: number, figure: keyof LoadResult) =>
    median((results[n] ?? []).map((result) => result[figure]));
  printTable(
    `GET ${path} of ${reviews.toLocaleString("en")} reviews, ${connections} connections, median of ${rounds} rounds`,
    ["server", "requests/s", "ratio", "p50", "p99"],
    contenders.map(({ name }, n) => [
      name,
      medianOf(n, "requestsPerSecond").toFixed(0),
      ratio(medianOf(n, "requestsPerSecond"), medianOf(0, "requestsPerSecond")),
      milliseconds(medianOf(n, "p50Ms")),
      milliseconds(medianOf(n, "p99Ms")),
    ]),
  );
}
