/** What went wrong, in a sentence, and the exit code that says of which sort it was. */
import { CommanderError } from "commander";
import { isAppError } from "../domain/errors.ts";
import { ReviewFailed } from "../domain/review.ts";
import { type ExitCode, exitCodes } from "./cli.ts";
import type { Io } from "./io.ts";
import { printable } from "./printable.ts";

export function reportError(error: unknown, io: Io): ExitCode {
  if (error instanceof CommanderError) {
    // Commander has said it already; asking for help or the version is no error.
    return error.exitCode === 0 ? exitCodes.done : exitCodes.wrongUsage;
  }
  if (isAppError(error) || error instanceof ReviewFailed) {
    io.stderr(`plumbline: ${printable(error.message)}\n`);
    return isAppError(error, "validation_failed") || isAppError(error, "bad_request")
      ? exitCodes.wrongUsage
      : exitCodes.failed;
  }
  io.stderr(`plumbline: ${printable(unexpected(error))}\n`);
  return exitCodes.failed;
}

/** With its stack: it is a fault of ours, and whoever reports it should be able to say where. */
function unexpected(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
