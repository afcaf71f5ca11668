/** How one repository is reached: at the server, and in our copy of it. */
import { type PullRequest, pullRequestName } from "../../domain/pull-request.ts";
import { ReviewFailed } from "../../domain/review.ts";
import type { Logger } from "../../domain/runtime.ts";
import { repositoryAddress } from "./address.ts";
import { type Arrival, bringCommit } from "./arrival.ts";
import { objectFormatOf } from "./bare.ts";
import type { CachedRepository, RepositoryCache } from "./cache.ts";
import type { GitSurroundings } from "./environment.ts";
import { explained, hasMissingObjects } from "./failures.ts";
import type { GitLimits } from "./limits.ts";
import { GitFailed } from "./process.ts";
import { transportTo } from "./remote.ts";

export interface RepositoryAccess {
  /** To ask the server with, no repository of ours involved. */
  server(): Promise<GitSurroundings>;
  /** To fetch with. `id` is any object's of the repository: all its ids are of one format. */
  arrival(id: string): Promise<Arrival>;
}

/**
 * Refuses an address that nobody may connect to, by ReviewFailed or CodeHostUnavailable; answers the IP addresses that
 * passed, and none when any will do. Asked about http, https and git; where ssh connects is for ssh's own settings.
 */
export type CheckAddress = (url: string) => Promise<readonly string[]>;

export interface AccessOptions {
  hostName: string;
  urlTemplate: string;
  token: string | null;
  caFile: string | null;
  checkAddress: CheckAddress;
  cache: RepositoryCache;
  limits: GitLimits;
  logger: Logger;
}

/** Runs `work` on one repository, and says in people's words what went wrong in it. */
export type WithRepository = <T>(
  repository: string,
  work: (access: RepositoryAccess) => Promise<T>,
) => Promise<T>;

export function createAccess(options: AccessOptions): WithRepository {
  const { hostName, urlTemplate, token, caFile, checkAddress, cache, limits, logger } = options;
  return async (repository, work) => {
    const address = repositoryAddress(urlTemplate, repository, token);
    const transport = async () => {
      const pinned =
        address.scheme === "file" || address.scheme === "ssh" ? [] : await checkAddress(address.url);
      return transportTo(address, { caFile, pinned, limits });
    };
    const access: RepositoryAccess = {
      server: async () => ({ ...(await cache.surroundings()), ...(await transport()) }),
      arrival: async (id) => ({
        repository: await cache.open(address, objectFormatOf(id)),
        transport,
        limits,
        logger,
      }),
    };
    try {
      return await work(access).catch(async (error: unknown) => {
        if (!hasMissingObjects(error)) throw error;
        logger.warn("a cached repository is damaged and is fetched anew", { host: hostName, repository });
        await cache.discard(address);
        return work(access);
      });
    } catch (error) {
      throw explained(error, { place: address.url, scheme: address.scheme, limits });
    }
  };
}

/** Our copy with the pull request's commits in it, though it was emptied, or the head moved, since they were found. */
export async function copyWith(
  pr: PullRequest,
  access: RepositoryAccess,
  signal: AbortSignal,
): Promise<CachedRepository> {
  const arrival = await access.arrival(pr.headSha);
  const { repository } = arrival;
  const isHere = async (id: string) => (await repository.objects.read(id, commitBytesMax, signal)) !== null;
  if ((await isHere(pr.headSha)) && (await isHere(pr.baseSha))) return repository;
  try {
    await bringCommit(arrival, pr.number, pr.headSha, signal);
  } catch (error) {
    if (!(error instanceof GitFailed) || !unknownCommit.test(error.stderr)) throw error;
    const message = `Commit ${pr.headSha} of ${pullRequestName(pr)} is no longer on the server: the pull request was replaced.`;
    throw new ReviewFailed("pull_request_not_found", message, { cause: error });
  }
  return repository;
}

const commitBytesMax = 1024 ** 2;
const unknownCommit = /not our ref|unadvertised object|couldn't find remote ref|no such remote ref/i;
