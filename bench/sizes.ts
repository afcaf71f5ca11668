/**
 * `GET /v1/reviews?limit=20` at 64 connections on a thousand, a hundred thousand and a million reviews: the cost must stay
 * flat. Beside it bare Bun.serve and bare Elysia, which answer as many bytes and do nothing for it.
 */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { type LoadResult, putLoadOn } from "./load.ts";
import { type Program, startProgram } from "./program.ts";
import { seed } from "./seed.ts";
import { median } from "./statistics.ts";
import { milliseconds, printTable, ratio } from "./table.ts";

const sizes = [1_000, 100_000, 1_000_000];
const connections = 64;
const rounds = 5;
const secondsPerRound = 1.5;
const path = "/v1/reviews?limit=20";

/** What one server is asked, again and again. */
interface Contender {
  name: string;
  url: string;
  headers: Record<string, string>;
}

export async function benchSizes(executable: string, folder: string): Promise<void> {
  const programs: Program[] = [];
  try {
    const lists: Contender[] = [];
    for (const reviews of sizes) lists.push(await startList(executable, folder, reviews, programs));
    const contenders = [...(await startBare(lists[0], programs)), ...lists];
    report(contenders, await measure(contenders));
  } finally {
    for (const program of programs) await program.stop();
  }
}

async function startList(
  executable: string,
  folder: string,
  reviews: number,
  programs: Program[],
): Promise<Contender> {
  const count = reviews.toLocaleString("en");
  console.log(`\nStoring ${count} reviews …`);
  const dataDir = join(folder, `data-of-${reviews}`);
  await mkdir(dataDir, { mode: 0o700 });
  const { environment, key } = await seed({ executable, folder, dataDir, reviews });
  const command = [executable, "serve", "--port", "0"];
  const program = await startProgram({ command, environment, path: "/healthz" });
  programs.push(program);
  const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
  return { name: `plumbline, ${count} reviews`, url: program.url + path, headers };
}

/** Their answers are as long as the list's. */
async function startBare(list: Contender | undefined, programs: Program[]): Promise<Contender[]> {
  if (list === undefined) return [];
  const { length } = await (await fetch(list.url, { headers: list.headers })).bytes();
  const contenders: Contender[] = [];
  for (const [mode, name] of [
    ["bytes", "bare Bun.serve"],
    ["elysia", "bare Elysia"],
  ] as const) {
    const command = [process.execPath, join(import.meta.dir, "bare-server.ts"), mode, "", "", String(length)];
    const program = await startProgram({ command, environment: { NODE_ENV: "production" }, path: "/" });
    programs.push(program);
    contenders.push({ name: `${name}, same length`, url: `${program.url}/`, headers: list.headers });
  }
  return contenders;
}

/** In turns, so that whatever else the machine does hits all of them; the first round only warms up. */
async function measure(contenders: readonly Contender[]): Promise<LoadResult[][]> {
  const results: LoadResult[][] = contenders.map(() => []);
  for (let round = 0; round <= rounds; round += 1) {
    for (const [n, { url, headers }] of contenders.entries()) {
      const result = await putLoadOn({ url, headers, status: 200, connections, seconds: secondsPerRound });
      if (round > 0) results[n]?.push(result);
    }
  }
  return results;
}

function report(contenders: readonly Contender[], results: readonly LoadResult[][]): void {
  const medianOf = (n: number, figure: keyof LoadResult) =>
    median((results[n] ?? []).map((result) => result[figure]));
  printTable(
    `GET ${path} with a key, ${connections} connections, median of ${rounds} rounds`,
    ["server", "requests/s", "to Bun", "to Elysia", "p99", "to Bun", "to Elysia"],
    contenders.map(({ name }, n) => {
      const [rate, p99] = [medianOf(n, "requestsPerSecond"), medianOf(n, "p99Ms")];
      const rates = [0, 1].map((bare) => ratio(rate, medianOf(bare, "requestsPerSecond")));
      const tails = [0, 1].map((bare) => ratio(p99, medianOf(bare, "p99Ms")));
      return [name, rate.toFixed(0), ...rates, milliseconds(p99), ...tails];
    }),
  );
}
