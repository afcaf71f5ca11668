/** What every command is given beside its own arguments. */
import type { Config, SettingFlags } from "../config.ts";
import type { Admin } from "./admin.ts";
import type { Io } from "./io.ts";

export const exitCodes = {
  done: 0,
  failed: 1,
  wrongUsage: 2,
  /** `review --local` found something at or above `--fail-on`. */
  found: 3,
} as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

export interface Cli {
  io: Io;
  /** The settings for a command other than `serve`: it logs warnings only, unless told otherwise. */
  config(flags: SettingFlags): Config;
  /** The operations of the running server, or without one those of the store itself. */
  withAdmin<T>(flags: SettingFlags, work: (admin: Admin) => Promise<T>): Promise<T>;
  /** The text behind `--secret-file F`; `-` is standard input. One trailing newline is no part of it. */
  readSecret(path: string): Promise<string>;
  exitWith(code: ExitCode): void;
}
