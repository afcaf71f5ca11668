import type { Command } from "commander";
import { loadConfig } from "../config.ts";
import { becomeOwnerOf } from "./become-owner.ts";
import type { Cli } from "./cli.ts";
import { addSettingOptions, settingFlags } from "./setting-options.ts";

const setupHint = `Nothing is set up yet. In another terminal, with the same settings:
    plumbline setup --org NAME --admin-email ADDRESS --admin-password-file FILE
`;

export function addServe(program: Command, cli: Cli): void {
  const serve = program.command("serve").description("run the service until it is asked to stop");
  addSettingOptions(serve, "all").action(async (options: Record<string, unknown>) => {
    const config = loadConfig(settingFlags(options), cli.io.surroundings);
    // From here on: a signal during the start is not lost.
    const asked = cli.io.untilAskedToStop();
    const { startApp } = await import("../app.ts");
    becomeOwnerOf(config.dataDir);
    const app = await startApp(config);
    cli.io.stdout(`Plumbline listens on ${app.address}\n`);
    if (!(await app.isSetUp())) cli.io.stderr(setupHint);
    await asked;
    await app.stop();
  });
}
