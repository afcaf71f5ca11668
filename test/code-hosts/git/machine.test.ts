/** The machine that it runs on: its git, its users, its network. */
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { isGitTooOld } from "../../../src/code-hosts/git/version.ts";
import { CodeHostUnavailable } from "../../../src/domain/code-host.ts";
import { ReviewFailed } from "../../../src/domain/review.ts";
import { startGitHttpServer } from "../../support/git-http-server.ts";
import { aRepository } from "../../support/git-repository.ts";
import { aGitHost, first, never } from "./a-git-host.ts";

describe("on its machine, the code host git", () => {
  test.each([
    ["git version 2.34.1", false],
    ["git version 2.39.5 (Apple Git-154)", false],
    ["git version 3.0.0", false],
    ["git version 2.33.9", true],
    ["git version 1.99.0", true],
    ["zsh: command not found", true],
  ])("takes %j for too old: %p", (output, tooOld) => {
    expect(isGitTooOld(output)).toBe(tooOld);
  });

  test("says that there is no git", async () => {
    await using repository = await aRepository().commit({ a: "1\n" }).pullRequest(1, { a: "2\n" }).create();
    const argv = [
      join(import.meta.dir, "one-run.ts"),
      repository.urlTemplate,
      join(repository.root, "cache"),
    ];
    const run = Bun.spawn([process.execPath, ...argv], { env: { PATH: "/nowhere" }, stdout: "pipe" });
    const said = await new Response(run.stdout).text();
    expect(said).toBe("git is not installed on the machine that runs Plumbline.\n");
  });

  test("opens a file:// repository of another user", async () => {
    await using repository = await aRepository().commit({ a: "1\n" }).pullRequest(1, { a: "2\n" }).create();
    // Only root can give files away; for others the test still opens their own.
    if (process.getuid?.() === 0) await Bun.$`chown -R nobody ${repository.directory}`.quiet();
    await using host = aGitHost(repository);
    expect((await host.getPullRequest(first, never)).headSha).toBe(await repository.sha("refs/pull/1/head"));
  });

  test("asks before it connects, connects where it was told to, and stays away where it must not go", async () => {
    await using repository = await aRepository().commit({ a: "1\n" }).pullRequest(1, { a: "2\n" }).create();
    await using server = startGitHttpServer({ root: repository.root });
    const urlTemplate = `http://git.invalid:${server.port}/{repository}.git`;
    const asked: string[] = [];
    await using allowed = aGitHost(
      { root: repository.root, urlTemplate },
      {
        checkAddress: async (url) => {
          asked.push(url);
          return ["127.0.0.1"];
        },
      },
    );
    expect((await allowed.getPullRequest(first, never)).number).toBe(1);
    expect(new Set(asked)).toEqual(new Set([`http://git.invalid:${server.port}/acme/shop.git`]));

    const requests = server.requests.length;
    for (const refusal of [
      new ReviewFailed("repository_unreachable", "metadata"),
      new CodeHostUnavailable("no name"),
    ]) {
      await using refused = aGitHost(
        { root: repository.root, urlTemplate },
        { checkAddress: () => Promise.reject(refusal) },
      );
      expect(await refused.getPullRequest(first, never).catch((error) => error)).toBe(refusal);
    }
    expect(server.requests.length).toBe(requests);
  });
});
