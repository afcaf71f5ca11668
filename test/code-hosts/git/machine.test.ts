/** The machine that it runs on: its git, its users, its network. */
import { describe, expect, test } from "bun:test";
import { chmod, mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isGitTooOld } from "../../../src/code-hosts/git/version.ts";
import { CodeHostUnavailable } from "../../../src/domain/code-host.ts";
import { ReviewFailed } from "../../../src/domain/review.ts";
import { createCertificate } from "../../support/certificates.ts";
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
    expect(await oneRun(repository.urlTemplate, repository.root, "/nowhere")).toBe(
      "git is not installed on the machine that runs Plumbline.\n",
    );
  });

  test("goes through ssh without a question to anybody, lending it nothing", async () => {
    await using repository = await aRepository().commit({ a: "1\n" }).pullRequest(1, { a: "2\n" }).create();
    const folder = join(repository.root, "bin");
    await mkdir(folder);
    await symlink(Bun.which("git") ?? "", join(folder, "git"));
    await writeFile(join(folder, "ssh"), sshToHere(repository.root, join(folder, "calls")));
    await chmod(join(folder, "ssh"), 0o755);

    const urlTemplate = "ssh://git@git.invalid:2222/{repository}.git";
    const said = await oneRun(urlTemplate, repository.root, `${folder}:/usr/bin:/bin`);
    expect(said.trim()).toBe(await repository.sha("refs/pull/1/head"));
    const calls = (await Bun.file(join(folder, "calls")).text()).trim().split("\n");
    expect(calls).toHaveLength(2);
    for (const call of calls) {
      expect(call).toContain("-o BatchMode=yes");
      expect(call).toContain("-o ForwardAgent=no");
      expect(call).toEndWith("-p 2222 git@git.invalid git-upload-pack '/acme/shop.git'");
    }
  });

  test("opens a file:// repository of another user", async () => {
    await using repository = await aRepository().commit({ a: "1\n" }).pullRequest(1, { a: "2\n" }).create();
    // Only root can give files away; for others the test still opens their own.
    if (process.getuid?.() === 0) await Bun.$`chown -R nobody ${repository.directory}`.quiet();
    await using host = aGitHost(repository);
    expect((await host.getPullRequest(first, never)).headSha).toBe(await repository.sha("refs/pull/1/head"));
  });

  test("trusts a certificate authority of the organization's own, and no other", async () => {
    await using repository = await aRepository().commit({ a: "1\n" }).pullRequest(1, { a: "2\n" }).create();
    const { certificate, key } = createCertificate({ names: ["127.0.0.1"] });
    await using server = startGitHttpServer({ root: repository.root, tls: { cert: certificate, key } });
    const { root } = repository;
    const { urlTemplate } = server;

    await using stranger = aGitHost({ root, urlTemplate });
    const failure = await stranger.getPullRequest(first, never).catch((error) => error);
    expect(failure).toMatchObject({ failure: { code: "repository_unreachable" } });
    expect(failure.message).toContain("PLUMBLINE_CA_FILE");

    const caFile = join(root, "ca.pem");
    await writeFile(caFile, certificate);
    await using host = aGitHost({ root, urlTemplate }, { caFile });
    expect((await host.getPullRequest(first, never)).number).toBe(1);
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

/** In place of ssh: what it is asked to run there (its last argument), it runs here, below `root`. */
function sshToHere(root: string, calls: string): string {
  return `#!/bin/sh
echo "$*" >> "${calls}"
for last; do :; done
exec sh -c "$(echo "$last" | sed "s#'/#'${root}/#")"
`;
}

/** What a run of its own says, started with this PATH: `Bun.which` knows only the one that a process starts with. */
async function oneRun(urlTemplate: string, root: string, path: string): Promise<string> {
  const argv = [process.execPath, join(import.meta.dir, "one-run.ts"), urlTemplate, join(root, "cache")];
  return new Response(Bun.spawn(argv, { env: { PATH: path } }).stdout).text();
}
