/** Brings a pull request's commits from the server into the cache. One fetch a repository at a time. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { type PullRequestRef, pullRequestName } from "../../domain/pull-request.ts";
import { ReviewFailed } from "../../domain/review.ts";
import type { Logger } from "../../domain/runtime.ts";
import { type CachedRepository, clearLeftovers } from "./cache.ts";
import type { GitSurroundings } from "./environment.ts";
import type { GitLimits } from "./limits.ts";
import { GitFailed, runGit } from "./process.ts";
import { fetchReferences, type Transport } from "./remote.ts";
import type { Target } from "./target.ts";

export interface Arrival {
  repository: CachedRepository;
  /** Asked only when something has to be fetched. */
  transport: () => Promise<Transport>;
  limits: GitLimits;
  logger: Logger;
}

const baseReference = "refs/plumbline/base";
const headReference = (number: number) => `refs/plumbline/pull/${number}`;

/** Answers the commits that came: the server may have moved on since `target` was read. Throws GitFailed. */
export function bringPullRequest(
  arrival: Arrival,
  ref: PullRequestRef,
  target: Target,
  signal: AbortSignal,
): Promise<{ head: string; base: string }> {
  const wanted = [
    { from: target.head.reference, to: headReference(ref.number), id: target.head.id },
    { from: target.base.reference, to: baseReference, id: target.base.id },
  ];
  return arrival.repository.exclusive(signal, async () => {
    const here = await referencesHere(arrival, signal);
    if (wanted.some(({ to, id }) => here.get(to) !== id)) await fetchTidily(arrival, wanted, signal);
    return commitsHere(arrival, ref, signal);
  });
}

/** Brings one commit by its id, for when the pull request has moved on. Throws GitFailed when the server refuses. */
export function bringCommit(
  arrival: Arrival,
  number: number,
  id: string,
  signal: AbortSignal,
): Promise<void> {
  return arrival.repository.exclusive(signal, () =>
    fetchTidily(arrival, [{ from: id, to: headReference(number) }], signal),
  );
}

async function fetchTidily(
  { repository, transport, limits, logger }: Arrival,
  references: readonly { from: string; to: string }[],
  signal: AbortSignal,
): Promise<void> {
  const { surroundings } = repository;
  try {
    await fetchReferences({ ...surroundings, ...(await transport()) }, references, limits, signal);
  } catch (error) {
    await clearLeftovers(surroundings.gitDir);
    throw error;
  }
  await joinPacks(surroundings, limits, logger, signal);
}

async function joinPacks(
  surroundings: GitSurroundings & { gitDir: string },
  limits: GitLimits,
  logger: Logger,
  signal: AbortSignal,
): Promise<void> {
  const names = await readdir(join(surroundings.gitDir, "objects", "pack"));
  if (names.filter((name) => name.endsWith(".pack")).length <= limits.packs) return;
  const args = ["repack", "--quiet", "-d", "--geometric=2"];
  try {
    await runGit({ surroundings, args, limits, timeoutMs: limits.fetchMs }, signal);
  } catch (error) {
    if (!(error instanceof GitFailed)) throw error;
    // The fetch itself is complete; the next one tries again.
    logger.warn("could not join the packs of a cached repository", { error: error.message });
  }
}

async function referencesHere(
  { repository: { surroundings }, limits }: Arrival,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  const args = ["for-each-ref", "--format=%(refname) %(objectname)", "refs/plumbline/"];
  const command = { surroundings, args, limits, outputBytes: limits.referenceBytes };
  const lines = (await runGit(command, signal)).toString("utf8").trim().split("\n");
  return new Map(lines.map((line) => line.split(" ", 2) as [string, string]));
}

async function commitsHere(
  { repository: { surroundings }, limits }: Arrival,
  ref: PullRequestRef,
  signal: AbortSignal,
): Promise<{ head: string; base: string }> {
  const args = ["rev-parse", `${headReference(ref.number)}^{commit}`, `${baseReference}^{commit}`];
  try {
    const [head, base] = (await runGit({ surroundings, args, limits }, signal))
      .toString("latin1")
      .trim()
      .split("\n");
    if (head !== undefined && base !== undefined) return { head, base };
  } catch (error) {
    if (!(error instanceof GitFailed) || !/expected commit type/.test(error.stderr)) throw error;
  }
  const message = `The head of ${pullRequestName(ref)}, or its base, is not a commit.`;
  throw new ReviewFailed("pull_request_not_found", message);
}
