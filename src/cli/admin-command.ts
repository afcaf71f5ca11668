/** What the commands that run an admin's operations have in common. */
import { type Command, InvalidArgumentError } from "commander";
import type { Admin } from "./admin.ts";
import type { Cli } from "./cli.ts";
import { addSettingOptions, settingFlags } from "./setting-options.ts";

/** A command's result, twice: for people and, by `--json`, for programs. */
export interface Result {
  /** Lines for people, each with its newline. */
  text: string;
  document: unknown;
  /** Something beside the result, for standard error. */
  note?: string;
}

/** `work` gets the command's options and its arguments, in the order of their declaration. */
export function adminAction<O>(
  command: Command,
  cli: Cli,
  work: (admin: Admin, options: O, ...args: string[]) => Promise<Result>,
): void {
  command.option("--json", "print a JSON document").showHelpAfterError("Add --help to see how it is used.");
  addSettingOptions(command, "offline").action(async (...given) => {
    const options = command.opts<O & { json?: true } & Record<string, unknown>>();
    const args = given.slice(0, -2) as string[];
    const result = await cli.withAdmin(settingFlags(options), (admin) => work(admin, options, ...args));
    if (result.note !== undefined) cli.io.stderr(`${result.note}\n`);
    cli.io.stdout(options.json ? `${JSON.stringify(result.document, null, 2)}\n` : result.text);
  });
}

type Given<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** Only what was given: an option that was left out is absent from an operation's input, not undefined. */
export function given<T extends object>(input: T): Given<T> {
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined)) as Given<T>;
}

/** For options that take a whole number from 0 on. */
export function wholeNumber(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("It must be a whole number.");
}

/** A whole number, or `plan` for what the plan says. */
export function wholeNumberOrPlan(text: string): number | "plan" {
  return text === "plan" ? "plan" : wholeNumber(text);
}
