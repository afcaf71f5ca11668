/**
 * Real repositories with real pull requests, made by one `git fast-import`:
 *
 *     await using repository = await aRepository()
 *       .commit({ "src/cart.ts": "const total = 1;\n" })
 *       .pullRequest(1, { "src/cart.ts": "const total = 2;\n" })
 *       .create("acme/shop");
 */
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** What a commit does to a path: new contents, or `null` to delete it. */
export type FileContents = string | Uint8Array | null | SpecialFile;

export interface SpecialFile {
  /** `120000` symbolic link (contents = target), `160000` submodule (contents = commit id), `100755` executable. */
  mode: "100644" | "100755" | "120000" | "160000";
  contents: string | Uint8Array;
}

/** By path; a byte that is not UTF-8 is written as `\xHH`, as the product shows it. */
export type Files = Readonly<Record<string, FileContents>>;

export interface CommitOptions {
  message?: string;
  author?: string;
  /** Starts a history of its own, with no ancestor. */
  unrelated?: boolean;
}

export interface CreateOptions {
  root?: string;
  objectFormat?: "sha1" | "sha256";
}

export interface RepositoryBuilder {
  /** On the default branch. */
  commit(files: Files, options?: CommitOptions): RepositoryBuilder;
  /** `refs/pull/N/head`: one commit on top of the default branch as it is at this point of the chain. */
  pullRequest(number: number, files: Files, options?: CommitOptions): RepositoryBuilder;
  /** Writes it as `<root>/<name>.git`; `root` is a new temporary folder when absent. */
  create(name?: string, options?: CreateOptions): Promise<GitRepository>;
}

export interface GitRepository extends AsyncDisposable {
  name: string;
  /** The folder that holds `<name>.git`. */
  root: string;
  directory: string;
  /** `file://<root>/{repository}.git` */
  urlTemplate: string;
  /** Adds to the default branch; answers the new commit. */
  commit(files: Files, options?: CommitOptions): Promise<string>;
  /** Opens pull request N on the default branch's head, or replaces it whole (a force-push). */
  pullRequest(number: number, files: Files, options?: CommitOptions): Promise<string>;
  /** Adds a commit to pull request N. */
  push(number: number, files: Files, options?: CommitOptions): Promise<string>;
  deletePullRequest(number: number): Promise<void>;
  /** The commit that a reference or revision names. */
  sha(revision: string): Promise<string>;
  /** Runs `git` in the repository; answers standard output. */
  git(...args: string[]): Promise<string>;
  /** Removes the temporary folder (a given `root` stays). */
  remove(): Promise<void>;
}

export function aRepository(): RepositoryBuilder {
  return builder([]);
}

export function executable(contents: string): SpecialFile {
  return { mode: "100755", contents };
}

export function symbolicLink(target: string): SpecialFile {
  return { mode: "120000", contents: target };
}

export function submodule(commit: string): SpecialFile {
  return { mode: "160000", contents: commit };
}

interface Commit {
  ref: string;
  /** The revision it goes on top of; null = no ancestor. */
  parent: string | null;
  files: Files;
  options: CommitOptions;
}

const main = "refs/heads/main";
const headOf = (number: number) => `refs/pull/${number}/head`;

function builder(commits: readonly Commit[]): RepositoryBuilder {
  const onMain = () => (commits.some((commit) => commit.ref === main) ? main : null);
  const add = (ref: string, files: Files, options: CommitOptions = {}) =>
    builder([...commits, { ref, parent: options.unrelated === true ? null : onMain(), files, options }]);
  return {
    commit: (files, options) => add(main, files, options),
    pullRequest: (number, files, options) => add(headOf(number), files, options),
    create: (name = "acme/shop", options = {}) => create(commits, name, options),
  };
}

async function create(
  commits: readonly Commit[],
  name: string,
  options: CreateOptions,
): Promise<GitRepository> {
  const root = options.root ?? (await mkdtemp(join(tmpdir(), "plumbline-repository-")));
  const directory = join(root, `${name}.git`);
  const format = `--object-format=${options.objectFormat ?? "sha1"}`;
  await mkdir(directory, { recursive: true });
  await runGit(["init", "--quiet", "--bare", "--template=", "--initial-branch=main", format, directory]);
  const git = (...args: string[]) => runGit([`--git-dir=${directory}`, ...args]);
  const sha = async (revision: string) => (await git("rev-parse", "--verify", `${revision}^{commit}`)).trim();

  let written = 0;
  const write = async (...added: Commit[]) => {
    const stream = Buffer.concat(added.map((commit) => commitStream(commit, ++written)));
    await runGit(
      [
        `--git-dir=${directory}`,
        "-c",
        "core.compression=1",
        "fast-import",
        "--quiet",
        "--force",
        "--depth=0",
      ],
      stream,
    );
  };
  const writeOne = async (commit: Commit) => {
    await write(commit);
    return sha(commit.ref);
  };
  const parent = async (ref: string, options: CommitOptions) =>
    options.unrelated === true ? null : await sha(ref);
  const remove = async () => {
    if (options.root === undefined) await rm(root, { recursive: true, force: true });
  };

  if (commits.length > 0) await write(...commits);
  return {
    name,
    root,
    directory,
    urlTemplate: `file://${root}/{repository}.git`,
    commit: async (files, options = {}) =>
      writeOne({ ref: main, parent: await parent(main, options), files, options }),
    pullRequest: async (number, files, options = {}) =>
      writeOne({ ref: headOf(number), parent: await parent(main, options), files, options }),
    push: async (number, files, options = {}) =>
      writeOne({ ref: headOf(number), parent: await sha(headOf(number)), files, options }),
    deletePullRequest: async (number) => {
      await git("update-ref", "-d", headOf(number));
    },
    sha,
    git,
    remove,
    [Symbol.asyncDispose]: remove,
  };
}

/** One commit in the language of `git fast-import`. Commit `index` is made `index` minutes after a fixed instant. */
function commitStream({ ref, parent, files, options }: Commit, index: number): Buffer {
  const who = `${options.author ?? "Ada Example"} <ada@example.com> ${1_790_000_000 + index * 60} +0000`;
  const parts: (string | Uint8Array)[] = [];
  // Without the reset a branch that exists would lend the new commit its files.
  if (parent === null) parts.push(`reset ${ref}\n`);
  parts.push(`commit ${ref}\nauthor ${who}\ncommitter ${who}\n`);
  parts.push(...data(options.message ?? `Change ${index}`));
  // A branch of this very stream goes on from its last commit by itself, and must not be told to.
  if (parent !== null && parent !== ref) parts.push(`from ${parent}\n`);
  for (const [path, contents] of Object.entries(files)) parts.push(...fileChange(path, contents));
  return Buffer.concat(parts.map((part) => Buffer.from(part)));
}

function fileChange(path: string, contents: FileContents): (string | Uint8Array)[] {
  if (contents === null) return [`D ${quoted(path)}\n`];
  if (typeof contents === "string" || contents instanceof Uint8Array) {
    return [`M 100644 inline ${quoted(path)}\n`, ...data(contents)];
  }
  if (contents.mode === "160000") return [`M 160000 ${contents.contents} ${quoted(path)}\n`];
  return [`M ${contents.mode} inline ${quoted(path)}\n`, ...data(contents.contents)];
}

function data(contents: string | Uint8Array): (string | Uint8Array)[] {
  return [`data ${Buffer.byteLength(contents)}\n`, contents, "\n"];
}

/** A C-style string, as `git fast-import` takes paths. */
function quoted(path: string): string {
  const bytes = Buffer.from(path, "utf8").toString("latin1");
  const escaped = bytes.replace(/\\x([0-9A-F]{2})|[^ !#-[\]-~]/g, (text, hex: string | undefined) => {
    const byte = hex === undefined ? text.charCodeAt(0) : Number.parseInt(hex, 16);
    return `\\${byte.toString(8).padStart(3, "0")}`;
  });
  return `"${escaped}"`;
}

async function runGit(args: readonly string[], stdin?: Uint8Array): Promise<string> {
  const child = Bun.spawn(["git", ...args], {
    stdin: stdin ?? "ignore",
    stdout: "pipe",
    stderr: "pipe",
    env: { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" },
  });
  const [output, problem, status] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  if (status !== 0) throw new Error(`git ${args.join(" ")} ended with ${status}: ${problem}`);
  return output;
}
