import { describe, expect, test } from "bun:test";
import type { Command } from "commander";
import type { Io } from "../../src/cli/io.ts";
import { createProgram, run } from "../../src/cli/run.ts";

const commands = leaves(createProgram(unusedCli()), []);

describe("the command line", () => {
  test("has the documented commands", () => {
    expect(
      createProgram(unusedCli())
        .commands.map((command) => command.name())
        .sort(),
    ).toEqual(
      [
        "bench",
        "endpoint",
        "hosts",
        "keys",
        "openapi",
        "plans",
        "repos",
        "review",
        "rules",
        "serve",
        "settings",
        "setup",
        "version",
      ].sort(),
    );
  });

  test.each(commands.map((command) => [command.join(" "), command]))(
    "explains %s on request, on standard output",
    async (_name, command) => {
      const { code, stdout, stderr } = await typed([...command, "--help"]);
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      expect(stdout).toStartWith(`Usage: plumbline ${command.join(" ")}`);
    },
  );

  test.each([["--help"], ["help"], ["keys --help"]])("explains itself by %s", async (line) => {
    const { code, stdout } = await typed(line.split(" "));
    expect(code).toBe(0);
    expect(stdout).toContain("Commands:");
  });

  test.each([["version"], ["--version"]])("prints the version alone by %s", async (word) => {
    expect(await typed([word])).toEqual({
      code: 0,
      stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
      stderr: "",
    });
  });

  test("answers an unknown command with the list of those there are", async () => {
    const { code, stdout, stderr } = await typed(["revew"]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain("unknown command 'revew'");
    for (const name of ["serve", "setup", "keys", "hosts", "repos", "endpoint", "plans", "review"]) {
      expect(stderr).toContain(`\n  ${name} `);
    }
  });

  test.each([
    ["no command", ""],
    ["a group alone", "keys"],
    ["an unknown subcommand", "keys make"],
    ["an unknown option", "keys list --nope"],
    ["a missing option", "keys create"],
    ["a missing argument", "hosts add --name x --url y"],
    ["too many arguments", "keys list all"],
    ["an option's value that is not offered", "keys create --name x --role boss"],
    ["a number that is none", "keys create --name x --expires-in-days soon"],
    ["an option without its value", "keys create --name"],
    ["no pull request", "review"],
    ["a pull request and a range", "review acme/shop#7 --local a..b"],
    ["SARIF of a review that nobody waits for", "review acme/shop#7 --format sarif"],
    ["a threshold for a review that nobody waits for", "review acme/shop#7 --fail-on high"],
    ["a delivery and a time", "endpoint deliveries redeliver dlv_1 --failed-since 2026-11-21"],
    ["neither", "endpoint deliveries redeliver"],
    ["a port that is none", "serve --port 70000"],
    ["a password in an argument", "keys list --database-url postgres://u:hunter2hunter2@db/x"],
  ])("calls %s wrong usage, and prints no result", async (_what, line) => {
    const { code, stdout, stderr } = await typed(line.split(" ").filter((word) => word !== ""));
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).not.toBe("");
    expect(stderr).not.toContain("hunter2hunter2");
    expect(stderr).not.toContain("    at ");
  });

  test("takes no secret as an argument: there is no option for one", () => {
    const options = [...everyCommand(createProgram(unusedCli()))].flatMap((command) => command.options);
    const secretLike = options.filter(({ long }) => /secret|token|password/.test(long ?? ""));
    expect(secretLike.length).toBeGreaterThan(3);
    for (const { long, flags } of secretLike) {
      expect(long).toEndWith("-file");
      expect(flags).toMatch(/<(file|FILE)>$/);
    }
  });
});

async function typed(argv: readonly string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  let stdout = "";
  let stderr = "";
  const io: Io = {
    ...unusedIo(),
    stdout: (text) => {
      stdout += text;
    },
    stderr: (text) => {
      stderr += text;
    },
  };
  const code = await run(argv, io);
  return { code, stdout, stderr };
}

function unusedIo(): Io {
  const unused = () => {
    throw new Error("it went further than its arguments");
  };
  return {
    ...{ stdout: unused, stderr: unused, readStdin: unused, untilAskedToStop: unused },
    stdoutIsTerminal: false,
    surroundings: {
      ...{ environment: {}, environmentFile: null, systemWide: false },
      ...{ homeDirectory: "/nonexistent", stderrIsTerminal: false },
    },
  };
}

function unusedCli(): Parameters<typeof createProgram>[0] {
  const unused = () => {
    throw new Error("no command was run");
  };
  return { io: unusedIo(), config: unused, withAdmin: unused, readSecret: unused, exitWith: unused };
}

function* everyCommand(command: Command): Generator<Command> {
  yield command;
  for (const child of command.commands) yield* everyCommand(child);
}

function leaves(command: Command, path: readonly string[]): string[][] {
  if (command.commands.length === 0) return [[...path]];
  return command.commands.flatMap((child) => leaves(child, [...path, child.name()]));
}
