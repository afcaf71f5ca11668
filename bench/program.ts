/** A program that listens and says where: started, measured, ended. */
import { readFileSync } from "node:fs";

export interface Program {
  url: string;
  pid: number;
  /** From the start to its first answer. */
  firstAnswerMs: number;
  stop(): Promise<void>;
}

export interface ProgramOptions {
  command: readonly string[];
  environment?: Readonly<Record<string, string>>;
  cwd?: string;
  /** Answers 200 when the program is there. */
  path: string;
}

export async function startProgram(options: ProgramOptions): Promise<Program> {
  const startedAt = performance.now();
  const child = Bun.spawn([...options.command], {
    cwd: options.cwd ?? "/",
    env: { PATH: process.env.PATH ?? "", ...options.environment },
    stdio: ["ignore", "pipe", "ignore"],
  });
  const url = await printedAddress(child.stdout);
  const response = await fetch(url + options.path);
  if (!response.ok) throw new Error(`${url}${options.path} answered ${response.status}`);
  await response.text();
  return {
    url,
    pid: child.pid,
    firstAnswerMs: performance.now() - startedAt,
    async stop() {
      child.kill("SIGTERM");
      await child.exited;
    },
  };
}

/** Resident memory in megabytes; NaN where the system does not say. */
export function residentMegabytes(pid: number): number {
  try {
    const [, kilobytes = "NaN"] =
      /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
    return (Number(kilobytes) * 1024) / 1e6;
  } catch {
    return Number.NaN;
  }
}

const clockTicksPerSecond = 100;

/** Processor time a process has used in all its threads, in milliseconds; NaN where the system does not say. */
export function processorMs(pid: number): number {
  try {
    // After the name, which is in parentheses: state is the 3rd field, utime the 14th, stime the 15th (proc(5)).
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
      .replace(/^.*\) /, "")
      .split(" ");
    return ((Number(fields[11]) + Number(fields[12])) * 1_000) / clockTicksPerSecond;
  } catch {
    return Number.NaN;
  }
}

function printedAddress(output: ReadableStream<Uint8Array>): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const read = async () => {
    let text = "";
    for await (const bytes of output) {
      text += new TextDecoder().decode(bytes);
      const address = /http:\/\/\S+:\d+/.exec(text)?.[0];
      if (address !== undefined) resolve(address);
    }
    reject(new Error(`it ended without an address: ${text}`));
  };
  read().catch(reject);
  return promise;
}
