/** Ratios, measured beside their baselines in one run: `bun run bench [start] [reading] [sizes] [reviewing] [engine] [delivering]`, all when none is named. */
import { mkdtemp, rm } from "node:fs/promises";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { buildExecutable } from "../scripts/build.ts";
import { benchDelivering } from "./delivering.ts";
import { benchEngine } from "./engine.ts";
import { benchReading } from "./reading.ts";
import { benchReviewing } from "./reviewing.ts";
import { benchSizes } from "./sizes.ts";
import { benchStart } from "./start.ts";

const benches = {
  start: benchStart,
  reading: benchReading,
  sizes: benchSizes,
  reviewing: benchReviewing,
  engine: benchEngine,
  delivering: benchDelivering,
};

const named = process.argv.slice(2);
const unknown = named.filter((name) => !(name in benches));
if (unknown.length > 0)
  throw new Error(`No bench ${unknown.join(", ")}; there are ${Object.keys(benches).join(", ")}`);

const executable = await buildExecutable({ target: null });
const folder = await mkdtemp(join(tmpdir(), "plumbline-bench-"));
console.log(`Bun ${Bun.version}, ${cpus().length} cores, ${cpus()[0]?.model ?? "unknown processor"}`);
try {
  for (const [name, bench] of Object.entries(benches)) {
    if (named.length === 0 || named.includes(name)) await bench(executable, folder);
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
