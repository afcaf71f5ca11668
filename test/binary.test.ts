/** The executable itself: moved elsewhere and started in a folder that tries to change what runs. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import packageJson from "../package.json" with { type: "json" };
import { type Installation, install, type ServerProcess } from "./faults/installation.ts";
import { emptyDatabases } from "./support/databases.ts";
import { theExecutable } from "./support/executable.ts";
import { startGitHttpServer } from "./support/git-http-server.ts";
import { aRepository, type GitRepository } from "./support/git-repository.ts";

const hostile = {
  ".env": "PLUMBLINE_PORT=1\nPLUMBLINE_NO_SUCH_SETTING=1\nNODE_ENV=development\n",
  "bunfig.toml": 'preload = ["./evil.ts"]\n',
  "evil.ts": 'console.log("EVIL"); process.exit(66);\n',
};

let folder: string;
let executable: string;
let shop: GitRepository;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "plumbline-binary-"));
  executable = join(folder, "moved");
  await copyFile(await theExecutable(), executable);
  shop = await aRepository()
    .commit({ "src/cart.ts": "export const total = 1;\n", "go/main.go": "package main\n" })
    .pullRequest(1, {
      "src/cart.ts": "export const total = 1;\ndebugger;\nexport const sum = (a: string) => eval(a + 1);\n",
      "tools/sync.py":
        'import subprocess\n\ndef sync(host):\n    subprocess.run(f"rsync {host}", shell=True)\n',
    })
    .create("acme/shop");
});

afterAll(async () => {
  await shop.remove();
  await rm(folder, { recursive: true, force: true });
});

describe("the executable", () => {
  test("says its version wherever it stands", async () => {
    await using installation = await installMoved();
    expect(await installation.run("version")).toBe(packageJson.version);
  });

  test("is changed by nothing that the folder of its start holds", async () => {
    await using installation = await installMoved();
    const server = await installation.serve();
    const problem = await answer(server, "/v1/reviews", { method: "POST", body: '{"repository":"hunter2"}' });
    // In development Elysia would echo what was submitted.
    expect(problem).toMatchObject({ status: 422, body: { code: "validation_failed" } });
    expect(JSON.stringify(problem.body)).not.toContain("hunter2");
    expect(await server.kill("SIGTERM")).toBe(0);
  });

  test("gives its handlers what was sent, as it does from source", async () => {
    await using installation = await installMoved();
    await enableShop(installation, shop.urlTemplate);
    const server = await installation.serve();

    expect(await answer(server, "/v1/reviews?limit=7&page=2")).toMatchObject({
      status: 200,
      body: { data: [], meta: { total: 0, page: 2, per_page: 7 } },
    });
    expect(await answer(server, "/v1/reviews?status=nonsense")).toMatchObject({ status: 422 });
    expect(await answer(server, "/v1/reviews?color=red")).toMatchObject({ status: 422 });
    expect(await answer(server, "/v1/reviews/rev_nobody")).toMatchObject({
      status: 404,
      body: { code: "not_found" },
    });
    expect(await answer(server, "/v1/reviews", { headers: {} })).toMatchObject({
      status: 401,
      body: { code: "unauthenticated" },
    });
    expect(await answer(server, "/v1/reviews", { method: "DELETE" })).toMatchObject({
      status: 405,
      body: { code: "method_not_allowed" },
    });
    expect(await answer(server, "/v1/reviews", { method: "POST", body: "{" })).toMatchObject({
      status: 400,
      body: { code: "malformed_json" },
    });
    expect(await answer(server, "/v1/repositories")).toMatchObject({
      status: 200,
      body: { data: [{ name: "acme/shop", auto_review: false, reviews_count: 0 }] },
    });
    expect(await answer(server, "/v1/usage")).toMatchObject({
      status: 200,
      body: { credits: { total: 1000 } },
    });
    expect(await answer(server, "/healthz")).toMatchObject({ status: 200 });
    expect(await (await server.fetch("/metrics")).text()).toContain("# TYPE");
  });

  test("serves the API reference whole, without any outside address", async () => {
    await using installation = await installMoved();
    const server = await installation.serve();
    const page = await (await server.fetch("/swagger")).text();
    const assets = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address = ""]) => address);
    expect(assets.length).toBeGreaterThan(1);
    for (const address of assets.filter((one) => !one.startsWith("data:"))) {
      expect(address).not.toMatch(/^(https?:)?\/\//);
      const asset = await server.fetch(new URL(address, "http://any/swagger").pathname);
      expect(asset.status).toBe(200);
      expect((await asset.bytes()).length).toBeGreaterThan(100);
    }
    const document = (await server.get("/swagger/json")) as { openapi: string; paths: object };
    expect(document.openapi).toStartWith("3.");
    expect(Object.keys(document.paths)).toContain("/v1/reviews");
  });

  test("reviews a real pull request", async () => {
    await using installation = await installMoved();
    await enableShop(installation, shop.urlTemplate);
    const server = await installation.serve();
    expect(rulesOf(await reviewed(server, await ask(server)))).toEqual(shopFindings);
  });

  test("reviews a local range with no server at all", async () => {
    await using installation = await installMoved();
    const output = await installation.run(
      ...["review", "--local", "main..refs/pull/1/head", "--repo", shop.directory, "--format", "json"],
    );
    const { comments } = JSON.parse(output) as Review;
    expect(rulesOf({ status: "completed", comments })).toEqual(shopFindings);
  });

  test("keeps everything in PostgreSQL when it is told to", async () => {
    await using database = await emptyDatabases.postgres();
    await using installation = await installMoved({ PLUMBLINE_DATABASE_URL: database.databaseUrl ?? "" });
    await enableShop(installation, shop.urlTemplate);
    const server = await installation.serve();
    expect(rulesOf(await reviewed(server, await ask(server)))).toEqual(shopFindings);
    expect(await server.kill("SIGTERM")).toBe(0);
  });

  test("finishes the review that runs when it is asked to stop", async () => {
    const arrived = Promise.withResolvers<void>();
    const mayGoOn = Promise.withResolvers<void>();
    await using gitServer = startGitHttpServer({
      root: shop.root,
      intercept: async () => {
        arrived.resolve();
        await mayGoOn.promise;
        return undefined;
      },
    });
    await using installation = await installMoved();
    await enableShop(installation, gitServer.urlTemplate);
    const first = await installation.serve();
    const id = await ask(first);
    await arrived.promise;
    const ended = first.kill("SIGTERM");
    mayGoOn.resolve();
    expect(await ended).toBe(0);

    const second = await installation.serve();
    expect(await second.get(`/v1/reviews/${id}`)).toMatchObject({ status: "completed" });
  });
});

interface Review {
  status: string;
  comments: readonly { path: string; line: number; rule: string }[];
}

const shopFindings = [
  "src/cart.ts:2 rules/js/debugger",
  "src/cart.ts:3 rules/js/eval",
  "tools/sync.py:4 rules/py/shell-injection",
];

function installMoved(environment: Record<string, string> = {}): Promise<Installation> {
  return install({ program: [executable], folderHolds: hostile, environment });
}

async function enableShop(installation: Installation, urlTemplate: string): Promise<void> {
  await installation.run("hosts", "add", "git", "--name", "local", "--url", urlTemplate);
  await installation.run("repos", "enable", "acme/shop", "--host", "local");
}

async function ask(server: ServerProcess): Promise<string> {
  const { status, body } = await server.post("/v1/reviews", { repository: "acme/shop", pull_request: 1 });
  expect(status).toBe(202);
  return (body as { id: string }).id;
}

async function reviewed(server: ServerProcess, id: string): Promise<Review> {
  for (;;) {
    const review = (await server.get(`/v1/reviews/${id}`)) as Review;
    if (review.status !== "processing") return review;
    await Bun.sleep(20);
  }
}

function rulesOf({ status, comments }: Review): string[] {
  expect(status).toBe("completed");
  return comments.map(({ path, line, rule }) => `${path}:${line} ${rule}`).sort();
}

async function answer(server: ServerProcess, path: string, init?: RequestInit) {
  const response = await server.fetch(path, init);
  return { status: response.status, body: (await response.json()) as unknown };
}
