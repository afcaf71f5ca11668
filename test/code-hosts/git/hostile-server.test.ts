/** Servers that hang, drip, redirect, refuse or talk nonsense: each ends soon, with a cause a person can act on. */
import { afterEach, describe, expect, test } from "bun:test";
import { CodeHostUnavailable } from "../../../src/domain/code-host.ts";
import { ReviewFailed } from "../../../src/domain/review.ts";
import { type GitHttpServer, startGitHttpServer } from "../../support/git-http-server.ts";
import { aRepository, type GitRepository } from "../../support/git-repository.ts";
import { aGitHost, first, never } from "./a-git-host.ts";

const endless = () => new Promise<Response>(() => {});

describe("reviewing from a Git server that", () => {
  const opened: AsyncDisposable[] = [];
  afterEach(async () => {
    for (const thing of opened.splice(0).reverse()) await thing[Symbol.asyncDispose]();
  });

  async function aServer(
    intercept?: (request: Request) => Response | Promise<Response> | undefined,
  ): Promise<GitHttpServer & Pick<GitRepository, "root" | "sha">> {
    const repository = await aRepository().commit({ a: "1\n" }).pullRequest(1, { a: "2\n" }).create();
    const server = startGitHttpServer({
      root: repository.root,
      ...(intercept === undefined ? {} : { intercept }),
    });
    opened.push(repository, server);
    return { ...server, root: repository.root, sha: repository.sha };
  }

  async function failureOf(
    server: Pick<GitRepository, "root" | "urlTemplate">,
    options: Parameters<typeof aGitHost>[1] = {},
    signal = never,
  ): Promise<Error> {
    const host = aGitHost(server, options);
    opened.push(host);
    return host.getPullRequest(first, signal).then(
      () => new Error("it did not fail"),
      (error: Error) => error,
    );
  }

  test("never answers is given up, and nothing of ours stays connected", async () => {
    const server = await aServer(endless);
    const failure = await failureOf(server, { limits: { listMs: 300 } });
    expect(failure).toBeInstanceOf(CodeHostUnavailable);
    expect(failure.message).toBe(
      `http://127.0.0.1:${server.port}/acme/shop.git did not answer within 0.3 s.`,
    );
    expect(await processesNaming(`:${server.port}/`)).toEqual([]);
  });

  test("hangs in the middle of the fetch fails the review as timed out", async () => {
    let posts = 0;
    const server = await aServer((request) =>
      request.method === "POST" && ++posts > 1 ? endless() : undefined,
    );
    const failure = await failureOf(server, { limits: { fetchMs: 400 } });
    expect(failure).toMatchObject({
      failure: { code: "timed_out", message: expect.stringContaining("0.4 s") },
    });
    expect(await processesNaming(`:${server.port}/`)).toEqual([]);
  });

  test("drips a byte now and then is cut", async () => {
    const server = await aServer(() => new Response(drip(), { headers: advertisement }));
    const failure = await failureOf(server, { limits: { listMs: 400 } });
    expect(failure).toBeInstanceOf(CodeHostUnavailable);
    expect(await processesNaming(`:${server.port}/`)).toEqual([]);
  });

  test("is too slow for a caller who gives up is left at once", async () => {
    const server = await aServer(endless);
    const failure = await failureOf(server, {}, AbortSignal.timeout(200));
    expect(failure.name).toBe("TimeoutError");
    expect(await processesNaming(`:${server.port}/`)).toEqual([]);
  });

  test("redirects is not followed", async () => {
    const elsewhere = await aServer();
    const server = await aServer(
      (request) =>
        new Response("", {
          status: 302,
          headers: { location: request.url.replace(/:\d+/, `:${elsewhere.port}`) },
        }),
    );
    const failure = await failureOf(server);
    expect(failure).toMatchObject({ failure: { code: "repository_unreachable" } });
    expect(failure.message).toContain("redirects to another address");
    expect(elsewhere.requests).toEqual([]);
  });

  test.each([
    [401, "access_denied", "check the user name and token"],
    [403, "access_denied", "refuses access"],
    [404, "repository_unreachable", "no Git repository at"],
    [410, "repository_unreachable", "no Git repository at"],
  ] as const)("answers %d fails the review as %s", async (status, code, words) => {
    const failure = await failureOf(await aServer(() => new Response("no", { status })));
    expect(failure).toBeInstanceOf(ReviewFailed);
    expect(failure).toMatchObject({ failure: { code, message: expect.stringContaining(words) } });
  });

  test.each([429, 500, 502, 503])("answers %d is worth another try", async (status) => {
    const failure = await failureOf(await aServer(() => new Response("busy", { status })));
    expect(failure).toBeInstanceOf(CodeHostUnavailable);
    expect(failure.message).toContain("overloaded or out of order");
  });

  test("is not there is worth another try", async () => {
    const server = await aServer();
    await server.stop();
    const failure = await failureOf(server);
    expect(failure).toBeInstanceOf(CodeHostUnavailable);
    expect(failure.message).toStartWith(`Nothing answers at http://127.0.0.1:${server.port}/acme/shop.git`);
  });

  test("has a name that does not resolve is worth another try", async () => {
    const { root } = await aServer();
    const failure = await failureOf({ root, urlTemplate: "https://git.invalid/{repository}.git" });
    expect(failure).toBeInstanceOf(CodeHostUnavailable);
    expect(failure.message).toContain("https://git.invalid/acme/shop.git");
  });

  test("is a web page and no Git server says so", async () => {
    const server = await aServer(
      () => new Response("<html>Welcome</html>", { headers: { "content-type": "text/html" } }),
    );
    const failure = await failureOf(server);
    expect(failure).toMatchObject({ failure: { code: "pull_request_not_found" } });
    expect(failure.message).toContain("not a Git server");
  });

  test("lists more references than are read is cut", async () => {
    const server = await aServer(answeringWith(5_000));
    const failure = await failureOf(server, { limits: { referenceBytes: 100_000 } });
    expect(failure).toMatchObject({ failure: { code: "repository_unreachable" } });
    expect(failure.message).toContain("references");
  });

  test("lists references without end takes no more memory than it is given", async () => {
    const server = await aServer(answeringWith(Number.POSITIVE_INFINITY));
    const failure = await failureOf(server, { limits: { listMemoryBytes: 200 * 1024 ** 2 } });
    expect(failure).toMatchObject({ failure: { code: "repository_unreachable" } });
    expect(failure.message).toContain("too many references");
  });

  test("asks for a password is never answered with a question to somebody", async () => {
    const server = await aServer(
      () => new Response("", { status: 401, headers: { "www-authenticate": 'Basic realm="git"' } }),
    );
    expect(await failureOf(server)).toMatchObject({ failure: { code: "access_denied" } });
  });

  test("wants credentials gets them, and nobody else sees them", async () => {
    const authorizations = new Set<string | null>();
    const server = await aServer((request) => {
      authorizations.add(request.headers.get("authorization"));
      return request.headers.get("authorization") === null ? new Response("", { status: 401 }) : undefined;
    });
    const urlTemplate = server.urlTemplate.replace("http://", "http://robot@");
    const host = aGitHost({ root: server.root, urlTemplate }, { token: "s3cret:p@ss" });
    opened.push(host);
    const pr = await host.getPullRequest(first, never);
    expect(pr.headSha).toBe(await server.sha("refs/pull/1/head"));
    expect([...authorizations]).toEqual([`Basic ${btoa("robot:s3cret:p@ss")}`]);

    await server.stop();
    const failure = await failureOf({ root: server.root, urlTemplate }, { token: "s3cret:p@ss" });
    expect(failure.message).toContain(`http://127.0.0.1:${server.port}/acme/shop.git`);
    expect(Bun.inspect(failure)).not.toMatch(/s3cret|robot/);
  });
});

const advertisement = { "content-type": "application/x-git-upload-pack-advertisement" };
const lsRefsAnswer = { "content-type": "application/x-git-upload-pack-result" };

/** One byte every 50 ms, until the other side goes. */
function drip(): ReadableStream<Uint8Array> {
  let timer: Timer | undefined;
  return new ReadableStream({
    start(controller) {
      timer = setInterval(() => controller.enqueue(new TextEncoder().encode("0")), 50);
    },
    cancel: () => clearInterval(timer),
  });
}

/** Answers the list of references by itself: the same one, `count` times. */
function answeringWith(count: number) {
  return (request: Request) =>
    request.method === "GET" ? undefined : new Response(references(count), { headers: lsRefsAnswer });
}

function references(count: number): ReadableStream<Uint8Array> {
  const line = `${"1".repeat(40)} refs/pull/1/head\n`;
  const packet = (line.length + 4).toString(16).padStart(4, "0") + line;
  let left = count;
  return new ReadableStream({
    pull(controller) {
      controller.enqueue(Buffer.from(left > 0 ? packet.repeat(Math.min(left, 1000)) : "0000"));
      if (left <= 0) controller.close();
      left -= 1000;
    },
  });
}

/** Command lines with `text` in them of processes that live on; killed ones get two seconds to be gone. */
async function processesNaming(text: string): Promise<string[]> {
  let lines: string[] = [];
  for (let attempt = 0; attempt < 40; attempt += 1) {
    const list = await new Response(Bun.spawn(["ps", "-eo", "args"]).stdout).text();
    lines = list.split("\n").filter((line) => line.includes(text));
    if (lines.length === 0) break;
    await Bun.sleep(50);
  }
  return lines;
}
