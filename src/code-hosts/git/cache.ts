/** One bare repository for each remote one, below a folder of ours. Deleting any of it costs a new fetch, no more. */
import { readdir, rename, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { sha256Hex } from "../../crypto.ts";
import type { RepositoryAddress } from "./address.ts";
import { makeBareRepository, type ObjectFormat, prepareHome } from "./bare.ts";
import type { GitSurroundings } from "./environment.ts";
import type { GitLimits } from "./limits.ts";
import { createMutex, type Mutex } from "./mutex.ts";
import { createObjectReader, type ObjectReader } from "./objects.ts";
import { createFileReader, type FileReader } from "./tree.ts";
import { requireUsableGit } from "./version.ts";

export interface CachedRepository {
  /** Without a way to any remote repository. */
  surroundings: GitSurroundings & { gitDir: string };
  objects: ObjectReader;
  files: FileReader;
  /** For whatever writes: one after another. Reading needs no turn. */
  exclusive: Mutex;
}

export interface RepositoryCache {
  /** For commands that need no repository. */
  surroundings(): Promise<GitSurroundings>;
  /** Makes it when it is not there; clears what a killed run left behind, once. */
  open(address: RepositoryAddress, format: ObjectFormat): Promise<CachedRepository>;
  /** Forgets everything fetched from there; for a damaged repository. */
  discard(address: RepositoryAddress): Promise<void>;
  close(): Promise<void>;
}

export function createRepositoryCache(cacheDir: string, limits: GitLimits): RepositoryCache {
  const home = resolve(cacheDir);
  const opened = new Map<string, Promise<CachedRepository>>();
  const turns = new Map<string, Mutex>();
  let gitIsUsable = false;

  const surroundings = async () => {
    // Each time: somebody may have emptied the cache meanwhile.
    const bare = await prepareHome(home);
    if (!gitIsUsable) await requireUsableGit(bare, limits);
    gitIsUsable = true;
    return bare;
  };

  const openNow = async (bare: GitSurroundings, directory: string, format: ObjectFormat) => {
    await ensureRepository(directory, format, bare, limits);
    await clearLeftovers(directory);
    const here = { ...bare, gitDir: directory };
    const objects = createObjectReader(here, limits);
    const files = createFileReader(objects, limits.fileBytes);
    // Outlives a discarded repository, whose last user may still be at work in the same folder.
    const exclusive = turns.get(directory) ?? createMutex();
    turns.set(directory, exclusive);
    return { surroundings: here, objects, files, exclusive };
  };

  const forget = async (directory: string) => {
    const repository = opened.get(directory);
    opened.delete(directory);
    await repository?.then(
      ({ objects }) => objects.close(),
      () => {},
    );
  };

  return {
    surroundings,
    async open(address, format) {
      const bare = await surroundings();
      const directory = join(home, folderName(address, format));
      const known = opened.get(directory);
      if (known !== undefined) return known;
      const opening = openNow(bare, directory, format);
      opened.set(directory, opening);
      opening.catch(() => opened.delete(directory));
      return opening;
    },
    async discard(address) {
      for (const format of ["sha1", "sha256"] as const) {
        const directory = join(home, folderName(address, format));
        await forget(directory);
        await rm(directory, { recursive: true, force: true });
      }
    },
    async close() {
      await Promise.all([...opened.keys()].map(forget));
    },
  };
}

/**
 * Readable, safe on any file system, and different for different addresses. Credentials count: who has others
 * finds nothing that they have not fetched themselves.
 */
function folderName({ url, authorization }: RepositoryAddress, format: ObjectFormat): string {
  const readable = url
    .replaceAll(/[^A-Za-z0-9]+/g, "-")
    .slice(-60)
    .toLowerCase();
  const digest = sha256Hex(JSON.stringify([url, authorization, format])).slice(0, 24);
  return `${readable.replace(/^-+/, "")}-${digest}.git`;
}

async function ensureRepository(
  directory: string,
  format: ObjectFormat,
  surroundings: GitSurroundings,
  limits: GitLimits,
): Promise<void> {
  if (await exists(join(directory, "HEAD"))) return;
  // Made beside its place and moved there: a run that was killed in between leaves no half repository.
  const unfinished = `${directory}.new`;
  await rm(unfinished, { recursive: true, force: true });
  await rm(directory, { recursive: true, force: true });
  await makeBareRepository(surroundings, unfinished, format, limits);
  await rename(unfinished, directory);
}

function exists(path: string): Promise<boolean> {
  return Bun.file(path).exists();
}

const leftover = /\.lock$|^tmp_|\.keep$|^tmpdir|^incoming-/;

/**
 * Removes locks and unfinished packs of runs that ended without tidying up. Nobody else works here: the data
 * folder belongs to one process. A child that outlived that process fails at worst, and nothing waits for it.
 */
export async function clearLeftovers(gitDir: string): Promise<void> {
  const entries = await readdir(gitDir, { recursive: true, withFileTypes: true });
  for (const entry of entries) {
    if (!leftover.test(entry.name)) continue;
    await rm(join(entry.parentPath, entry.name), { recursive: true, force: true });
  }
}
