import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { statSync } from "node:fs";
import { join } from "node:path";
import { hasPostgres } from "../support/databases.ts";
import { theExecutable } from "../support/executable.ts";
import { install, type Plumbline, plumblineCommand, type Server } from "./plumbline.ts";

setDefaultTimeout(60_000);

const databases = hasPostgres() ? (["sqlite", "postgres"] as const) : (["sqlite"] as const);
const situations = databases.flatMap((on) => [
  [on, "while the server runs", true] as const,
  [on, "while it does not", false] as const,
]);

describe.each(situations)("on %s, %s", (on, _when, served) => {
  test("an installation is set up and administered from a script", async () => {
    await using plumbline = await install({ on });
    if (served) await plumbline.serve();

    const setup = await setsUp(plumbline);
    expect(setup).toMatchObject({ code: 0, stdout: "acme\n" });
    const again = await setsUp(plumbline);
    expect(again).toMatchObject({ code: 1, stdout: "" });
    expect(again.stderr).toBe("plumbline: Plumbline is set up already, for the organization acme.\n");

    const { answer } = plumbline;
    expect(await answer("keys", "create", "--name", "ci")).toMatch(/^plk_[0-9A-Za-z]{36}$/);
    const key = JSON.parse(await answer("keys", "create", "--name", "ops", "--role", "admin", "--json"));
    expect(key).toMatchObject({ name: "ops", role: "admin", key: expect.stringMatching(/^plk_/) });
    expect(JSON.parse(await answer("keys", "list", "--json"))).toMatchObject([
      { name: "ci" },
      { name: "ops" },
    ]);
    expect(await answer("keys", "revoke", "ops")).toBe(key.id);

    const template = "file:///srv/git/{repository}.git";
    expect(await answer("hosts", "add", "git", "--name", "local", "--url", template)).toMatch(/^host_/);
    expect(await answer("repos", "enable", "acme/shop", "--host", "local", "--auto-review")).toMatch(
      /^repo_/,
    );
    expect(JSON.parse(await answer("repos", "list", "--json"))).toMatchObject([
      { name: "acme/shop", host: "local", auto_review: true },
    ]);
    expect(await answer("plans", "set", "team", "--credits", "7", "--requests-per-hour", "70")).toContain(
      "team",
    );
    expect(JSON.parse(await answer("plans", "show", "--json"))).toMatchObject({ credits_per_month: 7 });
    expect(await answer("endpoint", "set", "--url", "http://127.0.0.1:9/hook")).toMatch(/^whsec_/);
    expect(await answer("endpoint", "allow", "10.0.0.0/8")).toBe("10.0.0.0/8");
    expect(await answer("repos", "disable", "acme/shop")).toMatch(/^repo_/);
    expect(JSON.parse(await answer("settings", "set", "--metrics-open", "yes", "--json"))).toEqual({
      metrics_open: true,
    });
    expect(await answer("settings", "show")).toContain("yes");
  });
});

describe("a running server", () => {
  test("acts on what a command changes within a second", async () => {
    await using plumbline = await install();
    const server = await plumbline.serve();
    await plumbline.setsUp();
    const key = await plumbline.answer("keys", "create", "--name", "ci");
    expect((await listReviews(server, key)).status).toBe(200);
    await plumbline.answer("keys", "revoke", "ci");
    await until(async () => (await listReviews(server, key)).status === 401, 1_000);
  });

  test("acts on what a command on another machine changes in a shared database", async () => {
    await using plumbline = await install({ on: databases.at(-1) ?? "sqlite" });
    await plumbline.setsUp();
    const server = await plumbline.serve();
    const key = await plumbline.answer("keys", "create", "--name", "ci");
    expect((await listReviews(server, key)).status).toBe(200);
    // With PostgreSQL, a data folder of its own is all that another machine has.
    if (plumbline.databaseUrl !== null)
      plumbline.environment.PLUMBLINE_DATA_DIR = join(plumbline.folder, "elsewhere");
    await plumbline.answer("keys", "revoke", "ci");
    await until(async () => (await listReviews(server, key)).status === 401, 1_000);
  });
});

describe("without a server", () => {
  test("commands that come at the same time wait for each other", async () => {
    await using plumbline = await install();
    await plumbline.setsUp();
    const keys = await Promise.all(
      Array.from({ length: 4 }, (_, i) => plumbline.answer("keys", "create", "--name", `k${i}`)),
    );
    expect(new Set(keys).size).toBe(4);
    expect(JSON.parse(await plumbline.answer("keys", "list", "--json"))).toHaveLength(4);
  });

  test("root leaves nothing in the folder that its owner could not use", async () => {
    // Compiled: whoever root becomes need not be able to read a checkout of root's.
    await using plumbline = await install({ program: [await theExecutable()] });
    await plumbline.setsUp();
    const root = process.getuid?.() === 0;
    const owner = root ? 65_534 : statSync(plumbline.dataDir).uid;
    await Bun.$`chown -R ${owner} ${plumbline.dataDir} ${plumbline.keyFile} && chmod 755 ${plumbline.folder}`.quiet();
    await plumbline.answer("keys", "create", "--name", "ci");
    const owners = await Bun.$`find ${plumbline.dataDir} -printf '%U\n' | sort -u`.text();
    expect(owners.trim()).toBe(String(owner));
  });
});

test("no variable of a library starts its telemetry", async () => {
  const asked: string[] = [];
  const collector = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: ({ url }) => new Response(asked[asked.push(url)]),
  });
  try {
    const endpoint = `http://127.0.0.1:${collector.port}/`;
    const environment = { BETTER_AUTH_TELEMETRY: "1", BETTER_AUTH_TELEMETRY_ENDPOINT: endpoint };
    await using plumbline = await install({ environment });
    await plumbline.setsUp();
    expect(asked).toEqual([]);
  } finally {
    await collector.stop(true);
  }
});

describe("standard output", () => {
  const shell = (line: string) =>
    Bun.$`sh -c ${line}`
      .env({ ...process.env, PLUMBLINE: plumblineCommand })
      .nothrow()
      .quiet();

  test("that is full makes the command fail: a script must not go on with half a result", async () => {
    const { exitCode, stderr } = await shell("$PLUMBLINE openapi > /dev/full");
    expect(exitCode).toBe(1);
    expect(stderr.toString()).toContain("ENOSPC");
  });

  test("that nobody reads to its end is no failure", async () => {
    const { stdout, stderr } = await shell("{ $PLUMBLINE openapi; echo $? >&2; } | head -c 1");
    expect(stdout.toString()).toBe("{");
    expect(stderr.toString()).toBe("0\n");
  });
});

describe("secrets", () => {
  test("come from a file or from standard input, and lose one trailing newline", async () => {
    await using plumbline = await install();
    const org = ["--org", "acme", "--admin-email", "ada@acme.example", "--admin-password-file"];
    const { code } = await plumbline.runWith("correct horse battery\n", "setup", ...org, "-");
    expect(code).toBe(0);
    const given = plumbline.file("secret", "hunter2hunter2\n");
    const set = await plumbline.run(
      "endpoint",
      "set",
      "--url",
      "http://127.0.0.1:9/",
      "--secret-file",
      given,
    );
    // A secret that was given is not repeated.
    expect(set).toMatchObject({ code: 0, stdout: "" });
    const template = "https://git.example/{repository}.git";
    const host = await plumbline.runWith("hunter2hunter2", ...hosts("corp", template), "--token-file", "-");
    expect(host.code).toBe(0);
    expect(JSON.parse(await plumbline.answer("hosts", "list", "--json"))).toMatchObject([
      { has_token: true },
    ]);
  });

  test.each([
    ["a file that is not there", "/nonexistent/secret", ""],
    ["an empty standard input", "-", ""],
    ["a lone newline", "-", "\n"],
  ])("are missed in %s: wrong usage", async (_what, file, stdin) => {
    await using plumbline = await install();
    const setup = ["setup", "--org", "acme", "--admin-email", "a@b.c", "--admin-password-file", file];
    const outcome = await plumbline.runWith(stdin, ...setup);
    expect(outcome).toMatchObject({ code: 2, stdout: "" });
    expect(outcome.stderr).toStartWith("plumbline: ");
  });
});

describe("a command that cannot be done", () => {
  test.each<[string, string[], number, string]>([
    ["before set-up", ["keys", "list"], 1, "run: plumbline setup"],
    ["with a repository that is none", ["repos", "enable", "shop"], 1, "not set up yet"],
    ["with a pull request that is none", ["review", "acme/shop"], 2, "acme/shop#7"],
    [
      "with an unknown kind of host",
      ["hosts", "add", "svn", "--name", "x", "--url", "y"],
      2,
      "the kinds are git",
    ],
  ])("says why %s, and prints nothing else", async (_what, command, code, cause) => {
    await using plumbline = await install();
    const outcome = await plumbline.run(...command);
    expect(outcome).toMatchObject({ code, stdout: "" });
    expect(outcome.stderr).toContain(cause);
    expect(outcome.stderr).not.toContain("    at ");
  });

  test.each([
    ["an unknown variable", { PLUMBLINE_PROT: "1" }, "PLUMBLINE_PROT"],
    ["a bad value", { PLUMBLINE_LOG_LEVEL: "loud" }, "PLUMBLINE_LOG_LEVEL"],
    ["a folder that cannot be", { PLUMBLINE_DATA_DIR: "/dev/null/x" }, "/dev/null/x cannot be used"],
  ])("names %s", async (_what, environment, named) => {
    await using plumbline = await install({ environment });
    const outcome = await plumbline.run("keys", "list");
    expect(outcome.code).not.toBe(0);
    expect(outcome.stdout).toBe("");
    expect(outcome.stderr).toContain(named);
  });
});

function hosts(name: string, url: string): string[] {
  return ["hosts", "add", "git", "--name", name, "--url", url];
}

function setsUp(plumbline: Plumbline) {
  const file = plumbline.file("password", "correct horse battery\n");
  const owner = ["--admin-email", "ada@acme.example", "--admin-password-file", file];
  return plumbline.run("setup", "--org", "acme", ...owner);
}

function listReviews(server: Server, key: string): Promise<Response> {
  return fetch(`${server.address}/v1/reviews`, { headers: { authorization: `Bearer ${key}` } });
}

async function until(condition: () => Promise<boolean>, withinMs: number): Promise<void> {
  const deadline = performance.now() + withinMs;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`not within ${withinMs} ms`);
    await Bun.sleep(20);
  }
}
