/** Nothing in a repository is ever run, whatever it names as programs, and nothing outside of it is read. */
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { aRepository, submodule, symbolicLink } from "../../support/git-repository.ts";
import { aGitHost, first, never } from "./a-git-host.ts";
import { plantTrap, setTrap, trappedAttributes } from "./trap.ts";

const trappedFiles = {
  ".gitattributes": trappedAttributes,
  ".gitmodules":
    '[submodule "lib"]\n\tpath = lib\n\turl = ext::sh -c "touch /tmp/x"\n\tupdate = !touch /tmp/x\n',
  lib: submodule("1".repeat(40)),
  "a.ts": "1\n",
};

describe("reviewing a hostile repository", () => {
  test("runs none of the programs that its hooks, configuration and attributes name", async () => {
    await using repository = await aRepository()
      .commit(trappedFiles)
      .pullRequest(1, { "a.ts": "2\n", "pointer.bin": "version https://git-lfs.github.com/spec/v1\n" })
      .create();
    const trap = await setTrap(repository.root);
    await plantTrap(repository.directory, trap);
    await using host = aGitHost(repository);

    await host.listPullRequests("acme/shop", never);
    const pr = await host.getPullRequest(first, never);
    const { files } = await host.getDiff(pr, never);
    const bytes = await host.getFile(pr, "a.ts", "head", never);

    expect(files.map(({ path }) => path)).toEqual(["a.ts", "pointer.bin"]);
    expect(files[0]).toMatchObject({ content: "text", additions: 1, deletions: 1 });
    expect(String(bytes)).toBe("2\n");
    expect(await trap.sprung()).toEqual([]);
  });

  test("does not follow symbolic links out of the repository, or inside of it", async () => {
    await using repository = await aRepository()
      .commit({ "secret.txt": "inside\n" })
      .pullRequest(1, {
        link: symbolicLink("/etc/passwd"),
        inside: symbolicLink("secret.txt"),
        dir: symbolicLink("/etc"),
      })
      .create();
    await using host = aGitHost(repository);
    const pr = await host.getPullRequest(first, never);
    for (const path of ["link", "inside", "dir/passwd", "../secret.txt", "/etc/passwd", "", "secret.txt/"]) {
      expect(await host.getFile(pr, path, "head", never)).toBeNull();
    }
  });

  test("reads files whose names look like options, revisions or commands", async () => {
    const names = [
      "--batch-all-objects",
      "-e",
      "HEAD",
      "a\nHEAD:b",
      "$(touch x)",
      "b; touch x",
      ":/c",
      "@{-1}",
    ];
    await using repository = await aRepository()
      .commit({ keep: "" })
      .pullRequest(1, Object.fromEntries(names.map((name) => [name, `${name}\n`])))
      .create();
    await using host = aGitHost(repository);
    const pr = await host.getPullRequest(first, never);
    for (const name of names) expect(String(await host.getFile(pr, name, "head", never))).toBe(`${name}\n`);
  });

  test("keeps no working tree of it", async () => {
    await using repository = await aRepository()
      .commit({ "very-particular-name.txt": "1\n" })
      .pullRequest(1, { "very-particular-name.txt": "2\n" })
      .create();
    await using host = aGitHost(repository);
    await host.getDiff(await host.getPullRequest(first, never), never);
    const names = await Array.fromAsync(
      new Bun.Glob("**/*").scan({ cwd: join(repository.root, "cache"), dot: true }),
    );
    expect(names.length).toBeGreaterThan(3);
    expect(names.filter((name) => name.includes("very-particular-name"))).toEqual([]);
  });

  test("takes nothing for a repository's name that could be a path or an option", async () => {
    await using repository = await aRepository().commit({ a: "" }).pullRequest(1, { a: "1" }).create();
    await using host = aGitHost(repository);
    for (const name of ["../etc", "acme/../../x", "-x/y", "acme/--upload-pack=x", "acme/shop\nx", "acme"]) {
      const failure = await host
        .getPullRequest({ repository: name, number: 1 }, never)
        .catch((error) => error);
      expect(failure).toMatchObject({ failure: { code: "repository_unreachable" } });
    }
  });

  test("shows the commit's own words as title, without what could not be stored", async () => {
    await using repository = await aRepository()
      .commit({ a: "" })
      .pullRequest(
        1,
        { a: "1" },
        { message: "Fix the cart\u0000\n\nCloses #12.\nSecond line.\n", author: "Grace H." },
      )
      .create();
    await using host = aGitHost(repository, { webUrl: "https://git.test/{repository}/pulls/{number}" });
    expect(await host.getPullRequest(first, never)).toMatchObject({
      title: "Fix the cart",
      body: "Closes #12.\nSecond line.",
      author: "Grace H.",
      baseBranch: "main",
      headBranch: null,
      url: "https://git.test/acme/shop/pulls/1",
    });
  });
});
