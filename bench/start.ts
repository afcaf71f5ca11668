/** From the start of the executable to its first answer, and its memory when idle; beside a bare compiled Bun.serve. */
import { join } from "node:path";
import { residentMegabytes, startProgram } from "./program.ts";
import { median } from "./statistics.ts";
import { milliseconds, printTable, ratio } from "./table.ts";

const starts = 10;
const idleMs = 1_500;

interface Start {
  firstAnswerMs: number;
  idleMegabytes: number;
}

export async function benchStart(executable: string, folder: string): Promise<void> {
  const bare = await compileBare(folder);
  const environment = {
    HOME: folder,
    PLUMBLINE_DATA_DIR: join(folder, "start-data"),
    PLUMBLINE_SECRET_KEY_FILE: join(folder, "start.key"),
    PLUMBLINE_LOG_LEVEL: "error",
  };
  const baseline = await measure({ command: [bare], path: "/" });
  const plumbline = await measure({
    command: [executable, "serve", "--port", "0"],
    environment,
    path: "/healthz",
  });
  const row = (name: string, start: Start) => [
    name,
    milliseconds(start.firstAnswerMs),
    ratio(start.firstAnswerMs, baseline.firstAnswerMs),
    `${start.idleMegabytes.toFixed(0)} MB`,
  ];
  printTable(
    `Start to first answer (median of ${starts}), memory ${idleMs / 1_000} s later`,
    ["program", "first answer", "ratio", "resident"],
    [row("bare Bun.serve, compiled", baseline), row("plumbline serve", plumbline)],
  );
}

async function measure(options: Parameters<typeof startProgram>[0]): Promise<Start> {
  await (await startProgram(options)).stop();
  const firstAnswersMs: number[] = [];
  let idleMegabytes = Number.NaN;
  for (let n = 0; n < starts; n += 1) {
    const program = await startProgram(options);
    firstAnswersMs.push(program.firstAnswerMs);
    if (n === starts - 1) {
      await Bun.sleep(idleMs);
      idleMegabytes = residentMegabytes(program.pid);
    }
    await program.stop();
  }
  return { firstAnswerMs: median(firstAnswersMs), idleMegabytes };
}

async function compileBare(folder: string): Promise<string> {
  const outfile = join(folder, "bare-server");
  await Bun.build({
    entrypoints: [join(import.meta.dir, "bare-server.ts")],
    compile: { outfile },
    format: "esm",
    bytecode: true,
  });
  return outfile;
}
