/** A PostgreSQL server of our own: a private port, a folder that goes with it, never as root. */
import { chownSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SQL, type Subprocess } from "bun";

export interface PostgresServer extends AsyncDisposable {
  /** Of the maintenance database, as its superuser. */
  url: string;
  /** Ends the server as a lost process would; `restart` brings it back with what it had answered. */
  crash(): Promise<void>;
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** What is lost with the machine is a test; what is lost with the server's process is not. */
const settings = ["fsync=off", "full_page_writes=off", "max_connections=200"];

const startTimeoutMs = 30_000;

/** The folder of the newest server's programs; null where there is none. */
export function findPostgres(): string | null {
  const debian = "/usr/lib/postgresql";
  const versions = existsSync(debian) ? [...new Bun.Glob("*/bin/postgres").scanSync(debian)] : [];
  const [newest] = versions.sort((a, b) => Number.parseInt(b, 10) - Number.parseInt(a, 10));
  if (newest !== undefined) return join(debian, newest, "..");
  const inPath = Bun.which("postgres");
  return inPath === null ? null : join(inPath, "..");
}

export async function startPostgresServer(): Promise<PostgresServer> {
  const programs = findPostgres();
  if (programs === null) throw new Error("PostgreSQL is missing: apt-get install postgresql");
  const folder = mkdtempSync(join(tmpdir(), "plumbline-postgres-"));
  const user = unprivilegedUser();
  if (user !== null) chownSync(folder, user.uid, user.gid);
  const data = join(folder, "data");
  const port = freePort();
  const url = `postgres://plumbline@127.0.0.1:${port}/postgres`;

  const initdb = [join(programs, "initdb"), "--pgdata", data, "--username=plumbline", "--auth=trust"];
  await runToEnd(as(user, [...initdb, "--encoding=UTF8", "--locale=C", "--no-sync"]));

  const server = [join(programs, "postgres"), "-D", data, "-p", `${port}`, "-k", folder, "-h", "127.0.0.1"];
  const options = settings.flatMap((setting) => ["-c", setting]);
  const start = async () => {
    const log = Bun.file(join(folder, "log"));
    const child = Bun.spawn(as(user, [...server, ...options]), { stdout: "ignore", stderr: log, cwd: "/" });
    child.unref();
    await waitUntilReady(url, child, folder);
    return child;
  };
  let running = await start();
  const end = async () => {
    running.kill("SIGQUIT");
    await running.exited;
  };
  const forget = () => rmSync(folder, { recursive: true, force: true });
  process.on("exit", forget);
  const stop = async () => {
    await end();
    process.off("exit", forget);
    forget();
  };
  const restart = async () => {
    running = await start();
  };
  return { url, crash: end, restart, stop, [Symbol.asyncDispose]: stop };
}

/** Runs `command` as `user`, and ends it however this process ends, where the system can do that. */
function as(user: { uid: number; gid: number } | null, command: string[]): string[] {
  const setpriv = Bun.which("setpriv");
  if (setpriv === null) return command;
  const identity = user === null ? [] : [`--reuid=${user.uid}`, `--regid=${user.gid}`, "--clear-groups"];
  return [setpriv, ...identity, "--pdeathsig=QUIT", ...command];
}

/** PostgreSQL refuses to run as root: Debian's own user for it, else nobody. Null when we are not root. */
function unprivilegedUser(): { uid: number; gid: number } | null {
  if (process.getuid?.() !== 0) return null;
  const users = new Map(
    readFileSync("/etc/passwd", "utf8")
      .split("\n")
      .map((line) => line.split(":"))
      .map(([name, , uid, gid]) => [name, { uid: Number(uid), gid: Number(gid) }]),
  );
  const user = users.get("postgres") ?? users.get("nobody");
  if (user === undefined) throw new Error("PostgreSQL does not run as root, and there is no user `nobody`");
  return user;
}

async function runToEnd(command: string[]): Promise<void> {
  const child = Bun.spawn(command, { stdout: "ignore", stderr: "pipe", cwd: "/" });
  const complaint = await new Response(child.stderr).text();
  if ((await child.exited) !== 0) throw new Error(`${command.join(" ")} failed: ${complaint}`);
}

function freePort(): number {
  const probe = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } });
  const { port } = probe;
  probe.stop(true);
  return port;
}

async function waitUntilReady(url: string, server: Subprocess, folder: string): Promise<void> {
  const deadline = performance.now() + startTimeoutMs;
  for (;;) {
    const probe = new SQL(url, { max: 1 });
    try {
      await probe`SELECT 1`;
      return;
    } catch (error) {
      if (performance.now() > deadline || server.exitCode !== null) {
        const log = readFileSync(join(folder, "log"), "utf8");
        throw new Error(`PostgreSQL did not start:\n${log}`, { cause: error });
      }
    } finally {
      await probe.close();
    }
    await Bun.sleep(25);
  }
}
