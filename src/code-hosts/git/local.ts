/**
 * A range of a local repository as if it were a pull request, for `plumbline review --local`.
 *
 * The repository is somebody's, with their configuration, hooks and attributes, any of which can name programs. Two
 * questions are put to it as it is (where are you, which commit is this name), and neither starts any. Everything
 * else is asked of an empty repository of ours that borrows its folder of objects.
 */
import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import type { Diff } from "../../domain/diff.ts";
import { AppError } from "../../domain/errors.ts";
import type { PullRequest } from "../../domain/pull-request.ts";
import type { ListFiles, ReadFile } from "../../domain/review-engine.ts";
import type { Search } from "../../domain/search.ts";
import { makeBareRepository, objectFormatOf, prepareHome } from "./bare.ts";
import { mergeBase, readCommitText } from "./commits.ts";
import { readDiff } from "./diff.ts";
import type { GitSurroundings } from "./environment.ts";
import { explained, hasMissingObjects } from "./failures.ts";
import { defaultGitLimits } from "./limits.ts";
import { createObjectReader } from "./objects.ts";
import { GitFailed, runGit } from "./process.ts";
import { searchCommit } from "./search.ts";
import { createFileReader } from "./tree.ts";
import { requireUsableGit } from "./version.ts";

export interface LocalRange {
  /** Repository `local/<folder>`, number 0: it is none. */
  pr: PullRequest;
  diff: Diff;
  readFile: ReadFile;
  listFiles: ListFiles;
  search: Search;
  /** Ends the reading process and removes the temporary folder. */
  close(): Promise<void>;
}

export interface LocalRangeOptions {
  directory: string;
  range: string;
  signal: AbortSignal;
}

const limits = defaultGitLimits;

/**
 * `BASE..HEAD` and `BASE...HEAD` both mean what HEAD changed since it left BASE (from their merge base); an omitted
 * side is `HEAD`, and a single revision is the base. The repository is only read: nothing in it is written or run.
 * Throws AppError `not_found` (no repository, unknown revision) or `bad_request` (not a range).
 */
export async function openLocalRange(options: LocalRangeOptions): Promise<LocalRange> {
  const home = await mkdtemp(join(tmpdir(), "plumbline-local-"));
  const removeHome = () => rm(home, { recursive: true, force: true });
  try {
    const { close, ...range } = await open(options, await prepareHome(home));
    return {
      ...range,
      async close() {
        await close();
        await removeHome();
      },
    };
  } catch (error) {
    await removeHome();
    throw explainedHere(error, resolve(options.directory));
  }
}

function explainedHere(error: unknown, directory: string): unknown {
  if (!hasMissingObjects(error)) {
    return explained(error, { place: directory, scheme: "file", limits });
  }
  const message = `Objects are missing in ${directory}: it is damaged, or a partial clone that git fetch --refetch completes.`;
  return new AppError("not_found", message, { cause: error });
}

async function open(options: LocalRangeOptions, bare: GitSurroundings): Promise<LocalRange> {
  const { signal } = options;
  await requireUsableGit(bare, limits);
  const directory = resolve(options.directory);
  const revisions = splitRange(options.range);
  const gitDir = await gitDirOf(directory, bare, signal);
  const base = await commitOf(revisions.base, directory, bare, signal);
  const head = await commitOf(revisions.head, directory, bare, signal);

  const surroundings = await borrowObjects(gitDir, objectFormatOf(head), bare);
  const objects = createObjectReader(surroundings, limits);
  const files = createFileReader(objects, limits.fileBytes);
  try {
    const baseSha = await mergeBase(surroundings, base, head, limits, signal);
    const diff = await readDiff({ surroundings, base: baseSha, head, limits }, signal);
    const text = await readCommitText(objects, head, signal);
    const commitOn = (side: "base" | "head") => (side === "base" ? baseSha : head);
    return {
      pr: {
        repository: `local/${basename(directory)}`,
        number: 0,
        title: text?.title || options.range,
        body: text?.body ?? "",
        author: text?.author ?? null,
        headBranch: revisions.head,
        baseBranch: revisions.base,
        headSha: head,
        baseSha,
        url: null,
      },
      diff,
      readFile: (path, side) => files.read(commitOn(side), path, signal),
      listFiles: (folder, side) => files.list(commitOn(side), folder, signal),
      search: (words, side) => searchCommit({ surroundings, commit: commitOn(side), words, limits }, signal),
      close: () => objects.close(),
    };
  } catch (error) {
    await objects.close();
    throw error;
  }
}

function splitRange(range: string): { base: string; head: string } {
  const [, base, head] = /^(.*?)\.{2,3}(.*)$/s.exec(range) ?? [null, range, ""];
  const revisions = { base: base || "HEAD", head: head || "HEAD" };
  const wrong = Object.values(revisions).some(
    (revision) => revision.startsWith("-") || /\.\.|\p{Cc}/u.test(revision),
  );
  if (range === "" || wrong) {
    throw new AppError("bad_request", `${JSON.stringify(range)} is not a range such as main..HEAD.`);
  }
  return revisions;
}

/** The folder that holds `objects`: of the main repository when `directory` is one of its worktrees. */
async function gitDirOf(
  directory: string,
  surroundings: GitSurroundings,
  signal: AbortSignal,
): Promise<string> {
  const args = ["-C", directory, "rev-parse", "--path-format=absolute", "--git-common-dir"];
  try {
    const output = await runGit({ surroundings, args, limits }, signal);
    return output.toString("utf8").replace(/\n$/, "");
  } catch (error) {
    if (!(error instanceof GitFailed) || error.reason !== "exit") throw error;
    throw new AppError("not_found", `There is no Git repository in ${directory}.`, { cause: error });
  }
}

async function commitOf(
  revision: string,
  directory: string,
  surroundings: GitSurroundings,
  signal: AbortSignal,
): Promise<string> {
  const args = [
    "-C",
    directory,
    "rev-parse",
    "--verify",
    "--quiet",
    "--end-of-options",
    `${revision}^{commit}`,
  ];
  try {
    return (await runGit({ surroundings, args, limits }, signal)).toString("latin1").trim();
  } catch (error) {
    if (!(error instanceof GitFailed) || error.reason !== "exit") throw error;
    throw new AppError("not_found", `${JSON.stringify(revision)} is no commit in ${directory}.`, {
      cause: error,
    });
  }
}

async function borrowObjects(
  gitDir: string,
  format: ReturnType<typeof objectFormatOf>,
  bare: GitSurroundings,
): Promise<GitSurroundings> {
  const ours = join(bare.home, "repository.git");
  await makeBareRepository(bare, ours, format, limits);
  // Where history was cut off by `git clone --depth`, commits name parents that are not there.
  const shallow = join(gitDir, "shallow");
  if (await Bun.file(shallow).exists()) await copyFile(shallow, join(ours, "shallow"));
  return { ...bare, gitDir: ours, objectDirectory: join(gitDir, "objects") };
}
