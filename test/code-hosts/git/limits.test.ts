/** Pull requests of any size: what is too much is left out and said, or refused with a cause; nothing stalls. */
import { describe, expect, test } from "bun:test";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { aRepository } from "../../support/git-repository.ts";
import { aGitHost, changeOf, first, never } from "./a-git-host.ts";

const lines = (count: number, text = "line") =>
  Array.from({ length: count }, (_, index) => `${text} ${index}\n`).join("");

describe("a large pull request", () => {
  test("leaves out a file with too many changed lines, and says so", async () => {
    const { file } = await changeOf(
      { small: "1\n", large: "" },
      { small: "2\n", large: lines(101) },
      { limits: { fileChangedLines: 100 } },
    );
    expect(file("large")).toMatchObject({
      additions: 101,
      hunks: [],
      omitted: "more than 100 changed lines",
    });
    expect(file("small")).toMatchObject({ omitted: null, additions: 1 });
  });

  test("leaves out a file whose diff is too long, and says so", async () => {
    const { file } = await changeOf(
      { "a-before": "1\n", bundle: "", "c-after": "1\n" },
      { "a-before": "2\n", bundle: `${"x".repeat(5_000)}\n`, "c-after": "2\n" },
      { limits: { filePatchBytes: 4096 } },
    );
    expect(file("bundle")).toMatchObject({
      additions: 1,
      hunks: [],
      omitted: "its diff is larger than 4 KB",
    });
    for (const path of ["a-before", "c-after"])
      expect(file(path)).toMatchObject({ omitted: null, additions: 1 });
  });

  test("leaves out the files after the whole diff has become too long, with their counts", async () => {
    const head = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`f${index + 10}`, lines(10)]));
    const bytes = await changeOf({ keep: "" }, head, { limits: { patchBytes: 500 } });
    const byLines = await changeOf({ keep: "" }, head, { limits: { hunkLines: 50 } });
    for (const { diff, file } of [bytes, byLines]) {
      expect(diff.files).toHaveLength(20);
      expect(file("f10")).toMatchObject({ omitted: null });
      expect(file("f29")).toMatchObject({ additions: 10, hunks: [] });
    }
    expect(bytes.file("f29").omitted).toBe("the whole diff is larger than 0.5 KB");
    expect(byLines.file("f29").omitted).toBe("the whole diff has more than 50 lines");
    expect(byLines.diff.files.filter(({ omitted }) => omitted === null)).toHaveLength(5);
  });

  test("is refused when it changes too many files", async () => {
    const head = Object.fromEntries(Array.from({ length: 11 }, (_, index) => [`f${index}`, `${index}\n`]));
    const failure = await changeOf({ keep: "" }, head, { limits: { files: 10 } }).catch((error) => error);
    expect(failure).toMatchObject({
      failure: {
        code: "diff_too_large",
        message: "The pull request changes 11 files; at most 10 are reviewed. Split it.",
      },
    });
  });

  test("of 10,000 files is read whole, while the process goes on with other work", async () => {
    const files = (text: string) =>
      Object.fromEntries(
        Array.from({ length: 10_000 }, (_, index) => [`d${index % 100}/f${index}.ts`, `${text} ${index}\n`]),
      );
    await using repository = await aRepository().commit(files("old")).pullRequest(1, files("new")).create();
    await using host = aGitHost(repository);
    const pr = await host.getPullRequest(first, never);
    const { result: diff, turns } = await countingTurns(() => host.getDiff(pr, never));
    expect(diff.files.filter(({ hunks }) => hunks.length === 1)).toHaveLength(10_000);
    expect(turns).toBeGreaterThan(5);
  }, 20_000);

  test("of 50 MB is read as far as the limits allow, while the process goes on with other work", async () => {
    const head = Object.fromEntries(
      Array.from({ length: 100 }, (_, index) => [
        `f${index}.txt`,
        lines(15_000, `a longer line of text ${index}`),
      ]),
    );
    await using repository = await aRepository().commit({ keep: "" }).pullRequest(1, head).create();
    await using host = aGitHost(repository);
    const pr = await host.getPullRequest(first, never);
    const { result: diff, turns } = await countingTurns(() => host.getDiff(pr, never));
    expect(diff.files.reduce((sum, { additions }) => sum + additions, 0)).toBe(1_500_000);
    const read = diff.files.filter(({ omitted }) => omitted === null);
    expect(read.length).toBeGreaterThan(20);
    expect(read.length).toBeLessThan(100);
    expect(turns).toBeGreaterThan(20);
  }, 20_000);

  test("of one 50 MB file is one file left out", async () => {
    const { diff } = await changeOf({ keep: "" }, { "huge.txt": lines(500_000, "x".repeat(95)) });
    expect(diff.files).toMatchObject([
      { additions: 500_000, hunks: [], omitted: "more than 20000 changed lines" },
    ]);
  }, 20_000);
});

describe("a large repository", () => {
  test("is refused when a fetch brings more than is allowed, and leaves nothing on the disk", async () => {
    const noise = crypto.getRandomValues(new Uint8Array(60_000));
    await using repository = await aRepository().commit({ noise }).pullRequest(1, { a: "1" }).create();
    await using host = aGitHost(repository, { limits: { fetchBytes: 10_000 } });
    const failure = await host.getPullRequest(first, never).catch((error) => error);
    expect(failure).toMatchObject({ failure: { code: "diff_too_large" } });
    expect(failure.message).toContain("brings more than");
    const left = await readdir(join(repository.root, "cache"), { recursive: true });
    expect(left.filter((name) => /pack\/.+/.test(name))).toEqual([]);
  });

  test("has files that are too large to read, and the others are read", async () => {
    await using repository = await aRepository()
      .commit({ keep: "" })
      .pullRequest(1, { large: "x".repeat(2000), small: "y".repeat(1000) })
      .create();
    await using host = aGitHost(repository, { limits: { fileBytes: 1000 } });
    const pr = await host.getPullRequest(first, never);
    const read = await Promise.all(
      ["large", "small", "large"].map((path) => host.getFile(pr, path, "head", never)),
    );
    expect(read.map((bytes) => bytes?.length ?? null)).toEqual([null, 1000, null]);
  });
});

/** Counts how often other work got its turn meanwhile. */
async function countingTurns<T>(work: () => Promise<T>): Promise<{ result: T; turns: number }> {
  let turns = 0;
  const timer = setInterval(() => {
    turns += 1;
  }, 1);
  const result = await work();
  clearInterval(timer);
  return { result, turns };
}
