/** What was fetched before speeds up the next review, and never stands in its way. */
import { describe, expect, test } from "bun:test";
import { readdir, rm, stat, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { startGitHttpServer } from "../../support/git-http-server.ts";
import { aRepository, type GitRepository } from "../../support/git-repository.ts";
import { aGitHost, first, never, type TestGitHost } from "./a-git-host.ts";

describe("what was fetched before", () => {
  test("is not fetched again", async () => {
    await using repository = await aShop();
    await using server = startGitHttpServer({ root: repository.root });
    await using host = aGitHost({ root: repository.root, urlTemplate: server.urlTemplate });
    const pr = await host.getPullRequest(first, never);
    const asked = server.requests.length;
    await host.getDiff(pr, never);
    expect(server.requests.length).toBe(asked);
    await host.getPullRequest(first, never);
    expect(server.requests.slice(asked)).toEqual([
      "GET /acme/shop.git/info/refs",
      "POST /acme/shop.git/git-upload-pack",
    ]);
  });

  test("serves reviews of one repository that run at the same time", async () => {
    await using repository = await aShop();
    for (let number = 2; number <= 9; number += 1) await repository.pullRequest(number, { a: `${number}\n` });
    await using host = aGitHost(repository);
    const added = await Promise.all(
      Array.from({ length: 9 }, async (_, index) => {
        const pr = await host.getPullRequest({ repository: "acme/shop", number: index + 1 }, never);
        return addedTexts(host, pr);
      }),
    );
    expect(added).toEqual([["head"], ["2"], ["3"], ["4"], ["5"], ["6"], ["7"], ["8"], ["9"]]);
  });

  test("is fetched again when the folder was emptied between two questions", async () => {
    await using repository = await aShop();
    await using host = aGitHost(repository);
    const pr = await host.getPullRequest(first, never);
    await rm(await cacheOf(repository), { recursive: true });
    expect(await addedTexts(host, pr)).toEqual(["head"]);
  });

  test("may vanish whole while the process runs", async () => {
    await using repository = await aShop();
    await using host = aGitHost(repository);
    const pr = await host.getPullRequest(first, never);
    await rm(join(repository.root, "cache"), { recursive: true });
    expect(await addedTexts(host, pr)).toEqual(["head"]);
    await rm(join(repository.root, "cache"), { recursive: true });
    expect((await host.getPullRequest(first, never)).headSha).toBe(pr.headSha);
  });

  test("gives way to the head that a question names, though the branch was replaced since", async () => {
    await using repository = await aShop();
    const pr = await lookOnce(repository);
    await repository.pullRequest(1, { a: "replaced\n" });
    await rm(await cacheOf(repository), { recursive: true });
    await using host = aGitHost(repository);
    expect(await addedTexts(host, pr)).toEqual(["head"]);
  });

  test("is missed only when the server has forgotten the head too", async () => {
    await using repository = await aShop();
    const pr = await lookOnce(repository);
    await repository.pullRequest(1, { a: "replaced\n" });
    await repository.git("gc", "--quiet", "--prune=now");
    await rm(await cacheOf(repository), { recursive: true });
    await using host = aGitHost(repository);
    const failure = await host.getDiff(pr, never).catch((error) => error);
    expect(failure).toMatchObject({ failure: { code: "pull_request_not_found" } });
    expect(failure.message).toContain(pr.headSha);
  });

  test("is cleared of what a killed run left behind", async () => {
    await using repository = await aShop();
    await lookOnce(repository);
    const cache = await cacheOf(repository);
    const leftovers = [
      "HEAD.lock",
      "config.lock",
      "packed-refs.lock",
      "shallow.lock",
      "refs/plumbline/base.lock",
      "refs/plumbline/pull/1.lock",
      "objects/pack/tmp_pack_Xy12ab",
      "objects/pack/pack-1234.keep",
      "objects/pack/tmp_idx_Xy12ab",
    ];
    for (const name of leftovers) await writeFile(join(cache, name), "");
    await repository.push(1, { a: "pushed\n" });
    await repository.commit({ b: "1\n" });

    await using host = aGitHost(repository);
    expect(await addedTexts(host, await host.getPullRequest(first, never))).toEqual(["pushed"]);
    const names = await readdir(cache, { recursive: true });
    expect(leftovers.filter((name) => names.includes(name))).toEqual([]);
  });

  test("is not waited for where a child of a killed run still fetches", async () => {
    await using repository = await aShop();
    await using slow = startGitHttpServer({ root: repository.root, intercept: hangOnFetch() });
    const run = Bun.spawn(
      [
        process.execPath,
        join(import.meta.dir, "one-run.ts"),
        slow.urlTemplate,
        join(repository.root, "cache"),
      ],
      { stdout: "pipe", stderr: "inherit" },
    );
    while (slow.requests.length < 4) await Bun.sleep(5);
    run.kill("SIGKILL");
    await run.exited;
    await using host = aGitHost({ root: repository.root, urlTemplate: slow.urlTemplate });
    expect(await addedTexts(host, await host.getPullRequest(first, never))).toEqual(["head"]);
  });

  test.each([
    ["a pack is cut short", (cache: string) => onPacks(cache, (path) => truncate(path, 40))],
    ["packs are gone", (cache: string) => onPacks(cache, (path) => rm(path))],
    ["a reference is empty", (cache: string) => truncate(join(cache, "refs/plumbline/pull/1"))],
    [
      "a reference names nothing",
      (cache: string) => writeFile(join(cache, "refs/plumbline/base"), `${"1".repeat(40)}\n`),
    ],
    ["HEAD is empty", (cache: string) => truncate(join(cache, "HEAD"))],
    ["HEAD is gone", (cache: string) => rm(join(cache, "HEAD"))],
    ["its configuration is garbage", (cache: string) => writeFile(join(cache, "config"), "garbage\0[")],
  ] as const)("is fetched anew when %s", async (_, damage) => {
    await using repository = await aShop();
    const pr = await lookOnce(repository);
    await damage(await cacheOf(repository));
    await using host = aGitHost(repository);
    expect(await addedTexts(host, pr)).toEqual(["head"]);
    expect((await host.getPullRequest(first, never)).headSha).toBe(pr.headSha);
    await repository.push(1, { a: "pushed\n" });
    expect(await addedTexts(host, await host.getPullRequest(first, never))).toEqual(["pushed"]);
  });

  test("does not grow by a pack for every push", async () => {
    await using repository = await aShop();
    await using host = aGitHost(repository, { limits: { packs: 4 } });
    for (let push = 0; push < 8; push += 1) {
      await repository.push(1, { a: `${push}\n` });
      await host.getPullRequest(first, never);
    }
    const packs = await readdir(join(await cacheOf(repository), "objects", "pack"));
    expect(packs.filter((name) => name.endsWith(".pack")).length).toBeLessThan(6);
    expect(await addedTexts(host, await host.getPullRequest(first, never))).toEqual(["7"]);
  });

  test("is nobody else's to read", async () => {
    await using repository = await aShop();
    await lookOnce(repository);
    expect((await stat(join(repository.root, "cache"))).mode & 0o077).toBe(0);
  });
});

function aShop(): Promise<GitRepository> {
  return aRepository().commit({ a: "base\n" }).pullRequest(1, { a: "head\n" }).create();
}

/** As a run of the service that has ended since. */
async function lookOnce(repository: GitRepository) {
  await using host = aGitHost(repository);
  return host.getPullRequest(first, never);
}

async function addedTexts(host: TestGitHost, pr: Awaited<ReturnType<TestGitHost["getPullRequest"]>>) {
  const { files } = await host.getDiff(pr, never);
  return files.flatMap((file) =>
    file.hunks.flatMap((hunk) => hunk.lines.flatMap((line) => (line.kind === "added" ? [line.text] : []))),
  );
}

async function cacheOf(repository: GitRepository): Promise<string> {
  const cache = join(repository.root, "cache");
  const [folder] = (await readdir(cache)).filter((name) => name.endsWith(".git"));
  return join(cache, folder ?? "");
}

async function onPacks(cache: string, change: (path: string) => Promise<void>): Promise<void> {
  const folder = join(cache, "objects", "pack");
  for (const name of await readdir(folder))
    if (/\.(?:pack|idx|rev)$/.test(name)) await change(join(folder, name));
}

/** Never answers the first request for objects; the ones before it ask for references. */
function hangOnFetch(): (request: Request) => Promise<Response> | undefined {
  let posts = 0;
  return (request) => {
    if (request.method === "POST") posts += 1;
    return request.method === "POST" && posts === 2 ? new Promise<Response>(() => {}) : undefined;
  };
}
