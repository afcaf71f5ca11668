/** A server of its own on a temporary data folder, and the commands by which a user sets it up. */
import { openSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";

const startTimeoutMs = 20_000;
const stopTimeoutMs = 35_000;

export interface Installation {
  /** `http://127.0.0.1:40123` */
  address: string;
  /** Runs `plumbline ARGS` and answers its standard output; throws with its standard error when it fails. */
  plumbline(...args: string[]): Promise<string>;
  /** Resolves with a cause when the server ends by itself. */
  ended: Promise<string>;
  stop(): Promise<void>;
}

export async function startInstallation(executable: string, folder: string): Promise<Installation> {
  const dataDir = join(folder, "data");
  await mkdir(dataDir, { mode: 0o700 });
  const log = join(folder, "server.log");
  const environment = {
    PATH: process.env.PATH ?? "",
    HOME: folder,
    PLUMBLINE_DATA_DIR: dataDir,
    PLUMBLINE_SECRET_KEY_FILE: join(folder, "secret.key"),
  };
  const server = Bun.spawn([executable, "serve", "--port", "0", "--log-format", "json"], {
    cwd: folder,
    env: environment,
    stdio: ["ignore", "pipe", openSync(log, "w")],
  });
  const ended = server.exited.then(async (code) => {
    const lastLines = (await Bun.file(log).text()).trimEnd().split("\n").slice(-5).join("\n");
    return `The server ended with exit code ${code}:\n${lastLines}`;
  });

  const stop = async () => {
    const forceful = setTimeout(() => server.kill("SIGKILL"), stopTimeoutMs);
    server.kill("SIGTERM");
    await server.exited;
    clearTimeout(forceful);
  };
  const plumbline = (...args: string[]) => runCommand([executable, ...args], folder, environment);
  try {
    return { address: await printedAddress(server.stdout, ended), plumbline, ended, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function runCommand(command: string[], cwd: string, env: Record<string, string>): Promise<string> {
  const child = Bun.spawn(command, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  const [output, complaint, exitCode] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  if (exitCode !== 0) throw new Error(`plumbline ${command.slice(1).join(" ")} failed:\n${complaint.trim()}`);
  return output.trim();
}

async function printedAddress(output: ReadableStream<Uint8Array>, ended: Promise<string>): Promise<string> {
  const printed = readAddress(output);
  const failed = ended.then((cause) => {
    throw new Error(cause);
  });
  const late = Bun.sleep(startTimeoutMs).then(() => {
    throw new Error(`The server did not answer within ${startTimeoutMs / 1_000} s`);
  });
  return Promise.race([printed, failed, late]);
}

/** Reads on after the address, so that the server can go on writing; an end without one is for `ended` to explain. */
function readAddress(output: ReadableStream<Uint8Array>): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const read = async () => {
    const decoder = new TextDecoder();
    let text = "";
    for await (const bytes of output) {
      text += decoder.decode(bytes, { stream: true });
      const address = /https?:\/\/\S+:\d+(?=\s)/.exec(text)?.[0];
      if (address !== undefined) resolve(address);
    }
  };
  read().catch(reject);
  return promise;
}
