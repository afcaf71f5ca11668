/** The code host `git`: any Git server, its pull requests told by references (`refs/pull/7/head`). */
import type { CodeHost } from "../../domain/code-host.ts";
import { type PullRequest, type PullRequestRef, pullRequestName } from "../../domain/pull-request.ts";
import type { CodeHostSettings } from "../../domain/repository.ts";
import type { Logger } from "../../domain/runtime.ts";
import { type CheckAddress, copyWith, createAccess, type RepositoryAccess } from "./access.ts";
import { checkUrlTemplate } from "./address.ts";
import { bringPullRequest } from "./arrival.ts";
import { createRepositoryCache } from "./cache.ts";
import { mergeBase, readCommitText } from "./commits.ts";
import { readDiff } from "./diff.ts";
import { defaultGitLimits, type GitLimits } from "./limits.ts";
import { defaultHeadPattern, parseBaseReference, parseHeadPattern } from "./references.ts";
import { listReferences } from "./remote.ts";
import { searchCommit } from "./search.ts";
import { findTarget, type TargetPattern } from "./target.ts";

export interface GitHostOptions {
  name: string;
  /** `https://git.corp/{repository}.git`; also file, http, ssh and git. */
  urlTemplate: string;
  /** Template of a pull request's page, `{repository}` and `{number}`; null when there is none. */
  webUrl: string | null;
  settings: CodeHostSettings;
  /** Password of HTTP Basic authentication; its user name comes from the template. */
  token?: string | null;
  /** PEM file of certificate authorities to trust beside the system's. */
  caFile?: string | null;
  /** Absent = the host may be anywhere. */
  checkAddress?: CheckAddress;
  /** Ours alone; holds one bare repository for each repository reviewed. Deleting it costs a new fetch, no more. */
  cacheDir: string;
  logger: Logger;
  limits?: Partial<GitLimits>;
}

export type GitHost = CodeHost & { close(): Promise<void> };

/** Throws AppError `validation_failed` when the template or a reference pattern cannot work. */
export function createGitHost(options: GitHostOptions): GitHost {
  const {
    name,
    urlTemplate,
    webUrl,
    settings,
    logger,
    token = null,
    caFile = null,
    checkAddress = anywhere,
  } = options;
  checkUrlTemplate(urlTemplate);
  const pattern = {
    heads: parseHeadPattern(settings.headRef ?? defaultHeadPattern),
    baseReference: settings.baseRef === undefined ? null : parseBaseReference(settings.baseRef),
  };
  const limits = { ...defaultGitLimits, ...options.limits };
  const cache = createRepositoryCache(options.cacheDir, limits);
  const on = createAccess({
    hostName: name,
    urlTemplate,
    token,
    caFile,
    checkAddress,
    cache,
    limits,
    logger,
  });

  return {
    name,
    capabilities: nothingButReading,
    getPullRequest: (ref, signal) =>
      on(ref.repository, async (access) => {
        const found = await findPullRequest({ ref, pattern, access, limits }, signal);
        return { ...found, url: webUrl === null ? null : pageOf(webUrl, ref) };
      }),
    getDiff: (pr, signal) =>
      on(pr.repository, async (access) => {
        const { surroundings } = await copyWith(pr, access, signal);
        return readDiff({ surroundings, base: pr.baseSha, head: pr.headSha, limits }, signal);
      }),
    getFile: (pr, path, side, signal) =>
      on(pr.repository, async (access) => {
        const { files } = await copyWith(pr, access, signal);
        return files.read(side === "base" ? pr.baseSha : pr.headSha, path, signal);
      }),
    listFiles: (pr, folder, side, signal) =>
      on(pr.repository, async (access) => {
        const { files } = await copyWith(pr, access, signal);
        return files.list(side === "base" ? pr.baseSha : pr.headSha, folder, signal);
      }),
    search: (pr, words, side, signal) =>
      on(pr.repository, async (access) => {
        const { surroundings } = await copyWith(pr, access, signal);
        const commit = side === "base" ? pr.baseSha : pr.headSha;
        return searchCommit({ surroundings, commit, words, limits }, signal);
      }),
    listPullRequests: (repository, signal) =>
      on(repository, async (access) => {
        const { ids } = await listReferences(
          await access.server(),
          [pattern.heads.globOfAll],
          limits,
          signal,
        );
        return pattern.heads.find(ids).map(({ number, id }) => ({ number, headSha: id }));
      }),
    close: () => cache.close(),
  };
}

const anywhere: CheckAddress = async () => [];

/** A plain Git server takes no comments and knows no statuses. */
const nothingButReading: CodeHost["capabilities"] = {
  suggestions: false,
  multiLineComments: false,
  resolvableThreads: false,
  statuses: false,
  hooks: false,
};

interface PullRequestSearch {
  ref: PullRequestRef;
  pattern: TargetPattern;
  access: RepositoryAccess;
  limits: GitLimits;
}

/** Its title, body and author are those of its last commit: a reference has none of its own. */
async function findPullRequest(
  { ref, pattern, access, limits }: PullRequestSearch,
  signal: AbortSignal,
): Promise<Omit<PullRequest, "url">> {
  const target = await findTarget(await access.server(), ref, pattern, limits, signal);
  const arrival = await access.arrival(target.head.id);
  const { head, base } = await bringPullRequest(arrival, ref, target, signal);
  const { surroundings, objects } = arrival.repository;
  const text = await readCommitText(objects, head, signal);
  return {
    repository: ref.repository,
    number: ref.number,
    title: text?.title || pullRequestName(ref),
    body: text?.body ?? "",
    author: text?.author ?? null,
    headBranch: null,
    baseBranch: target.baseBranch,
    headSha: head,
    baseSha: await mergeBase(surroundings, base, head, limits, signal),
  };
}

function pageOf(template: string, ref: PullRequestRef): string {
  return template.replaceAll("{repository}", ref.repository).replaceAll("{number}", String(ref.number));
}
