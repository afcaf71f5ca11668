/** What an admin may write as a git host's address, head pattern and base, and what becomes of it. */
import { describe, expect, test } from "bun:test";
import { checkUrlTemplate, repositoryAddress } from "../../../src/code-hosts/git/address.ts";
import { aRepository } from "../../support/git-repository.ts";
import { aGitHost, changeOf, first, never } from "./a-git-host.ts";

describe("the address of a git host", () => {
  test.each([
    "https://git.example/{repository}.git",
    "http://git.example:3000/{repository}",
    "https://robot:token@git.example/{repository}.git",
    "ssh://git@git.example:2222/{repository}.git",
    "ssh://git.example/~git/{repository}",
    "git://git.example/{repository}",
    "file:///srv/git/{repository}.git",
    "https://[2001:db8::1]/{repository}",
  ])("may be %s", (template) => {
    expect(() => checkUrlTemplate(template)).not.toThrow();
  });

  test.each([
    ["https://git.example/shop.git", "{repository}"],
    ["ext::sh -c {repository}", "spaces"],
    ["ext::{repository}", "must start with one of https://"],
    ["git@git.example:{repository}.git", "address"],
    ["/srv/git/{repository}.git", "address"],
    ["ftp://git.example/{repository}", "must start with one of"],
    ["file://server/{repository}", "no host"],
    ["ssh://-oProxyCommand=x/{repository}", "host"],
    ["ssh://-x@git.example/{repository}", "user"],
    ["ssh://git:secret@git.example/{repository}", "password"],
    ["https://{repository}.example/", "in its path"],
    ["https://git.example/x?repo={repository}", "? or #"],
    ["https://git.example/{repository}\n", "control characters"],
    ["", "{repository}"],
  ])("may not be %j", (template, words) => {
    expect(() => checkUrlTemplate(template)).toThrow(words);
    expect(() => checkUrlTemplate(template)).toThrow(expect.objectContaining({ kind: "validation_failed" }));
  });

  test("keeps credentials out of what is shown and out of git's command line", () => {
    const { url, authorization } = repositoryAddress(
      "https://a:b%40c@git.example/{repository}.git",
      "acme/shop",
      null,
    );
    expect(url).toBe("https://git.example/acme/shop.git");
    expect(authorization).toBe(`Basic ${btoa("a:b@c")}`);
  });

  test("takes the token for the password, and needs no user name", () => {
    const address = repositoryAddress("https://git.example/{repository}", "acme/shop", "t0ken");
    expect(address.authorization).toBe(`Basic ${btoa("git:t0ken")}`);
  });
});

describe("the head pattern of a git host", () => {
  test("finds merge requests", async () => {
    await using repository = await aRepository().commit({ a: "1\n" }).pullRequest(1, { a: "2\n" }).create();
    await repository.git("update-ref", "refs/merge-requests/5/head", "refs/pull/1/head");
    await using host = aGitHost(repository, { settings: { headRef: "refs/merge-requests/{number}/head" } });
    const headSha = await repository.sha("refs/pull/1/head");
    expect((await host.getPullRequest({ ...first, number: 5 }, never)).headSha).toBe(headSha);
    expect(await host.listPullRequests("acme/shop", never)).toEqual([{ number: 5, headSha }]);
  });

  test("finds the latest patch set of a Gerrit change", async () => {
    await using repository = await aRepository().commit({ a: "1\n" }).pullRequest(1, { a: "2\n" }).create();
    const older = await repository.sha("refs/heads/main");
    const latest = await repository.sha("refs/pull/1/head");
    await repository.git("update-ref", "refs/changes/34/1234/9", older);
    await repository.git("update-ref", "refs/changes/34/1234/10", latest);
    await repository.git("update-ref", "refs/changes/34/1234/meta", older);
    await repository.git("update-ref", "refs/changes/35/1234/11", older);
    await using host = aGitHost(repository, {
      settings: { headRef: "refs/changes/{last_two}/{number}/{latest}" },
    });
    expect((await host.getPullRequest({ ...first, number: 1234 }, never)).headSha).toBe(latest);
    expect(await host.listPullRequests("acme/shop", never)).toEqual([{ number: 1234, headSha: latest }]);
  });

  test("does not take a reference for a pull request because it ends like one", async () => {
    await using repository = await aRepository().commit({ a: "1\n" }).pullRequest(1, { a: "2\n" }).create();
    for (const decoy of [
      "refs/heads/refs/pull/2/head",
      "refs/pull/02/head",
      "refs/pull/2/head/x",
      "refs/pull/3x/head",
    ]) {
      await repository.git("update-ref", decoy, "refs/heads/main");
    }
    await using host = aGitHost(repository);
    expect((await host.listPullRequests("acme/shop", never)).map(({ number }) => number)).toEqual([1]);
    const missing = await host.getPullRequest({ ...first, number: 2 }, never).catch((error) => error);
    expect(missing).toMatchObject({ failure: { code: "pull_request_not_found" } });
  });

  test.each([
    "pull/{number}/head",
    "refs/pull/head",
    "refs/{number}/..",
    "--upload-pack={number}",
    "refs/{number} x",
    "",
  ])("may not be %j", async (headRef) => {
    const failure = await changeOf({ a: "" }, { a: "1" }, { settings: { headRef } }).catch((error) => error);
    expect(failure).toMatchObject({ kind: "validation_failed" });
  });
});

describe("the base of a git host's pull requests", () => {
  test("is the default branch, whatever its name", async () => {
    await using repository = await aRepository().commit({ a: "1\n" }).pullRequest(1, { a: "2\n" }).create();
    await repository.git("branch", "-m", "main", "trunk");
    await using host = aGitHost(repository);
    expect((await host.getPullRequest(first, never)).baseBranch).toBe("trunk");
  });

  test("is HEAD itself where that is on no branch", async () => {
    await using repository = await aRepository().commit({ a: "1\n" }).pullRequest(1, { a: "2\n" }).create();
    const main = await repository.sha("main");
    await repository.git("update-ref", "--no-deref", "HEAD", main);
    await using host = aGitHost(repository);
    expect(await host.getPullRequest(first, never)).toMatchObject({ baseBranch: null, baseSha: main });
  });

  test.each(["release", "refs/heads/release"])("is %s when that is configured", async (baseRef) => {
    await using repository = await aRepository()
      .commit({ a: "1\n" })
      .pullRequest(1, { a: "2\n" })
      .commit({ a: "3\n" })
      .create();
    await repository.git("branch", "release", "main~1");
    await using host = aGitHost(repository, { settings: { baseRef } });
    expect((await host.getPullRequest(first, never)).baseBranch).toBe("release");
  });

  test("is missed with the advice to check the setting", async () => {
    const failure = await changeOf({ a: "" }, { a: "1" }, { settings: { baseRef: "nowhere" } }).catch(
      (error) => error,
    );
    expect(failure.message).toContain("The base refs/heads/nowhere does not exist");
  });

  test("follows a branch that moved, was force-pushed, or was merged", async () => {
    await using repository = await aRepository()
      .commit({ a: "1\n", b: "1\n" })
      .pullRequest(1, { a: "2\n" })
      .create();
    await using host = aGitHost(repository);
    const paths = async () => {
      const pr = await host.getPullRequest(first, never);
      return (await host.getDiff(pr, never)).files.map(({ path }) => path);
    };
    expect(await paths()).toEqual(["a"]);
    await repository.pullRequest(1, { b: "2\n" });
    expect(await paths()).toEqual(["b"]);
    await repository.git("update-ref", "refs/heads/main", "refs/pull/1/head");
    expect(await paths()).toEqual([]);
  });

  test("may be a tag", async () => {
    await using repository = await aRepository().commit({ a: "1\n" }).pullRequest(1, { a: "2\n" }).create();
    await repository.git("-c", "user.name=a", "-c", "user.email=a@b", "tag", "-m", "one", "v1", "main");
    await using host = aGitHost(repository, { settings: { baseRef: "refs/tags/v1" } });
    expect((await host.getPullRequest(first, never)).baseSha).toBe(await repository.sha("main"));
  });

  test("must be a commit, as must the head", async () => {
    await using repository = await aRepository().commit({ a: "1\n" }).pullRequest(1, { a: "2\n" }).create();
    await repository.git(
      "update-ref",
      "refs/pull/2/head",
      (await repository.git("rev-parse", "main:a")).trim(),
    );
    await using host = aGitHost(repository);
    const failure = await host.getPullRequest({ ...first, number: 2 }, never).catch((error) => error);
    expect(failure).toMatchObject({ failure: { code: "pull_request_not_found" } });
    expect(failure.message).toContain("is not a commit");
  });
});
