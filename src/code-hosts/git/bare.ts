/** The folders that git needs beside the objects it is asked about: a home of its own, and a bare repository. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type GitSurroundings, globalConfiguration } from "./environment.ts";
import type { GitLimits } from "./limits.ts";
import { runGit } from "./process.ts";

export type ObjectFormat = "sha1" | "sha256";

/** By the length of its ids. */
export function objectFormatOf(id: string): ObjectFormat {
  return id.length === 64 ? "sha256" : "sha1";
}

/** Makes `home` (0700) with the private global configuration; answers surroundings without repository or transport. */
export async function prepareHome(home: string): Promise<GitSurroundings> {
  await mkdir(home, { recursive: true, mode: 0o700 });
  await writeFile(join(home, "gitconfig"), globalConfiguration);
  return { home, gitDir: null, scheme: null, config: [] };
}

export async function makeBareRepository(
  surroundings: GitSurroundings,
  directory: string,
  format: ObjectFormat,
  limits: GitLimits,
): Promise<void> {
  const args = [
    "init",
    "--quiet",
    "--bare",
    "--template=",
    "--initial-branch=main",
    `--object-format=${format}`,
  ];
  const command = { surroundings, args: [...args, "--", directory], limits };
  // A few milliseconds, on behalf of everybody who waits for it: no single one's signal may end it.
  await runGit(command, new AbortController().signal);
}
