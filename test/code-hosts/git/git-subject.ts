/** The code host `git` for the contract suite: repositories on disk, reached by the address that a test chooses. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createGitHost } from "../../../src/code-hosts/git/git.ts";
import type { CodeHostSubject, FilesOfSide } from "../../contracts/code-host.contract.ts";
import { aRepository, type Files, type GitRepository } from "../../support/git-repository.ts";
import { silentLogger } from "./silent-logger.ts";

export async function startGitSubject(
  serve: (root: string) => { urlTemplate: string; stop(): Promise<void> },
): Promise<CodeHostSubject> {
  const root = await mkdtemp(join(tmpdir(), "plumbline-git-subject-"));
  const { urlTemplate, stop } = serve(join(root, "served"));
  const host = createGitHost({
    name: "local",
    urlTemplate,
    webUrl: null,
    settings: {},
    cacheDir: join(root, "cache"),
    logger: silentLogger,
  });
  const repositories = new Map<string, GitRepository>();

  return {
    host,
    async opens({ repository: name, number, title, base, head }) {
      const repository =
        repositories.get(name) ??
        (await aRepository()
          .commit(base)
          .create(name, { root: join(root, "served") }));
      repositories.set(name, repository);
      await repository.pullRequest(number, changesBetween(base, head), { message: title });
    },
    removes: async ({ repository, number }) => repositories.get(repository)?.deletePullRequest(number),
    async stop() {
      await host.close();
      await stop();
      await rm(root, { recursive: true, force: true });
    },
  };
}

function changesBetween(base: FilesOfSide, head: FilesOfSide): Files {
  const deleted = Object.keys(base).filter((path) => head[path] === undefined);
  return { ...Object.fromEntries(deleted.map((path) => [path, null])), ...head };
}
