/**
 * Real repositories with real pull requests, made by one `git fast-import`:
 *
 *     const repository = await aRepository()
 *       .commit({ "src/cart.ts": "const total = 1;\n" })
 *       .pullRequest(1, { "src/cart.ts": "const total = 2;\n" })
 *       .create("acme/shop");
 */

/** What a commit does to a path: new contents, or `null` to delete it. */
export type FileContents = string | Uint8Array | null | SpecialFile;

export interface SpecialFile {
  /** `120000` symbolic link (contents = target), `160000` submodule (contents = commit id), `100755` executable. */
  mode: "100644" | "100755" | "120000" | "160000";
  contents: string | Uint8Array;
}

export type Files = Readonly<Record<string, FileContents>>;

export interface CommitOptions {
  message?: string;
  author?: string;
}

export interface RepositoryBuilder {
  /** On the default branch. */
  commit(files: Files, options?: CommitOptions): RepositoryBuilder;
  /** `refs/pull/N/head`: one commit on top of the default branch as it is at this point of the chain. */
  pullRequest(number: number, files: Files, options?: CommitOptions): RepositoryBuilder;
  /** Writes it as `<root>/<name>.git`; `root` is a new temporary folder when absent. */
  create(name?: string, options?: { root?: string }): Promise<GitRepository>;
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
  remove(): Promise<void>;
}

export function aRepository(): RepositoryBuilder {
  throw new Error("not built yet");
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
