/** Looking for words in a repository that nobody vouches for: whatever its files are called and however large it is. */
import { describe, expect, test } from "bun:test";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { openLocalRange } from "../../../src/code-hosts/git/local.ts";
import { aRepository, type Files, submodule, symbolicLink } from "../../support/git-repository.ts";
import { aGitHost, first, never } from "./a-git-host.ts";
import { plantTrap, setTrap, trappedAttributes } from "./trap.ts";

describe("searching a repository", () => {
  test("finds lines in files whose names look like options, revisions, paths or lines", async () => {
    const names = [
      "--open-files-in-pager=x",
      "-e",
      "HEAD",
      "a\nHEAD:b",
      ":(top)x",
      "d/*.ts",
      "ü.ts",
      "x:1:y",
    ];
    expect(await placesOf(Object.fromEntries(names.map((name) => [name, "needle\n"])))).toEqual(
      names.map((name) => `${name}:1`).sort(),
    );
  });

  test("takes words for words, whatever they would mean to git or to a regular expression", async () => {
    const files = { a: "--not x\n", b: "-e x\n", c: "a.c\n", d: "abc\n", e: "$HOME\n", f: "( x\n" };
    expect(await placesOf(files, ["--not", "-e", "a.c", "$HOME", "("])).toEqual([
      "a:1",
      "b:1",
      "c:1",
      "e:1",
      "f:1",
    ]);
  });

  test("looks into regular files alone, and into those that attributes would hide", async () => {
    const files = {
      ".gitattributes": "* -diff\n*.ts binary\n",
      "a.ts": "needle\n",
      "link.ts": symbolicLink("needle"),
      needle: submodule("1".repeat(40)),
      "b.bin": new Uint8Array([0, ...Buffer.from("\nneedle\n")]),
    };
    expect(await placesOf(files)).toEqual(["a.ts:1"]);
  });

  test("runs nothing that the repository names", async () => {
    await using repository = await aRepository()
      .commit({ ".gitattributes": trappedAttributes, "a.ts": "needle\n" })
      .pullRequest(1, { "b.ts": "needle\n" })
      .create();
    const trap = await setTrap(repository.root);
    await plantTrap(repository.directory, trap);
    await using host = aGitHost(repository);
    const pr = await host.getPullRequest(first, never);
    expect(await host.search(pr, ["needle"], "head", never)).toHaveLength(2);
    expect(await trap.sprung()).toEqual([]);
  });

  test("that finds too much, or takes too long, is a failure and not half an answer", async () => {
    const files = { "a.ts": "needle and thread\n".repeat(1_000) };
    for (const limits of [{ searchBytes: 10_000 }, { searchMs: 0 }]) {
      await using repository = await aRepository().commit({ keep: "" }).pullRequest(1, files).create();
      await using host = aGitHost(repository, { limits });
      const pr = await host.getPullRequest(first, never);
      const failure = await host.search(pr, ["needle"], "head", never).catch((error: unknown) => error);
      expect(failure).toMatchObject({
        failure: { code: "timed_out", message: expect.stringContaining("search of file:") },
      });
    }
  });

  test("fetches nothing into a partial clone, and does not pass over what is missing", async () => {
    await using repository = await aRepository()
      .commit({ "a.ts": "the needle\n", "b.ts": "1\n" })
      .commit({ "b.ts": "needle\n" })
      .create();
    await repository.git("config", "uploadpack.allowFilter", "true");
    const work = join(repository.root, "work");
    const from = `file://${repository.directory}`;
    await repository.git("clone", "--quiet", "--bare", "--filter=blob:none", from, work);
    // What the diff needs is there; a.ts, which did not change, is not.
    await repository.git("--git-dir", work, "diff", "HEAD~1", "HEAD");
    await rm(repository.directory, { recursive: true });
    const range = await openLocalRange({ directory: work, range: "HEAD~1..HEAD", signal: never });
    const failure = await range.search(["needle"], "head").catch((error: unknown) => error);
    await range.close();
    expect(failure).toBeInstanceOf(Error);
  });

  test("works on a range of a local repository, on both sides", async () => {
    await using repository = await aRepository()
      .commit({ "a.ts": "needle(1)\n" })
      .commit({ "a.ts": "x\nneedle(2)\n" })
      .create();
    const { directory } = repository;
    const range = await openLocalRange({ directory, range: "main~1..main", signal: never });
    expect(await range.search(["needle"], "base")).toEqual([{ path: "a.ts", line: 1, text: "needle(1)" }]);
    expect(await range.search(["needle"], "head")).toEqual([{ path: "a.ts", line: 2, text: "needle(2)" }]);
    await range.close();
  });
});

/** Where the words are found in a head that holds the files: `path:line`. */
async function placesOf(files: Files, words: readonly string[] = ["needle"]): Promise<string[]> {
  await using repository = await aRepository().commit({ keep: "" }).pullRequest(1, files).create();
  await using host = aGitHost(repository);
  const pr = await host.getPullRequest(first, never);
  const found = (await host.search(pr, words, "head", never)) ?? [];
  return found.map(({ path, line }) => `${path}:${line}`);
}
