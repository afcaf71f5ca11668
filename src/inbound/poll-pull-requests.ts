/**
 * Auto-review on code hosts that send no webhooks: every minute the heads of the pull requests are listed and compared
 * with those seen before. The first listing after auto-review was turned on is the baseline and is not reviewed.
 */
import type { Announce } from "../domain/announce.ts";
import type { CodeHost } from "../domain/code-host.ts";
import type { JobHandler } from "../domain/job-handler.ts";
import type { Repository } from "../domain/repository.ts";
import { defaultReviewOptions } from "../domain/review.ts";
import type { Clock, Ids, Logger } from "../domain/runtime.ts";
import type { PullRequestHead, Store } from "../domain/store.ts";
import { requestReview } from "../review/request-review.ts";
import { supersedeOlder } from "../review/supersede.ts";

export interface PollDeps {
  clock: Clock;
  ids: Ids;
  logger: Logger;
  codeHost(id: string): Promise<CodeHost>;
  announce: Announce;
}

/** Repositories listed at once, so that one server that hangs does not hold up the others. */
const listedAtOnce = 8;
/** A poll that had to wait for the one before it is left to the next minute. */
const stalePollMs = 60_000;

export function createPollHandler(deps: PollDeps): JobHandler {
  return {
    async run({ job, store, signal }) {
      if (deps.clock.now().getTime() - job.createdAt.getTime() > stalePollMs) return;
      const waiting = [...(await store.repositories.autoReviewed())];
      const pollNext = async (): Promise<void> => {
        for (let next = waiting.shift(); next !== undefined && !signal.aborted; next = waiting.shift()) {
          await pollOrLog(deps, store, next, signal);
        }
      };
      await Promise.all(Array.from({ length: listedAtOnce }, pollNext));
    },
  };
}

/** A server that is away is asked again in a minute; until then the others go on. */
async function pollOrLog(deps: PollDeps, store: Store, repository: Repository, signal: AbortSignal) {
  try {
    await poll(deps, store, repository, signal);
  } catch (error) {
    deps.logger.warn("could not list pull requests", { repository_id: repository.id, error });
  }
}

async function poll(deps: PollDeps, store: Store, repository: Repository, signal: AbortSignal) {
  const host = await deps.codeHost(repository.codeHostId);
  if (host.capabilities.hooks) return;
  const heads = await host.listPullRequests(repository.name, signal);
  await store.transaction(async (tx) => {
    const known = await tx.pullRequestHeads.known(repository.id);
    const moved = known === null ? [] : changed(known, heads);
    if (known !== null && moved.length === 0 && known.length === heads.length) return;
    for (const { number } of moved) await reviewHead(deps, tx, repository, number);
    await tx.pullRequestHeads.record(repository.id, heads, deps.clock.now());
  });
}

function changed(known: readonly PullRequestHead[], heads: readonly PullRequestHead[]): PullRequestHead[] {
  const before = new Map(known.map(({ number, headSha }) => [number, headSha]));
  return heads.filter(({ number, headSha }) => before.get(number) !== headSha);
}

async function reviewHead(deps: PollDeps, tx: Store, repository: Repository, pullRequest: number) {
  const review = await requestReview(
    { ...deps, store: tx },
    {
      organizationId: repository.organizationId,
      repository: repository.name,
      pullRequest,
      options: defaultReviewOptions,
      origin: "event",
    },
  );
  await supersedeOlder(deps, tx, review);
}
