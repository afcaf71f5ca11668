import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { rmSync } from "node:fs";
import { run } from "../../src/cli/run.ts";
import { processSurroundings } from "../../src/config.ts";
import { temporaryFolder } from "../support/databases.ts";
import { aRepository } from "../support/git-repository.ts";
import { install, type Plumbline } from "./plumbline.ts";

setDefaultTimeout(60_000);

const before = { "src/cart.ts": "export const total = 1;\n" };
const after = {
  "src/cart.ts": "export const total = 1;\nexport function run(input: string) {\n  return eval(input);\n}\n",
};

async function aPullRequest() {
  return aRepository().commit(before).pullRequest(7, after).create("acme/shop");
}

describe("plumbline review --local", () => {
  test("reviews a range with no server, no set-up and no data folder", async () => {
    await using repository = await aPullRequest();
    await using plumbline = await install();
    const outcome = await plumbline.run("review", ...local, "--repo", repository.directory);
    expect(outcome).toMatchObject({ code: 0, stderr: "" });
    expect(outcome.stdout).toStartWith(
      "main..refs/pull/7/head: 1 comment\n\nsrc/cart.ts:3  high security rules/js/eval\n",
    );
    expect(await Bun.$`ls ${plumbline.folder}`.text()).toBe("");
  });

  test("ends with 3 when a comment is at least as serious as --fail-on, after printing it", async () => {
    await using repository = await aPullRequest();
    await using plumbline = await install();
    const command = ["review", ...local, "--repo", repository.directory, "--fail-on"];
    for (const [severity, code] of [
      ["critical", 0],
      ["high", 3],
      ["low", 3],
    ] as const) {
      const outcome = await plumbline.run(...command, severity);
      expect({ severity, code: outcome.code }).toEqual({ severity, code });
      expect(outcome.stdout).toContain("src/cart.ts:3");
    }
  });

  test("is a JSON document on request, with the fields of the API", async () => {
    await using repository = await aPullRequest();
    await using plumbline = await install();
    const text = await plumbline.answer(
      "review",
      ...local,
      "--repo",
      repository.directory,
      "--format",
      "json",
    );
    expect(JSON.parse(text)).toEqual({
      range: "main..refs/pull/7/head",
      base_sha: await repository.sha("main"),
      head_sha: await repository.sha("refs/pull/7/head"),
      summary: expect.any(String),
      comments: [
        {
          ...{ path: "src/cart.ts", line: 3, start_line: null, severity: "high", category: "security" },
          ...{ message: expect.any(String), suggestion: null, rule: "rules/js/eval", cwe: 95 },
          fingerprint: expect.any(String),
        },
      ],
      metrics: { files_analyzed: 1, tokens_used: 0, duration_seconds: expect.any(Number) },
    });
  });

  test("looks at what it is told to look at", async () => {
    await using repository = await aPullRequest();
    await using plumbline = await install();
    const command = ["review", ...local, "--repo", repository.directory, "--format", "json"];
    const comments = async (...options: string[]) =>
      JSON.parse(await plumbline.answer(...command, ...options)).comments.length;
    expect(await comments("--threshold", "critical")).toBe(0);
    expect(await comments("--focus", "testing", "performance")).toBe(0);
    expect(await comments("--focus", "security")).toBe(1);
  });

  test.each([
    ["a revision that is not there", ["--local", "nope..main"], "nope"],
    ["a folder without a repository", ["--local", "a..b", "--repo", "/"], "no Git repository"],
  ])("fails for %s, and says so", async (_what, options, cause) => {
    await using repository = await aPullRequest();
    await using plumbline = await install();
    const outcome = await plumbline.run("review", "--repo", repository.directory, ...options);
    expect(outcome).toMatchObject({ code: 1, stdout: "" });
    expect(outcome.stderr).toContain(cause);
  });
});

describe.each([["while a server runs", true] as const, ["without a server", false] as const])(
  "plumbline review acme/shop#7 --wait, %s",
  (_when, served) => {
    test("prints the finished review, which stays on the server", async () => {
      await using repository = await aPullRequest();
      await using plumbline = await installed(repository.urlTemplate);
      if (served) await plumbline.serve();
      const outcome = await plumbline.run(
        "review",
        "acme/shop#7",
        "--wait",
        "--format",
        "json",
        "--fail-on",
        "high",
      );
      expect(outcome.code).toBe(3);
      expect(JSON.parse(outcome.stdout)).toMatchObject({
        id: expect.stringMatching(/^rev_/),
        ...{ repository: "acme/shop", pull_request: 7, status: "completed", error: null },
        head_sha: await repository.sha("refs/pull/7/head"),
        comments: [{ path: "src/cart.ts", line: 3, rule: "rules/js/eval" }],
      });
      expect(JSON.parse(await plumbline.answer("repos", "list", "--json"))).toMatchObject([
        { reviews_count: 1 },
      ]);
    });

    test("fails with the cause when the review does", async () => {
      await using repository = await aPullRequest();
      await using plumbline = await installed(repository.urlTemplate);
      if (served) await plumbline.serve();
      const outcome = await plumbline.run("review", "acme/shop#8", "--wait");
      expect(outcome).toMatchObject({ code: 1, stdout: "" });
      expect(outcome.stderr).toContain("The review of acme/shop#8 failed (pull_request_not_found): ");
    });
  },
);

test("plumbline review without --wait prints the id; without a server the review waits for one", async () => {
  await using repository = await aPullRequest();
  await using plumbline = await installed(repository.urlTemplate);
  const outcome = await plumbline.run("review", "acme/shop#7");
  expect(outcome.stdout).toMatch(/^rev_[0-9A-Z]{26}\n$/);
  expect(outcome.stderr).toContain("waits until one does");
  const server = await plumbline.serve();
  const key = await plumbline.answer("keys", "create", "--name", "ci");
  const status = async () => {
    const headers = { authorization: `Bearer ${key}` };
    const response = await fetch(`${server.address}/v1/reviews/${outcome.stdout.trim()}`, { headers });
    return ((await response.json()) as { status: string }).status;
  };
  while ((await status()) === "processing") await Bun.sleep(50);
  expect(await status()).toBe("completed");
});

test("plumbline review refuses a repository that is not enabled", async () => {
  await using plumbline = await install();
  await plumbline.setsUp();
  const outcome = await plumbline.run("review", "acme/shop#7");
  expect(outcome).toMatchObject({ code: 1, stdout: "" });
  expect(outcome.stderr).toContain("acme/shop");
});

const local = ["--local", "main..refs/pull/7/head"];

async function installed(urlTemplate: string): Promise<Plumbline> {
  const plumbline = await install();
  await plumbline.setsUp();
  await plumbline.answer("hosts", "add", "git", "--name", "local", "--url", urlTemplate);
  await plumbline.answer("repos", "enable", "acme/shop");
  return plumbline;
}

test("plumbline review --local that is interrupted ends at once and leaves no temporary folder", async () => {
  await using repository = await aPullRequest();
  const temporary = temporaryFolder();
  const before = process.env.TMPDIR;
  process.env.TMPDIR = temporary;
  let said = "";
  try {
    const code = await run(["review", ...local, "--repo", repository.directory], {
      stdout: () => {},
      stderr: (text) => {
        said += text;
      },
      readStdin: async () => "",
      stdoutIsTerminal: false,
      surroundings: processSurroundings(),
      untilAskedToStop: async () => "SIGINT",
    });
    expect({ code, said }).toEqual({ code: 1, said: "plumbline: Interrupted.\n" });
    expect([...new Bun.Glob("**").scanSync({ cwd: temporary, onlyFiles: false })]).toEqual([]);
  } finally {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
    rmSync(temporary, { recursive: true });
  }
});
