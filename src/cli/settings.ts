import { type Command, Option } from "commander";
import { changeSettings, getSettings } from "../admin/instance-settings.ts";
import { adminAction, given, type Result } from "./admin-command.ts";
import type { Cli } from "./cli.ts";
import { table } from "./table.ts";

/** Settings of the whole instance that are kept in the database; those of the process are flags and environment. */
export function addSettings(program: Command, cli: Cli): void {
  const settings = program.command("settings").description("what holds for the whole instance");

  adminAction(settings.command("show").description("show the settings"), cli, async (admin) =>
    shown(await admin.run(getSettings, {})),
  );

  adminAction<{ metricsOpen?: "yes" | "no" }>(
    settings
      .command("set")
      .description("change settings")
      .addOption(
        new Option("--metrics-open <yes-or-no>", "whether other machines may read /metrics").choices([
          "yes",
          "no",
        ]),
      ),
    cli,
    async (admin, { metricsOpen }) =>
      shown(
        await admin.run(
          changeSettings,
          given({ metrics_open: metricsOpen === undefined ? undefined : metricsOpen === "yes" }),
        ),
      ),
  );
}

function shown(settings: { metrics_open: boolean }): Result {
  const row = ["metrics-open", settings.metrics_open ? "yes" : "no"];
  return { document: settings, text: table(["SETTING", "VALUE"], [row]) };
}
