/** A code host `git` for a test's own repository, its cache beside the repository so that both go together. */
import { join } from "node:path";
import { createGitHost, type GitHost, type GitHostOptions } from "../../../src/code-hosts/git/git.ts";
import type { Diff, DiffFile } from "../../../src/domain/diff.ts";
import type { PullRequest } from "../../../src/domain/pull-request.ts";
import type { Files, GitRepository } from "../../support/git-repository.ts";
import { aRepository } from "../../support/git-repository.ts";
import { silentLogger } from "./silent-logger.ts";

export const never = new AbortController().signal;

/** `acme/shop#1` */
export const first = { repository: "acme/shop", number: 1 };

export type TestGitHost = GitHost & AsyncDisposable;

export function aGitHost(
  repository: Pick<GitRepository, "root" | "urlTemplate">,
  options: Partial<GitHostOptions> = {},
): TestGitHost {
  const host = createGitHost({
    name: "local",
    urlTemplate: repository.urlTemplate,
    webUrl: null,
    settings: {},
    cacheDir: join(repository.root, "cache"),
    logger: silentLogger,
    ...options,
  });
  return { ...host, [Symbol.asyncDispose]: host.close };
}

export interface ReviewedChange {
  pr: PullRequest;
  diff: Diff;
  /** By its head-side path; fails the test when it did not change. */
  file(path: string): DiffFile;
  /** Its lines, marked: `+ const a = 1;` */
  patch(path: string): string[];
}

/** The diff of a pull request that makes `head` of `base`; in `head`, `null` deletes. */
export async function changeOf(
  base: Files,
  head: Files,
  options: Partial<GitHostOptions> = {},
): Promise<ReviewedChange> {
  await using repository = await aRepository().commit(base).pullRequest(1, head).create();
  await using host = aGitHost(repository, options);
  const pr = await host.getPullRequest(first, never);
  const diff = await host.getDiff(pr, never);
  const file = (path: string) => {
    const found = diff.files.find((changed) => changed.path === path);
    if (found === undefined) throw new Error(`${path} is not in the diff`);
    return found;
  };
  const patch = (path: string) =>
    file(path).hunks.flatMap((hunk) => hunk.lines.map((line) => marks[line.kind] + line.text));
  return { pr, diff, file, patch };
}

const marks = { context: "  ", added: "+ ", removed: "- " } as const;
