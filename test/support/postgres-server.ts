/** A PostgreSQL server of our own: a private port, a folder that goes with it, never as root, nothing kept safe. */
import { chownSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SQL } from "bun";

export interface PostgresServer {
  /** Of the maintenance database, as its superuser. */
  url: string;
  pid: number;
  stop(): Promise<void>;
}

/** Speed instead of safety: what is lost with the machine is a test. */
const settings = ["fsync=off", "synchronous_commit=off", "full_page_writes=off", "max_connections=200"];

const startTimeoutMs = 30_000;

/**
 * Runs the server and waits for the end of its own standard input: that comes however the test process ends, and takes
 * the server and its folder with it.
 */
const keeper = `trap '' INT
folder=$1; shift
"$@" </dev/null >>"$folder/log" 2>&1 &
cat >/dev/null
kill -QUIT $! 2>/dev/null
wait
rm -rf "$folder"`;

/** The folder of the newest server's programs; null where there is none. */
export function findPostgres(): string | null {
  const versions = [...new Bun.Glob("*/bin/postgres").scanSync("/usr/lib/postgresql")].sort(
    (a, b) => Number.parseInt(b, 10) - Number.parseInt(a, 10),
  );
  const [newest] = versions;
  if (newest !== undefined) return join("/usr/lib/postgresql", newest, "..");
  const inPath = Bun.which("postgres");
  return inPath === null ? null : join(inPath, "..");
}

export async function startPostgresServer(): Promise<PostgresServer> {
  const programs = findPostgres();
  if (programs === null) throw new Error("PostgreSQL is missing: apt-get install postgresql");
  const folder = mkdtempSync(join(tmpdir(), "plumbline-postgres-"));
  const user = unprivilegedUser();
  if (user !== null) chownSync(folder, user.uid, user.gid);
  const asUser =
    user === null ? [] : ["setpriv", `--reuid=${user.uid}`, `--regid=${user.gid}`, "--clear-groups"];
  const data = join(folder, "data");

  const initdb = [join(programs, "initdb"), "--pgdata", data, "--username=plumbline", "--auth=trust"];
  await runToEnd([...asUser, ...initdb, "--encoding=UTF8", "--locale=C", "--no-sync"]);

  const port = freePort();
  const server = [
    join(programs, "postgres"),
    "-D",
    data,
    "-p",
    String(port),
    "-k",
    folder,
    "-h",
    "127.0.0.1",
  ];
  const options = settings.flatMap((setting) => ["-c", setting]);
  const child = Bun.spawn([...asUser, "sh", "-c", keeper, "sh", folder, ...server, ...options], {
    stdin: "pipe",
    cwd: "/",
  });
  child.unref();
  const url = `postgres://plumbline@127.0.0.1:${port}/postgres`;
  await waitUntilReady(url, join(folder, "log"));
  return {
    url,
    pid: postmasterPid(data),
    stop: async () => {
      child.stdin.end();
      await child.exited;
    },
  };
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

async function waitUntilReady(url: string, log: string): Promise<void> {
  const deadline = performance.now() + startTimeoutMs;
  for (;;) {
    const probe = new SQL(url, { max: 1 });
    try {
      await probe`SELECT 1`;
      return;
    } catch (error) {
      if (performance.now() > deadline) {
        throw new Error(`PostgreSQL did not start:\n${readFileSync(log, "utf8")}`, { cause: error });
      }
    } finally {
      await probe.close();
    }
    await Bun.sleep(25);
  }
}

function postmasterPid(data: string): number {
  return Number.parseInt(readFileSync(join(data, "postmaster.pid"), "utf8"), 10);
}
