/** Reads the diff between two commits of a repository at hand: the list of changed files first, then their patches. */
import type { Diff } from "../../domain/diff.ts";
import { ReviewFailed } from "../../domain/review.ts";
import { type ChangedFile, parseChanges } from "./changes.ts";
import { createAssembly, omissionByCount } from "./diff-assembly.ts";
import type { GitSurroundings } from "./environment.ts";
import type { GitLimits } from "./limits.ts";
import { runGit, streamGit } from "./process.ts";
import { createSectionSplitter } from "./sections.ts";

export interface DiffRequest {
  surroundings: GitSurroundings;
  /** Commits or trees, by their ids. */
  base: string;
  head: string;
  limits: GitLimits;
}

/** Throws ReviewFailed `diff_too_large` above `limits.files`, otherwise GitFailed. */
export async function readDiff(request: DiffRequest, signal: AbortSignal): Promise<Diff> {
  const changed = await readChanges(request, signal);
  const listed = changed.map((file) => ({
    ...file,
    hunks: [],
    omitted: omissionByCount(file, request.limits),
  }));
  if (listed.every(({ omitted }) => omitted !== null)) return { files: listed };
  return readPatches(request, changed, signal);
}

const diffTree = [
  "diff-tree",
  "-r",
  "-z",
  "--no-commit-id",
  "--no-color",
  "--no-ext-diff",
  "--no-textconv",
  "--no-relative",
  "--diff-algorithm=myers",
  "--indent-heuristic",
  "--submodule=short",
  "--ignore-submodules=none",
  "--src-prefix=a/",
  "--dst-prefix=b/",
  "--find-renames=50%",
  "--find-copies=50%",
  "-l1000",
] as const;

/** Two ids, two modes, counts, and the path up to four times; beyond this on average, the list is cut. */
const changeBytes = 2048;

async function readChanges(request: DiffRequest, signal: AbortSignal): Promise<ChangedFile[]> {
  const { surroundings, base, head, limits } = request;
  const args = [...diffTree, "--raw", "--numstat", "--end-of-options", base, head];
  const outputBytes = limits.files * changeBytes;
  const output = await runGit({ surroundings, args, limits, outputBytes }, signal);
  const changed = parseChanges(output);
  if (changed.length > limits.files) {
    const message = `The pull request changes ${changed.length} files; at most ${limits.files} are reviewed. Split it.`;
    throw new ReviewFailed("diff_too_large", message);
  }
  return changed;
}

/** Bytes of patch parsed before other work of the process gets its turn. */
const sliceBytes = 256 * 1024;

async function readPatches(
  { surroundings, base, head, limits }: DiffRequest,
  changed: readonly ChangedFile[],
  signal: AbortSignal,
): Promise<Diff> {
  const args = [...diffTree, "--unified=3", "--end-of-options", base, head];
  const command = { surroundings, args, limits, outputBytes: Number.POSITIVE_INFINITY };
  const splitter = createSectionSplitter(limits.filePatchBytes);
  const assembly = createAssembly(changed, limits);
  let parsedBytes = 0;

  for await (const chunk of streamGit(command, signal)) {
    for (const section of splitter.push(chunk)) {
      parsedBytes += assembly.add(section);
      if (parsedBytes < sliceBytes) continue;
      parsedBytes = 0;
      await new Promise((resolve) => setImmediate(resolve));
    }
    if (assembly.isFull()) break;
  }
  for (const section of splitter.end()) assembly.add(section);
  return { files: assembly.finish() };
}
