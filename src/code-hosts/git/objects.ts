/**
 * Reads objects of a repository through one long-lived `git cat-file --batch`, one after another. Only ids are ever
 * written to it: a path in its line protocol would break at a newline.
 */
import type { GitSurroundings } from "./environment.ts";
import type { GitLimits } from "./limits.ts";
import { createMutex } from "./mutex.ts";
import { type GitChild, GitFailed, startGit } from "./process.ts";

export interface GitObject {
  type: string;
  bytes: Buffer;
}

export interface ObjectReader {
  /** Null when there is no such object; `too_large` when it has more than `bytesMax`. */
  read(id: string, bytesMax: number, signal: AbortSignal): Promise<GitObject | "too_large" | null>;
  close(): Promise<void>;
}

const objectId = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

/** An unused child is ended after this many milliseconds. */
const idleMs = 10_000;

export function createObjectReader(surroundings: GitSurroundings, limits: GitLimits): ObjectReader {
  const exclusive = createMutex();
  let conversation: Conversation | null = null;
  let idle: Timer | undefined;

  const end = () => {
    conversation?.child.kill();
    conversation = null;
  };

  const readNow = async (id: string, bytesMax: number, signal: AbortSignal) => {
    clearTimeout(idle);
    conversation ??= startConversation(surroundings, limits);
    let cut = false;
    const timer = setTimeout(() => {
      cut = true;
      end();
    }, limits.localMs);
    signal.addEventListener("abort", end);
    try {
      const object = await conversation.ask(id, bytesMax);
      if (object === "too_large") end();
      return object;
    } catch (error) {
      end();
      signal.throwIfAborted();
      throw cut ? new GitFailed("timeout", "cat-file", null, "") : error;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      idle = setTimeout(end, idleMs);
      idle.unref();
    }
  };

  return {
    read(id, bytesMax, signal) {
      if (!objectId.test(id)) throw new Error(`not an object id: ${JSON.stringify(id)}`);
      return exclusive(signal, () => readNow(id, bytesMax, signal));
    },
    async close() {
      clearTimeout(idle);
      const child = conversation?.child;
      end();
      await child?.exited;
    },
  };
}

interface Conversation {
  child: GitChild;
  ask(id: string, bytesMax: number): Promise<GitObject | "too_large" | null>;
}

function startConversation(surroundings: GitSurroundings, limits: GitLimits): Conversation {
  const child = startGit({ surroundings, args: ["cat-file", "--batch"], limits });
  child.unref();
  const input = createInput(child.stdout, () => child.problem);
  const send = async (line: string) => {
    try {
      child.stdin.write(line);
      await child.stdin.flush();
    } catch {
      // A broken pipe: it has ended, and says itself why.
      throw new GitFailed("exit", "cat-file", null, await child.problem);
    }
  };
  return {
    child,
    async ask(id, bytesMax) {
      await send(`${id}\n`);
      const [, type, size] = (await input.line()).split(" ");
      if (type === "missing" || type === undefined || size === undefined) return null;
      if (Number(size) > bytesMax) return "too_large";
      const bytes = await input.bytes(Number(size));
      await input.bytes(1);
      return { type, bytes };
    },
  };
}

/** Lines and counted bytes out of a stream of pieces. */
function createInput(stream: ReadableStream<Uint8Array>, problem: () => Promise<string>) {
  const reader = stream.getReader();
  let pieces: Uint8Array[] = [];
  let available = 0;

  const more = async () => {
    const { done, value } = await reader.read();
    if (done || value === undefined) throw new GitFailed("exit", "cat-file", null, await problem());
    pieces.push(value);
    available += value.length;
  };
  const take = (count: number) => {
    const all = Buffer.concat(pieces);
    pieces = [all.subarray(count)];
    available = all.length - count;
    return all.subarray(0, count);
  };

  return {
    async line(): Promise<string> {
      for (;;) {
        const end = Buffer.concat(pieces).indexOf("\n");
        if (end >= 0) return take(end + 1).toString("latin1", 0, end);
        await more();
      }
    },
    async bytes(count: number): Promise<Buffer> {
      while (available < count) await more();
      return Buffer.from(take(count));
    },
  };
}
