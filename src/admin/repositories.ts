/** Repositories: on which of them the service is enabled. */
import { Type } from "@sinclair/typebox";
import { AppError } from "../domain/errors.ts";
import {
  type CodeHostConfig,
  isRepositoryName,
  type Repository,
  type RepositoryWithCounts,
} from "../domain/repository.ts";
import { pollJob } from "../inbound/poll-job.ts";
import type { AdminContext } from "./context.ts";
import { findHost } from "./hosts.ts";
import { operation } from "./operation.ts";
import { Empty, NullableTimestamp, nullableTimestamp } from "./shapes.ts";

const EnabledRepository = Type.Object({
  id: Type.String(),
  name: Type.String(),
  host: Type.String(),
  auto_review: Type.Boolean(),
});

export const enableRepository = operation({
  name: "repos.enable",
  method: "POST",
  path: "/api/repositories",
  role: "admin",
  summary: "Enable the service on a repository, or change how it is enabled.",
  input: Type.Object(
    {
      repository: Type.String({ minLength: 1 }),
      /** Name or id; may be left out when there is one code host only. */
      host: Type.Optional(Type.String({ minLength: 1 })),
      auto_review: Type.Optional(Type.Boolean()),
    },
    { additionalProperties: false },
  ),
  output: EnabledRepository,
  async run(context, input) {
    refuseBadName(input.repository);
    const { organizationId } = context.caller;
    const known = await context.store.repositories.byName(organizationId, input.repository);
    const host = await chooseHost(context, input.host, known);
    const autoReview = input.auto_review ?? known?.autoReview ?? false;
    const repository: Repository = {
      ...(known ?? {
        id: context.ids.next("repo"),
        organizationId,
        name: input.repository,
        createdAt: context.clock.now(),
      }),
      codeHostId: host.id,
      autoReview,
      disabledAt: null,
    };
    if (known === null) await context.store.repositories.insert(repository);
    else {
      await context.store.repositories.update(known.id, {
        codeHostId: host.id,
        autoReview,
        disabledAt: null,
      });
    }
    if (autoReview && !isWatched(known, host)) await takeBaseline(context, repository);
    context.logger.info("repository enabled", { id: repository.id, by: context.caller.actorId });
    return { id: repository.id, name: repository.name, host: host.name, auto_review: autoReview };
  },
});

/** Auto-review was on already, on this host: what has been seen stays seen. */
function isWatched(known: Repository | null, host: CodeHostConfig): boolean {
  return known?.autoReview === true && known.disabledAt === null && known.codeHostId === host.id;
}

/** The heads there now are not reviewed: they are listed at once, or as soon as a server runs. */
async function takeBaseline(context: AdminContext, { id }: Repository): Promise<void> {
  const now = context.clock.now();
  await context.store.transaction(async (tx) => {
    await tx.pullRequestHeads.forget(id);
    await tx.jobs.enqueue(pollJob(now), now);
  });
  context.wakeWorker();
}

export const disableRepository = operation({
  name: "repos.disable",
  method: "DELETE",
  path: "/api/repositories/:repository",
  role: "admin",
  summary: "Disable the service on a repository, by its name or id; its reviews stay.",
  input: Type.Object({ repository: Type.String({ minLength: 1 }) }, { additionalProperties: false }),
  output: Type.Object({ id: Type.String(), name: Type.String() }),
  async run(context, input) {
    const repositories = await context.store.repositories.list(context.caller.organizationId);
    const found = repositories.find(({ id, name }) => name === input.repository || id === input.repository);
    if (found === undefined) {
      throw new AppError("repository_not_enabled", `The repository ${input.repository} is not enabled.`);
    }
    await context.store.repositories.update(found.id, { disabledAt: context.clock.now() });
    context.logger.info("repository disabled", { id: found.id, by: context.caller.actorId });
    return { id: found.id, name: found.name };
  },
});

export const listRepositories = operation({
  name: "repos.list",
  method: "GET",
  path: "/api/repositories",
  role: "member",
  summary: "List the repositories on which the service is enabled.",
  input: Empty,
  output: Type.Object({
    data: Type.Array(
      Type.Object({
        ...EnabledRepository.properties,
        reviews_count: Type.Integer(),
        last_review_at: NullableTimestamp,
      }),
    ),
  }),
  async run(context) {
    const { organizationId } = context.caller;
    const repositories = await context.store.repositories.list(organizationId);
    const hosts = await context.store.codeHosts.list(organizationId);
    const hostNames = new Map(hosts.map(({ id, name }) => [id, name]));
    return { data: repositories.map((repository) => shown(repository, hostNames)) };
  },
});

function refuseBadName(name: string): void {
  if (isRepositoryName(name)) return;
  const message = `${JSON.stringify(name)} is no repository name; it is like acme/shop, with 2 to 20 parts.`;
  throw new AppError("validation_failed", message, {
    fields: [{ path: "/repository", code: "invalid", message }],
  });
}

async function chooseHost(
  context: AdminContext,
  named: string | undefined,
  known: Repository | null,
): Promise<CodeHostConfig> {
  if (named !== undefined) return findHost(context, named);
  const hosts = await context.store.codeHosts.list(context.caller.organizationId);
  const current = hosts.find(({ id }) => id === known?.codeHostId);
  if (current !== undefined) return current;
  const [only, ...others] = hosts;
  if (only === undefined) throw new AppError("conflict", "There is no code host yet; add one first.");
  if (others.length === 0) return only;
  const names = hosts.map(({ name }) => name).join(", ");
  throw new AppError("validation_failed", `Say which code host the repository is on: ${names}`);
}

function shown(repository: RepositoryWithCounts, hostNames: ReadonlyMap<string, string>) {
  return {
    id: repository.id,
    name: repository.name,
    host: hostNames.get(repository.codeHostId) ?? repository.codeHostId,
    auto_review: repository.autoReview,
    reviews_count: repository.reviewsCount,
    last_review_at: nullableTimestamp(repository.lastReviewAt),
  };
}
