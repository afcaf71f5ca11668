/**
 * Every check there is, as CI runs it: format and lint, types, the executable, all tests. Ends in a line
 * `N passed, N failed` and exits 1 when one failed. A skipped test counts as failed.
 */
import { join } from "node:path";
import { startPostgresServer } from "../test/support/postgres-server.ts";
import { ensureSystemPackages } from "./system-packages.ts";

interface Outcome {
  part: string;
  passed: number;
  failed: number;
  seconds: number;
}

const root = join(import.meta.dir, "..");
const executable = join(root, "dist", "plumbline");
const testTimeoutMs = 60_000;
/** How `bun test` sums up: ` 148 pass`, ` 1 error`. */
const summaryLine = /^ +(\d+) (pass|fail|skip|todo|error)s?$/gm;

async function main(): Promise<number> {
  await ensureSystemPackages();
  const outcomes = [
    await check("Format and lint", "node_modules/@biomejs/biome/bin/biome", "ci", "--colors=off", "."),
    await check("Types", "node_modules/typescript/bin/tsc", "--noEmit"),
    await check("Executable", "scripts/build.ts"),
    await runTests(),
  ];
  for (const { part, passed, failed, seconds } of outcomes) {
    console.log(`${part.padEnd(16)} ${passed} passed, ${failed} failed in ${seconds.toFixed(1)} s`);
  }
  const passed = sum(outcomes.map((outcome) => outcome.passed));
  const failed = sum(outcomes.map((outcome) => outcome.failed));
  console.log(`${passed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}

/** `script` is run by this very Bun: a machine need not have Node. */
async function check(part: string, script: string, ...args: string[]): Promise<Outcome> {
  const { exitCode, seconds } = await run(part, [process.execPath, script, ...args]);
  return { part, passed: exitCode === 0 ? 1 : 0, failed: exitCode === 0 ? 0 : 1, seconds };
}

async function runTests(): Promise<Outcome> {
  const options = [`--timeout=${testTimeoutMs}`, "--parallel=2", "--no-orphans", "--only-failures"];
  // One for all test files; each makes databases of its own in it.
  const postgres = await startPostgresServer();
  const { exitCode, seconds, output } = await run("Tests", [process.execPath, "test", ...options], {
    TEST_EXECUTABLE: executable,
    TEST_POSTGRES_URL: postgres.url,
  }).finally(postgres.stop);
  const count = (what: string) =>
    Number([...output.matchAll(summaryLine)].findLast(([, , w]) => w === what)?.[1] ?? 0);
  const failed = count("fail") + count("error") + count("skip") + count("todo");
  // A run that died before its summary failed, whatever it counted.
  return {
    part: "Tests",
    passed: count("pass"),
    failed: exitCode === 0 ? failed : Math.max(1, failed),
    seconds,
  };
}

/** Runs a command; what it prints is shown as it comes, and returned. */
async function run(part: string, command: readonly string[], environment: Record<string, string> = {}) {
  console.log(`==> ${part}`);
  const startedAt = performance.now();
  const child = Bun.spawn([...command], {
    cwd: root,
    env: { ...process.env, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const shown = await Promise.all([show(child.stdout), show(child.stderr)]);
  const exitCode = await child.exited;
  return { exitCode, seconds: (performance.now() - startedAt) / 1000, output: shown.join("\n") };
}

async function show(stream: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let output = "";
  for await (const bytes of stream) {
    const text = decoder.decode(bytes, { stream: true });
    process.stdout.write(text);
    output += text;
  }
  return output;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

process.exit(await main());
