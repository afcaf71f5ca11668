/** From arguments to an exit code. Nothing here ends the process, so that tests can run it in theirs. */
import { Command } from "commander";
import { loadConfig } from "../config.ts";
import { version } from "../version.ts";
import { withAdmin } from "./admin.ts";
import { addBench } from "./bench.ts";
import { type Cli, type ExitCode, exitCodes } from "./cli.ts";
import { addEndpoint } from "./endpoint.ts";
import { reportError } from "./errors.ts";
import { addHosts } from "./hosts.ts";
import type { Io } from "./io.ts";
import { addKeys } from "./keys.ts";
import { addOpenapi } from "./openapi.ts";
import { addPlans } from "./plans.ts";
import { addRepos } from "./repos.ts";
import { addReview } from "./review.ts";
import { addRules } from "./rules.ts";
import { readSecret } from "./secret-file.ts";
import { addServe } from "./serve.ts";
import { addSettings } from "./settings.ts";
import { addSetup } from "./setup.ts";
import { addVersion } from "./version.ts";

/** `argv` is without the program's name. */
export async function run(argv: readonly string[], io: Io): Promise<ExitCode> {
  let exitCode: ExitCode = exitCodes.done;
  const cli = createCli(io, (code) => {
    exitCode = code;
  });
  try {
    await createProgram(cli).parseAsync([...argv], { from: "user" });
    return exitCode;
  } catch (error) {
    return reportError(error, io);
  }
}

function createCli(io: Io, exitWith: Cli["exitWith"]): Cli {
  const config: Cli["config"] = (flags) => loadConfig(flags, io.surroundings, { logLevel: "warn" });
  return {
    io,
    config,
    exitWith,
    withAdmin: (flags, work) => withAdmin(config(flags), work),
    readSecret: (path) => readSecret(path, io),
  };
}

/** The whole command line. Every command is added in its own file. */
export function createProgram(cli: Cli): Command {
  const program = new Command("plumbline")
    .description("Automated code review that an organization runs itself.")
    .version(version)
    .exitOverride()
    .showHelpAfterError()
    .configureOutput({ writeOut: cli.io.stdout, writeErr: cli.io.stderr });
  addServe(program, cli);
  addSetup(program, cli);
  addReview(program, cli);
  addKeys(program, cli);
  addHosts(program, cli);
  addRepos(program, cli);
  addEndpoint(program, cli);
  addPlans(program, cli);
  addRules(program, cli);
  addSettings(program, cli);
  addBench(program, cli);
  addOpenapi(program, cli);
  addVersion(program, cli);
  return program;
}
