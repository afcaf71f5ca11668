import type { Command } from "commander";
import { commit, version } from "../version.ts";
import type { Cli } from "./cli.ts";

export function addVersion(program: Command, cli: Cli): void {
  program
    .command("version")
    .description("print the version")
    .option("--json", "print a JSON document, the commit in it")
    .action(({ json }: { json?: true }) => {
      cli.io.stdout(`${json ? JSON.stringify({ version, commit }) : version}\n`);
    });
}
