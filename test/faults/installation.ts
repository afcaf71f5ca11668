/** Plumbline as its users run it: processes on a data folder of their own, told what to do by command and by HTTP. */
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

const fromSource = [process.execPath, join(import.meta.dir, "../../src/main.ts")];

export interface InstallOptions {
  /** How `plumbline` is started; from source when absent. */
  program?: readonly string[];
  /** Files in the folder where every command is started, by name. */
  folderHolds?: Readonly<Record<string, string>>;
  environment?: Readonly<Record<string, string>>;
}

export interface Installation extends AsyncDisposable {
  dataDir: string;
  /** Runs `plumbline …`; answers standard output without its last newline. */
  run(...command: string[]): Promise<string>;
  /** `plumbline serve`, answering. */
  serve(): Promise<ServerProcess>;
}

export interface ServerProcess {
  /** With the key, unless headers say otherwise. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
  get(path: string): Promise<unknown>;
  post(path: string, body: unknown): Promise<{ status: number; body: unknown }>;
  kill(signal: "SIGKILL" | "SIGTERM"): Promise<number | null>;
}

interface Child {
  process: Bun.Subprocess<"ignore", "pipe", Bun.BunFile>;
  /** Its standard error. */
  said: Bun.BunFile;
}

/** Set up for the organization acme, with a key. */
export async function install(options: InstallOptions = {}): Promise<Installation> {
  const folder = await mkdtemp(join(tmpdir(), "plumbline-faults-"));
  const dataDir = join(folder, "data");
  const port = await freePort();
  const environment = {
    PATH: process.env.PATH ?? "",
    HOME: folder,
    PLUMBLINE_DATA_DIR: dataDir,
    PLUMBLINE_SECRET_KEY_FILE: join(folder, "secret.key"),
    PLUMBLINE_PORT: String(port),
    PLUMBLINE_LOG_LEVEL: "warn",
    ...options.environment,
  };
  const children = new Set<Child>();
  const spawn = (command: readonly string[]): Child => {
    const said = Bun.file(join(folder, `stderr-${children.size}`));
    const plumbline = Bun.spawn([...(options.program ?? fromSource), ...command], {
      ...{ cwd: folder, env: environment, stdin: "ignore", stdout: "pipe", stderr: said },
    });
    const child = { process: plumbline, said };
    children.add(child);
    return child;
  };

  async function run(...command: string[]): Promise<string> {
    const child = spawn(command);
    const output = await new Response(child.process.stdout).text();
    if ((await child.process.exited) === 0) return output.replace(/\n$/, "");
    throw new Error(`plumbline ${command.join(" ")}: ${await child.said.text()}`);
  }

  for (const [name, text] of Object.entries(options.folderHolds ?? {})) {
    await Bun.write(join(folder, name), text);
  }
  await Bun.write(join(folder, "password"), "correct horse battery staple");
  await run(
    "setup",
    "--org",
    "acme",
    "--admin-email",
    "ada@acme.test",
    "--admin-password-file",
    join(folder, "password"),
  );
  const key = await run("keys", "create", "--name", "ci");

  return {
    ...{ dataDir, run },
    async serve() {
      const child = spawn(["serve"]);
      const url = `http://127.0.0.1:${port}`;
      const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
      await answering(`${url}/readyz`, child);
      return {
        fetch: (path, init) => fetch(url + path, { headers, ...init }),
        get: async (path) => (await fetch(url + path, { headers })).json(),
        async post(path, body) {
          const answer = await fetch(url + path, { method: "POST", headers, body: JSON.stringify(body) });
          return { status: answer.status, body: await answer.json() };
        },
        kill(signal) {
          child.process.kill(signal);
          return child.process.exited;
        },
      };
    },
    async [Symbol.asyncDispose]() {
      for (const child of children) child.process.kill("SIGKILL");
      await Promise.all([...children].map((child) => child.process.exited));
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function answering(url: string, child: Child): Promise<void> {
  while (child.process.exitCode === null) {
    const answer = await fetch(url).catch(() => null);
    if (answer?.ok) return;
    await Bun.sleep(10);
  }
  throw new Error(`plumbline serve ended: ${await child.said.text()}`);
}

async function freePort(): Promise<number> {
  const server = createServer();
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, "127.0.0.1", resolve);
  await promise;
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  await new Promise((closed) => server.close(closed));
  return address.port;
}
