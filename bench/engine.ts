/**
 * The built-in reviewer: the first review of a process, for which worker, grammar and rules are got up, beside those
 * after it; and what the engine adds to an executable.
 */
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { compressWasm } from "../scripts/compress-wasm.ts";
import { median } from "./statistics.ts";
import { milliseconds, printTable, ratio } from "./table.ts";

const processes = 5;
const src = join(import.meta.dir, "../src");

export async function benchEngine(executable: string, folder: string): Promise<void> {
  const firstMs: number[] = [];
  for (let run = 0; run < processes; run += 1) firstMs.push(await caseMs(executable, "python/default-list"));
  const laterMs = await caseMs(executable, "python/");
  printTable(
    `Reviewing one of our own cases in Python (the first: median of ${processes} processes)`,
    ["the first", "one in the middle", "ratio"],
    [[milliseconds(median(firstMs)), milliseconds(laterMs), ratio(median(firstMs), laterMs)]],
  );
  const without = await executableMegabytes(["system.ts"], join(folder, "without-engine"));
  const engine = ["system.ts", "engines/rules/rules.ts", "engines/rules/worker.ts"];
  const withIt = await executableMegabytes(engine, join(folder, "with-engine"));
  printTable(
    "The size of an executable",
    ["without the engine", "with it", "growth"],
    [[without, withIt, withIt - without].map((size) => `${size.toFixed(1)} MB`)],
  );
}

/** The median of the cases whose names begin so. */
async function caseMs(executable: string, only: string): Promise<number> {
  const { milliseconds: of } = await Bun.$`${executable} bench --only ${only} --json`.quiet().json();
  return of.p50;
}

/** Built as the product is, of these files of src/ alone. */
async function executableMegabytes(entrypoints: readonly string[], outfile: string): Promise<number> {
  await Bun.build({
    entrypoints: entrypoints.map((path) => join(src, path)),
    compile: { outfile },
    format: "esm",
    bytecode: true,
    plugins: [compressWasm],
  });
  return (await stat(outfile)).size / 1e6;
}
