/** `plumbline review --local`: a range of a repository that somebody works in, looked at and left alone. */
import { describe, expect, test } from "bun:test";
import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openLocalRange } from "../../../src/code-hosts/git/local.ts";
import { AppError } from "../../../src/domain/errors.ts";
import { aRepository, type GitRepository } from "../../support/git-repository.ts";
import { never } from "./a-git-host.ts";
import { plantTrap, setTrap, trappedAttributes } from "./trap.ts";

describe("reviewing a local range", () => {
  test("shows what a branch changed since it left the base, however the range is written", async () => {
    await using repository = await twoBranches();
    for (const range of ["main..topic", "main...topic"]) {
      const { pr, diff } = await look(repository.directory, range);
      expect(diff.files.map(({ path }) => path)).toEqual(["topic.ts"]);
      expect(pr).toMatchObject({
        title: "Work on the topic",
        headSha: await repository.sha("topic"),
        baseSha: await repository.sha("main~1"),
        url: null,
      });
    }
  });

  test("takes HEAD for a side that is left out, and a single revision for the base", async () => {
    await using repository = await twoBranches();
    await repository.git("symbolic-ref", "HEAD", "refs/heads/topic");
    for (const range of ["main..", "main", "main~1"]) {
      const { pr } = await look(repository.directory, range);
      expect(pr.headSha).toBe(await repository.sha("topic"));
      expect(pr.baseSha).toBe(await repository.sha("main~1"));
    }
    expect((await look(repository.directory, "..main")).pr.headSha).toBe(await repository.sha("main"));
  });

  test("reads files on both sides", async () => {
    await using repository = await twoBranches();
    const range = await openLocalRange({
      directory: repository.directory,
      range: "main..topic",
      signal: never,
    });
    expect(await range.readFile("topic.ts", "base")).toBeNull();
    expect(String(await range.readFile("topic.ts", "head"))).toBe("topic\n");
    await range.close();
  });

  test("works from a subfolder, in a worktree, and in a shallow clone", async () => {
    await using repository = await twoBranches();
    const { root, directory } = repository;
    await repository.git("clone", "--quiet", "--branch", "topic", directory, join(root, "work"));
    await repository.git(
      "clone",
      "--quiet",
      "--depth=2",
      "--branch=topic",
      `file://${directory}`,
      join(root, "shallow"),
    );
    await repository.git("worktree", "add", "--quiet", join(root, "tree"), "topic");
    await Bun.write(join(root, "work", "sub", "x"), "");
    for (const [folder, range] of [
      ["work/sub", "origin/main..HEAD"],
      ["tree", "main..HEAD"],
      ["shallow", "HEAD~1..HEAD"],
    ] as const) {
      const { diff } = await look(join(root, folder), range);
      expect(diff.files.map(({ path }) => path)).toEqual(["topic.ts"]);
    }
  });

  test("runs nothing that the repository names, and writes nothing into it", async () => {
    await using repository = await aRepository()
      .commit({ ".gitattributes": trappedAttributes, "a.ts": "1\n" })
      .commit({ "a.ts": "2\n" })
      .create();
    const work = join(repository.root, "work");
    await repository.git("clone", "--quiet", repository.directory, work);
    const trap = await setTrap(repository.root);
    await plantTrap(join(work, ".git"), trap);
    await Bun.write(join(work, "a.ts"), "not committed\n");
    const before = await snapshot(work);

    const range = await openLocalRange({ directory: work, range: "HEAD~1..HEAD", signal: never });
    expect(range.diff.files).toMatchObject([{ path: "a.ts", content: "text", additions: 1, deletions: 1 }]);
    expect(String(await range.readFile("a.ts", "head"))).toBe("2\n");
    await range.close();

    expect(await trap.sprung()).toEqual([]);
    expect(await snapshot(work)).toEqual(before);
  });

  test("fetches nothing into a partial clone, and says what is missing", async () => {
    await using repository = await aRepository().commit({ "a.ts": "1\n" }).commit({ "a.ts": "2\n" }).create();
    await repository.git("config", "uploadpack.allowFilter", "true");
    const work = join(repository.root, "work");
    await repository.git(
      "clone",
      "--quiet",
      "--bare",
      "--filter=blob:none",
      `file://${repository.directory}`,
      work,
    );
    const failure = await look(work, "HEAD~1..HEAD").catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(AppError);
    expect(failure).toMatchObject({ kind: "not_found", message: expect.stringContaining("partial clone") });
  });

  test("leaves no temporary folder behind", async () => {
    await using repository = await twoBranches();
    const usual = process.env.TMPDIR;
    process.env.TMPDIR = await mkdtemp(join(tmpdir(), "plumbline-local-test-"));
    await look(repository.directory, "main..topic");
    await look(repository.directory, "main..nowhere").catch(() => {});
    const left = await readdir(process.env.TMPDIR);
    await rm(process.env.TMPDIR, { recursive: true });
    if (usual === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = usual;
    expect(left).toEqual([]);
  });

  test("says which revision it does not know", async () => {
    await using repository = await twoBranches();
    for (const range of ["main..nowhere", "nowhere..main", "main..main:topic.ts"]) {
      const failure = await look(repository.directory, range).catch((error: unknown) => error);
      expect(failure).toMatchObject({ kind: "not_found" });
    }
  });

  test("says that a folder is no repository", async () => {
    const folder = await mkdtemp(join(tmpdir(), "plumbline-no-repository-"));
    const failure = await look(folder, "main..HEAD").catch((error: unknown) => error);
    await rm(folder, { recursive: true });
    expect(failure).toMatchObject({ kind: "not_found", message: `There is no Git repository in ${folder}.` });
  });

  test("refuses what is no range", async () => {
    await using repository = await twoBranches();
    for (const range of ["", "--output=/tmp/x", "main..--exec=x", "a..b..c", "main..to\npic"]) {
      const failure = await look(repository.directory, range).catch((error: unknown) => error);
      expect(failure).toMatchObject({ kind: "bad_request" });
    }
  });
});

/** `topic` left `main` before main's last commit. */
async function twoBranches(): Promise<GitRepository> {
  const repository = await aRepository()
    .commit({ "a.ts": "1\n" })
    .pullRequest(1, { "topic.ts": "topic\n" }, { message: "Work on the topic" })
    .commit({ "a.ts": "2\n" })
    .create();
  await repository.git("branch", "topic", "refs/pull/1/head");
  return repository;
}

async function look(directory: string, range: string) {
  const opened = await openLocalRange({ directory, range, signal: never });
  await opened.close();
  return opened;
}

/** Every file and folder with its size and time of change. */
async function snapshot(folder: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true });
  return Promise.all(
    names.sort().map(async (name) => {
      const { size, mtimeMs, ctimeMs } = await stat(join(folder, name));
      return `${name} ${size} ${mtimeMs} ${ctimeMs}`;
    }),
  );
}
