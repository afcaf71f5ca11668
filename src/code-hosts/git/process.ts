/**
 * The only place that starts `git`. Every child leads a process group of its own, so that cutting it also ends what
 * it started (ssh, git-remote-https, index-pack), and lives in an environment built from nothing.
 */
import { dirname } from "node:path";
import { environmentOf, type GitSurroundings } from "./environment.ts";
import type { GitLimits } from "./limits.ts";

export interface GitCommand {
  surroundings: GitSurroundings;
  args: readonly string[];
  limits: GitLimits;
  /** `limits.localMs` when absent. */
  timeoutMs?: number;
  /** More standard output than this ends the command, bytes; enough for a short answer when absent. */
  outputBytes?: number;
  /** The largest file that it may write, bytes; the kernel ends it there. */
  writtenFileBytes?: number;
  /** Whatever it says on standard error means that it failed, though it may end as if it had not. */
  complaintsFail?: boolean;
}

/** It ended by itself; it was cut because of time, of what it printed or of what it wrote; there is no git at all. */
export type GitFailureReason = "exit" | "timeout" | "output" | "written" | "missing";

/** A `git` that did not do what it was asked. Never shown to people as it is: see failures.ts. */
export class GitFailed extends Error {
  readonly reason: GitFailureReason;
  /** `fetch` */
  readonly command: string;
  /** Null when it was cut. */
  readonly exitCode: number | null;
  /** The end of what it said on standard error. */
  readonly stderr: string;
  constructor(reason: GitFailureReason, command: string, exitCode: number | null, stderr: string) {
    super(`git ${command} failed (${reason}${exitCode === null ? "" : ` ${exitCode}`}): ${stderr}`);
    this.name = "GitFailed";
    this.reason = reason;
    this.command = command;
    this.exitCode = exitCode;
    this.stderr = stderr;
  }
}

const shortAnswerBytes = 65_536;

/** Runs to the end; answers standard output. Throws GitFailed, or the signal's reason when it was aborted. */
export async function runGit(command: GitCommand, signal: AbortSignal): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of streamGit(command, signal)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Like runGit, standard output in pieces. Leaving the loop early ends the child. */
export async function* streamGit(command: GitCommand, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  signal.throwIfAborted();
  const { args, limits, timeoutMs = limits.localMs, outputBytes = shortAnswerBytes } = command;
  const failed = (reason: GitFailureReason, exitCode: number | null = null, stderr = "") =>
    new GitFailed(reason, args[0] ?? "", exitCode, stderr);
  const child = startGit(command);
  child.stdin.end();
  const output = child.stdout.getReader();
  const cut = Promise.withResolvers<never>();
  const timer = setTimeout(() => cut.reject(failed("timeout")), timeoutMs);
  const onAbort = () => cut.reject(signal.reason);
  signal.addEventListener("abort", onAbort);
  let received = 0;
  let ended = false;
  try {
    // Against the clock even when it has ended itself: what it started may hold its output open.
    for (;;) {
      const { done, value } = await Promise.race([output.read(), cut.promise]);
      if (done || value === undefined) break;
      received += value.byteLength;
      if (received > outputBytes) throw failed("output");
      yield value;
    }
    const ending = Promise.all([child.exited, child.problem]);
    const [exitCode, stderr] = await Promise.race([ending, cut.promise]);
    ended = true;
    if (exitCode !== 0 || (command.complaintsFail === true && stderr !== ""))
      throw failed("exit", exitCode, stderr);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", onAbort);
    if (!ended) await endSoon(child);
  }
}

/** A killed process is gone in a moment, unless the system itself hangs. */
const dyingMs = 1000;

async function endSoon(child: GitChild): Promise<void> {
  child.kill();
  await Promise.race([child.exited, Bun.sleep(dyingMs)]);
}

export interface GitChild {
  stdin: { write(text: string): unknown; flush(): unknown; end(): unknown };
  stdout: ReadableStream<Uint8Array>;
  /** The end of what it says on standard error, once it has ended. */
  problem: Promise<string>;
  exited: Promise<number>;
  /** Ends the whole process group; harmless when it has ended. */
  kill: () => void;
  /** Lets the process exit while the child runs. */
  unref(): void;
}

/** Starts a child that the caller ends. Throws GitFailed `missing` when there is no `git`. */
export function startGit(command: Omit<GitCommand, "timeoutMs" | "outputBytes">): GitChild {
  const executable = Bun.which("git");
  if (executable === null)
    throw new GitFailed("missing", command.args[0] ?? "", null, "git is not installed");
  const child = Bun.spawn([...limiter(command), executable, ...command.args], {
    cwd: command.surroundings.home,
    env: environmentOf(command.surroundings, searchPath(executable)),
    stdin: "pipe",
    stdout: "pipe",
    stderr: "pipe",
    detached: true,
  });
  return {
    stdin: child.stdin,
    stdout: child.stdout,
    problem: lastBytes(child.stderr),
    exited: child.exited,
    kill: () => endGroup(child.pid),
    unref: () => child.unref(),
  };
}

/** Where git finds its own programs and ssh: beside the git that was found, and in the system's folders. */
function searchPath(executable: string): string {
  const ssh = Bun.which("ssh");
  const folders = [
    dirname(executable),
    ssh === null ? null : dirname(ssh),
    "/usr/local/bin",
    "/usr/bin",
    "/bin",
  ];
  return [...new Set(folders.filter((folder) => folder !== null))].join(":");
}

/**
 * The shell sets the limits and becomes git. `ulimit` counts memory in kilobytes and files in blocks of 512 bytes;
 * where a system knows one of them not, or has a lower one already, that is no reason to stop.
 */
function limiter({ limits, writtenFileBytes }: Pick<GitCommand, "limits" | "writtenFileBytes">): string[] {
  const kilobytes = String(Math.ceil(limits.memoryBytes / 1024));
  const blocks = writtenFileBytes === undefined ? "unlimited" : String(Math.ceil(writtenFileBytes / 512));
  const script = '{ ulimit -c 0; ulimit -v "$1"; ulimit -f "$2"; } 2>/dev/null; shift 2; exec "$@"';
  return ["/bin/sh", "-c", script, "sh", kilobytes, blocks];
}

function endGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}

const stderrBytesKept = 8192;

/** Reads to the end whatever is said, and keeps its last bytes. */
async function lastBytes(stream: ReadableStream<Uint8Array>): Promise<string> {
  let kept = Buffer.alloc(0);
  for await (const chunk of stream) kept = Buffer.concat([kept, chunk]).subarray(-stderrBytesKept);
  return kept.toString("utf8");
}
