/** What a pull request changed, told right whatever it changed. */
import { describe, expect, test } from "bun:test";
import { addedLines } from "../../../src/domain/diff.ts";
import { aRepository, executable, submodule, symbolicLink } from "../../support/git-repository.ts";
import { aGitHost, changeOf, first, never } from "./a-git-host.ts";

const twentyLines = Array.from({ length: 20 }, (_, index) => `line ${index + 1}\n`).join("");

describe("the diff of a pull request", () => {
  test("follows a renamed file to its new name, with what else changed in it", async () => {
    const { file, patch } = await changeOf(
      { "old/name.ts": twentyLines, "same.ts": `x${twentyLines}` },
      {
        "old/name.ts": null,
        "new/name.ts": twentyLines.replace("line 3\n", "line three\n"),
        "same.ts": null,
        "moved.ts": `x${twentyLines}`,
      },
    );
    expect(file("new/name.ts")).toMatchObject({ oldPath: "old/name.ts", change: "renamed", additions: 1 });
    expect(patch("new/name.ts")).toContain("+ line three");
    expect(file("moved.ts")).toMatchObject({
      oldPath: "same.ts",
      change: "renamed",
      hunks: [],
      omitted: null,
    });
  });

  test("knows a copy from a new file", async () => {
    const { file } = await changeOf(
      { "a.ts": twentyLines },
      { "a.ts": `${twentyLines}more\n`, "b.ts": `${twentyLines}other\n` },
    );
    expect(file("a.ts")).toMatchObject({ change: "modified", oldPath: null });
    expect(file("b.ts")).toMatchObject({ change: "copied", oldPath: "a.ts", additions: 1, deletions: 0 });
  });

  test("tells a changed file mode, with and without other changes", async () => {
    const { file } = await changeOf(
      { "run.sh": "ls\n", "both.sh": "ls\n" },
      { "run.sh": executable("ls\n"), "both.sh": executable("pwd\n") },
    );
    expect(file("run.sh")).toMatchObject({ oldMode: "100644", newMode: "100755", hunks: [], additions: 0 });
    expect(file("both.sh")).toMatchObject({
      oldMode: "100644",
      newMode: "100755",
      additions: 1,
      deletions: 1,
    });
  });

  test("shows where a symbolic link points and never what is there", async () => {
    const { file, patch } = await changeOf(
      { link: symbolicLink("a") },
      { link: symbolicLink("/etc/passwd"), dangling: symbolicLink("nowhere") },
    );
    expect(file("link")).toMatchObject({ content: "symlink", oldMode: "120000", newMode: "120000" });
    expect(patch("link")).toEqual(["- a", "+ /etc/passwd"]);
    expect(file("dangling")).toMatchObject({ content: "symlink", change: "added" });
  });

  test("shows a submodule as the commits it moved between", async () => {
    const [before, after] = ["1".repeat(40), "2".repeat(40)];
    const { file, patch } = await changeOf(
      { lib: submodule(before), gone: submodule(before) },
      { lib: submodule(after), gone: null },
    );
    expect(file("lib")).toMatchObject({ content: "submodule", oldMode: "160000", newMode: "160000" });
    expect(patch("lib")).toEqual([`- Subproject commit ${before}`, `+ Subproject commit ${after}`]);
    expect(file("gone")).toMatchObject({ content: "submodule", change: "deleted" });
  });

  test("shows a file that became a link, or a link that became a file, as one change", async () => {
    const { diff, file, patch } = await changeOf(
      { config: "one\ntwo\n", link: symbolicLink("target"), last: "1\n" },
      { config: symbolicLink("shared/config"), link: "now\na file\n", last: "2\n" },
    );
    expect(diff.files).toHaveLength(3);
    expect(file("config")).toMatchObject({
      change: "type_changed",
      content: "symlink",
      additions: 1,
      deletions: 2,
    });
    expect(patch("config")).toEqual(["- one", "- two", "+ shared/config"]);
    expect(file("link")).toMatchObject({ change: "type_changed", content: "text" });
    expect(addedLines(file("link"))).toEqual([1, 2]);
    expect(file("link").hunks).toHaveLength(1);
    expect(patch("last")).toEqual(["- 1", "+ 2"]);
  });

  test("reads the last line of a file without a final newline like any other", async () => {
    const { file, patch } = await changeOf(
      { "gains.txt": "a\nb", "loses.txt": "a\nb\n", "keeps.txt": "a\nb" },
      { "gains.txt": "a\nb\n", "loses.txt": "a\nb", "keeps.txt": "a\nc" },
    );
    expect(patch("gains.txt")).toEqual(["  a", "- b", "+ b"]);
    expect(patch("loses.txt")).toEqual(["  a", "- b", "+ b"]);
    expect(patch("keeps.txt")).toEqual(["  a", "- b", "+ c"]);
    expect(addedLines(file("keeps.txt"))).toEqual([2]);
  });

  test("shows lines of Windows files without their carriage returns", async () => {
    const { patch } = await changeOf({ "a.cs": "one\r\ntwo\r\n" }, { "a.cs": "one\r\n2\r\nthree\r\n" });
    expect(patch("a.cs")).toEqual(["  one", "- two", "+ 2", "+ three"]);
  });

  test("keeps the names that people give files", async () => {
    const names = [
      "with space.ts",
      " leading and trailing ",
      "tab\there.ts",
      "new\nline.ts",
      'quo"te.ts',
      "back\\slash.ts",
      "-rf",
      "--output=x",
      ":(exclude)a",
      "*.ts",
      "ünïcödé/日本語.ts",
      "a b/c => d.ts",
      "diff --git a/x b/x",
    ];
    const added = Object.fromEntries(names.map((name) => [name, `${JSON.stringify(name)}\n`]));
    const { diff, patch } = await changeOf({ keep: "" }, added);
    expect(diff.files.map(({ path }) => path).sort()).toEqual([...names].sort());
    for (const name of names) expect(patch(name)).toEqual([`+ ${JSON.stringify(name)}`]);
  });

  test("shows the bytes of a name that is not UTF-8, and reads the file by that name", async () => {
    await using repository = await aRepository()
      .commit({ keep: "" })
      .pullRequest(1, { "caf\\xE9/men\\xFC é.txt": "coffee\n" })
      .create();
    await using host = aGitHost(repository);
    const pr = await host.getPullRequest(first, never);
    const { files } = await host.getDiff(pr, never);
    expect(files.map(({ path }) => path)).toEqual(["caf\\xE9/men\\xFC é.txt"]);
    const bytes = await host.getFile(pr, "caf\\xE9/men\\xFC é.txt", "head", never);
    expect(String(bytes)).toBe("coffee\n");
  });

  test("counts the lines of a text that is not UTF-8 like those of any other", async () => {
    const latin1 = (text: string) => Buffer.from(text, "latin1");
    const { file, patch } = await changeOf(
      { "a.txt": latin1("né\nold\n") },
      { "a.txt": latin1("né\nnew é\nlast\n") },
    );
    expect(file("a.txt")).toMatchObject({ content: "text", additions: 2, deletions: 1 });
    expect(patch("a.txt")).toEqual(["  n\ufffd", "- old", "+ new \ufffd", "+ last"]);
  });

  test("takes a file with NUL bytes for binary", async () => {
    const { file } = await changeOf(
      { a: "text\n" },
      { a: new Uint8Array([0, 1, 2]), b: new Uint8Array([0]) },
    );
    expect(file("a")).toMatchObject({ content: "binary", change: "modified", hunks: [], additions: 0 });
    expect(file("b")).toMatchObject({ content: "binary", change: "added", omitted: null });
  });

  test("has files without lines for empty ones", async () => {
    const { file } = await changeOf({ old: "" }, { new: "", old: null, other: "x\n" });
    expect(file("new")).toMatchObject({ hunks: [], additions: 0, oldPath: "old", change: "renamed" });
    expect(file("other")).toMatchObject({ additions: 1 });
  });

  test("leaves out what happened on the base since the pull request left it", async () => {
    await using repository = await aRepository()
      .commit({ "a.ts": "1\n", "b.ts": "1\n" })
      .pullRequest(1, { "a.ts": "2\n" })
      .commit({ "b.ts": "2\n", "c.ts": "new\n" })
      .create();
    await using host = aGitHost(repository);
    const pr = await host.getPullRequest(first, never);
    expect(pr.baseSha).toBe(await repository.sha("refs/heads/main~1"));
    expect((await host.getDiff(pr, never)).files.map(({ path }) => path)).toEqual(["a.ts"]);
  });

  test("counts everything as added where the pull request has a history of its own", async () => {
    await using repository = await aRepository()
      .commit({ "a.ts": "1\n" })
      .pullRequest(1, { "b.ts": "2\n" }, { unrelated: true })
      .create();
    await using host = aGitHost(repository);
    const pr = await host.getPullRequest(first, never);
    const { files } = await host.getDiff(pr, never);
    expect(files.map(({ path, change }) => `${change} ${path}`)).toEqual(["added b.ts"]);
    expect(await host.getFile(pr, "b.ts", "base", never)).toBeNull();
    expect(String(await host.getFile(pr, "b.ts", "head", never))).toBe("2\n");
  });

  test("is not told by .gitattributes to look away", async () => {
    const { file } = await changeOf(
      { "evil.ts": "1\n" },
      { ".gitattributes": "*.ts -diff -text linguist-generated\n", "evil.ts": "2\n" },
    );
    expect(file("evil.ts")).toMatchObject({ content: "text", additions: 1, deletions: 1 });
  });

  test("stands in a repository whose ids are SHA-256", async () => {
    await using repository = await aRepository()
      .commit({ "a.ts": "1\n" })
      .pullRequest(1, { "a.ts": "2\n" })
      .create("acme/shop", { objectFormat: "sha256" });
    await using host = aGitHost(repository);
    const pr = await host.getPullRequest(first, never);
    expect(pr.headSha).toMatch(/^[0-9a-f]{64}$/);
    expect((await host.getDiff(pr, never)).files.map(({ path }) => path)).toEqual(["a.ts"]);
    expect(String(await host.getFile(pr, "a.ts", "base", never))).toBe("1\n");
  });
});
