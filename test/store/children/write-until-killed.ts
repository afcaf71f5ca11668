/** Writes with 32 writers at once until it is killed, and says the number of every write that was answered. */
import { writeSync } from "node:fs";
import { openStore } from "../../../src/store/open.ts";
import { aJob } from "../../contracts/store-world.ts";
import { runtime } from "./runtime.ts";

const [dataDir = "", first = "0"] = process.argv.slice(2);
const { store } = await openStore({ databaseUrl: null, dataDir, ...runtime });
let next = Number(first);

async function write(): Promise<never> {
  for (;;) {
    const n = next++;
    const at = new Date();
    await store.transaction(async (tx) => {
      await tx.settings.put(`write-${n}`, { n, text: "x".repeat(500) });
      await tx.jobs.enqueue(aJob({ dedupeKey: `job-${n}`, payload: n }), at);
    });
    writeSync(1, `${n}\n`);
  }
}

await Promise.all(Array.from({ length: 32 }, write));
