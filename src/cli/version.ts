import type { Command } from "commander";
import { version } from "../version.ts";
import type { Cli } from "./cli.ts";

export function addVersion(program: Command, cli: Cli): void {
  program
    .command("version")
    .description("print the version")
    .option("--json", "print a JSON document")
    .action(({ json }: { json?: true }) => {
      cli.io.stdout(`${json ? JSON.stringify({ version }) : version}\n`);
    });
}
