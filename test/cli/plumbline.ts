/** Plumbline as a person at a terminal or a script has it: real processes, on a folder and a database of their own. */
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { emptyDatabases, temporaryFolder } from "../support/databases.ts";

const fromSource = [process.execPath, join(import.meta.dir, "../../src/main.ts")];

/** For a shell. */
export const plumblineCommand = fromSource.join(" ");

export interface Outcome {
  code: number;
  stdout: string;
  stderr: string;
}

export interface Server {
  /** `http://127.0.0.1:40123`, as it was printed. */
  address: string;
  pid: number;
  stdout(): string;
  /** The log, and what was said to people. */
  stderr(): string;
  signal(signal: NodeJS.Signals): void;
  /** The exit code. */
  exited: Promise<number>;
}

export interface Plumbline extends AsyncDisposable {
  folder: string;
  dataDir: string;
  keyFile: string;
  databaseUrl: string | null;
  environment: Record<string, string>;
  /** Writes a file into the folder and answers its path. */
  file(name: string, contents: string): string;
  run(...command: string[]): Promise<Outcome>;
  /** With that on standard input. */
  runWith(stdin: string, ...command: string[]): Promise<Outcome>;
  /** Standard output without its last newline; throws when the command fails. */
  answer(...command: string[]): Promise<string>;
  /** `plumbline serve` on a free port, once it has printed its address. */
  serve(...options: string[]): Promise<Server>;
  /** `setup` for the organization acme. */
  setsUp(): Promise<void>;
}

export const password = "correct horse battery";

export async function install(
  options: {
    on?: keyof typeof emptyDatabases;
    environment?: Record<string, string>;
    /** How `plumbline` is started; from source when absent. */
    program?: readonly string[];
  } = {},
): Promise<Plumbline> {
  const folder = temporaryFolder();
  const database = options.on === "postgres" ? await emptyDatabases.postgres() : null;
  const dataDir = join(folder, "data");
  const keyFile = join(folder, "secret.key");
  const environment: Record<string, string> = {
    PATH: process.env.PATH ?? "",
    HOME: folder,
    PLUMBLINE_DATA_DIR: dataDir,
    PLUMBLINE_SECRET_KEY_FILE: keyFile,
    ...(database?.databaseUrl ? { PLUMBLINE_DATABASE_URL: database.databaseUrl } : {}),
    ...options.environment,
  };
  const servers: Server[] = [];
  const start = (command: readonly string[], stdin: string | null = null) =>
    Bun.spawn([...(options.program ?? fromSource), ...command], {
      ...{ cwd: folder, env: environment, stdout: "pipe", stderr: "pipe" },
      stdin: stdin === null ? "ignore" : new TextEncoder().encode(stdin),
    });

  const runWith = async (stdin: string | null, command: readonly string[]): Promise<Outcome> => {
    const child = start(command, stdin);
    const [stdout, stderr, code] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
      child.exited,
    ]);
    return { code, stdout, stderr };
  };
  const plumbline: Plumbline = {
    ...{ folder, dataDir, keyFile, databaseUrl: database?.databaseUrl ?? null, environment },
    file(name, contents) {
      const path = join(folder, name);
      writeFileSync(path, contents, { mode: 0o600 });
      return path;
    },
    run: (...command) => runWith(null, command),
    runWith: (stdin, ...command) => runWith(stdin, command),
    async answer(...command) {
      const { code, stdout, stderr } = await runWith(null, command);
      if (code !== 0) throw new Error(`plumbline ${command.join(" ")}: exit ${code}\n${stderr}`);
      return stdout.replace(/\n$/, "");
    },
    async serve(...serveOptions) {
      const server = await watched(start(["serve", "--port", "0", ...serveOptions]));
      servers.push(server);
      return server;
    },
    async setsUp() {
      const file = plumbline.file("password", `${password}\n`);
      await plumbline.answer(
        ...["setup", "--org", "acme", "--admin-email", "ada@acme.example", "--admin-password-file", file],
      );
    },
    async [Symbol.asyncDispose]() {
      for (const server of servers) server.signal("SIGKILL");
      await Promise.all(servers.map(({ exited }) => exited));
      await database?.[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  return plumbline;
}

async function watched(child: Bun.Subprocess<"ignore" | Uint8Array, "pipe", "pipe">): Promise<Server> {
  const stdout = collected(child.stdout);
  const stderr = collected(child.stderr);
  const ended = child.exited.then(async (code) => {
    await Promise.all([stdout.end, stderr.end]);
    return code;
  });
  const address = await Promise.race([stdout.until(/(http\S+)\n/), ended.then(() => null)]);
  if (address === null) throw new Error(`plumbline serve ended with ${await ended}:\n${stderr.text()}`);
  return {
    address,
    pid: child.pid,
    stdout: stdout.text,
    stderr: stderr.text,
    signal: (signal) => child.kill(signal),
    exited: ended,
  };
}

function collected(stream: ReadableStream<Uint8Array>) {
  let text = "";
  let changed = Promise.withResolvers<void>();
  const end = (async () => {
    const decoder = new TextDecoder();
    for await (const bytes of stream) {
      text += decoder.decode(bytes, { stream: true });
      changed.resolve();
      changed = Promise.withResolvers();
    }
  })();
  return {
    text: () => text,
    end,
    async until(pattern: RegExp): Promise<string> {
      for (;;) {
        const found = pattern.exec(text)?.[1];
        if (found !== undefined) return found;
        await changed.promise;
      }
    },
  };
}
