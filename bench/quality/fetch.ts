/** Brings a set's repository to this machine, at its pinned commit, under `.cache/quality/`. */
import { existsSync } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { join } from "node:path";
import type { SourceRepository } from "./sets.ts";

const cacheDir = join(import.meta.dir, "../../.cache/quality");

/**
 * The folder of a bare clone that holds the pinned commit. `mirror` is a folder of clones made elsewhere, for a
 * machine without network: `<mirror>/<owner>+<name>/repo` (or `/repo/.git`).
 */
export async function fetchRepository(source: SourceRepository, mirror: string | null): Promise<string> {
  const target = join(cacheDir, source.name.replace("/", "+"));
  if (existsSync(target) && (await hasCommit(target, source.commit))) return target;
  // Read where it is: a clone that holds no large files cannot be fetched from.
  if (mirror !== null) return mirrored(mirror, source.name);
  if (!existsSync(target)) await git(["init", "-q", "--bare", target]);
  const from = `https://github.com/${source.name}.git`;
  await git(["-C", target, "fetch", "-q", "--no-tags", from, `+${source.commit}:refs/heads/pinned`]);
  return target;
}

/** A bare clone of the tags that match `pattern`, for sets whose cases are tags. */
export async function fetchTags(name: string, pattern: string, mirror: string | null): Promise<string> {
  if (mirror !== null) return mirrored(mirror, name);
  const target = join(cacheDir, name.replace("/", "+"));
  if (existsSync(target)) return target;
  const partial = `${target}.part`;
  await rm(partial, { recursive: true, force: true });
  await git(["init", "-q", "--bare", partial]);
  const tags = `+refs/tags/${pattern}:refs/tags/${pattern}`;
  await git(["-C", partial, "fetch", "-q", "--no-tags", `https://github.com/${name}.git`, tags]);
  await rename(partial, target);
  return target;
}

function mirrored(mirror: string, name: string): string {
  const bare = join(mirror, name.replace("/", "+"), "repo");
  return existsSync(join(bare, ".git")) ? join(bare, ".git") : bare;
}

async function hasCommit(directory: string, commit: string): Promise<boolean> {
  const found = Bun.spawn(["git", "-C", directory, "cat-file", "-e", `${commit}^{commit}`], {
    stderr: "ignore",
  });
  return (await found.exited) === 0;
}

/** Standard output of a git command. Errors: what git said. */
export async function git(args: readonly string[]): Promise<string> {
  const child = Bun.spawn(["git", ...args], { stdout: "pipe", stderr: "pipe" });
  const [output, problem] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  if ((await child.exited) !== 0)
    throw new Error(`git ${args[0] === "-C" ? args[2] : args[0]}: ${problem.trim()}`);
  return output;
}
