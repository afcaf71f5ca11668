/** The conversation with the Git server: which references it has, and fetching two of them into the cache. */
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { RepositoryAddress } from "./address.ts";
import type { GitSurroundings } from "./environment.ts";
import type { GitLimits } from "./limits.ts";
import { GitFailed, runGit } from "./process.ts";

export interface RemoteReferences {
  /** Object ids by full reference name; `HEAD` among them. */
  ids: ReadonlyMap<string, string>;
  /** What `HEAD` stands for, `refs/heads/main`; null when detached or absent. */
  defaultBranch: string | null;
}

/** The one server that a command may speak to. */
export type Transport = Pick<GitSurroundings, "scheme" | "config">;

/** `pinned`: the only addresses that the name in an http or https URL may stand for; empty = whatever it resolves to. */
export function transportTo(
  address: RepositoryAddress,
  options: { caFile: string | null; pinned: readonly string[]; limits: GitLimits },
): Transport {
  const config: [string, string][] = [
    ["remote.origin.url", address.url],
    ["remote.origin.tagOpt", "--no-tags"],
    ["http.lowSpeedLimit", "1"],
    ["http.lowSpeedTime", String(options.limits.stallSeconds)],
  ];
  if (address.authorization !== null)
    config.push(["http.extraHeader", `Authorization: ${address.authorization}`]);
  if (options.caFile !== null) {
    config.push(["http.sslCAInfo", options.caFile], ["http.sslCAPath", systemAuthorities]);
  }
  const { hostname, port } = new URL(address.url);
  if (options.pinned.length > 0 && !hostname.startsWith("[")) {
    const usualPort = address.scheme === "https" ? "443" : "80";
    config.push(["http.curloptResolve", `${hostname}:${port || usualPort}:${options.pinned.join(",")}`]);
  }
  return { scheme: address.scheme, config };
}

/** `http.sslCAInfo` takes the place of the system's bundle; this folder has the same authorities one by one. */
const systemAuthorities = "/etc/ssl/certs";

/** Throws GitFailed. */
export async function listReferences(
  surroundings: GitSurroundings,
  globs: readonly string[],
  limits: GitLimits,
  signal: AbortSignal,
): Promise<RemoteReferences> {
  const args = ["ls-remote", "--symref", "--end-of-options", "origin", ...globs];
  const { listMs: timeoutMs, referenceBytes: outputBytes } = limits;
  const bounded = { ...limits, memoryBytes: limits.listMemoryBytes };
  const command = { surroundings, args, limits: bounded, timeoutMs, outputBytes };
  const output = (await runGit(command, signal)).toString("utf8");
  const ids = new Map<string, string>();
  let defaultBranch: string | null = null;
  for (const line of output.split("\n")) {
    const [value, reference] = line.split("\t");
    if (value === undefined || reference === undefined) continue;
    if (!value.startsWith("ref: ")) ids.set(reference, value);
    else if (reference === "HEAD") defaultBranch = value.slice("ref: ".length);
  }
  return { ids, defaultBranch };
}

/** Fetches each `from` of the server as `to` of the repository. Throws GitFailed. */
export async function fetchReferences(
  surroundings: GitSurroundings & { gitDir: string },
  references: readonly { from: string; to: string }[],
  limits: GitLimits,
  signal: AbortSignal,
): Promise<void> {
  const args = [...fetch, ...references.map(({ from, to }) => `+${from}:${to}`)];
  const { fetchMs: timeoutMs, fetchBytes: writtenFileBytes } = limits;
  try {
    await runGit({ surroundings, args, limits, timeoutMs, writtenFileBytes }, signal);
  } catch (error) {
    if (!(error instanceof GitFailed) || error.reason !== "exit") throw error;
    if ((await unfinishedPackBytes(surroundings.gitDir)) < writtenFileBytes) throw error;
    throw new GitFailed("written", error.command, error.exitCode, error.stderr);
  }
}

const fetch = [
  "fetch",
  "--quiet",
  "--no-progress",
  "--force",
  "--no-tags",
  "--no-prune",
  "--no-recurse-submodules",
  "--no-write-fetch-head",
  "--no-auto-maintenance",
  "--update-shallow",
  "--refmap=",
  "--end-of-options",
  "origin",
] as const;

/** Git does not say that the kernel stopped it at the file size limit, but leaves the pack that it was writing. */
async function unfinishedPackBytes(gitDir: string): Promise<number> {
  const folder = join(gitDir, "objects", "pack");
  const packs = (await readdir(folder)).filter((name) => name.startsWith("tmp_pack_"));
  const sizes = await Promise.all(packs.map(async (name) => (await stat(join(folder, name))).size));
  return Math.max(0, ...sizes);
}
