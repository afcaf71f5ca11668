/** The process settings as options of a command. */
import { type Command, Option } from "commander";
import { type SettingFlags, settingNames, settings } from "../config.ts";

/** Adds the flags of every setting, or of those that matter without a server. */
export function addSettingOptions(command: Command, which: "all" | "offline"): Command {
  for (const name of settingNames) {
    const { flag, placeholder, doc, environment, serveOnly } = settings[name];
    if (which === "offline" && serveOnly) continue;
    const description = `${doc} [${environment}]`;
    command.addOption(new Option(`${flag} <${placeholder}>`, description).helpGroup("Settings:"));
  }
  return command;
}

/** What of a command's options are settings; Commander names them as the table does. */
export function settingFlags(options: Readonly<Record<string, unknown>>): SettingFlags {
  return Object.fromEntries(
    settingNames.flatMap((name) => (typeof options[name] === "string" ? [[name, options[name]]] : [])),
  );
}
