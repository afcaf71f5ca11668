/** What a command has of the world outside: its streams, its settings' sources, and the signals that end it. */
import { processSurroundings, type Surroundings } from "../config.ts";
import { writeWhole } from "../system.ts";

export interface Io {
  /** The result alone. */
  stdout(text: string): void;
  /** Everything else. */
  stderr(text: string): void;
  readStdin(): Promise<string>;
  stdoutIsTerminal: boolean;
  surroundings: Surroundings;
  /** Resolves at the first SIGTERM or SIGINT; a second one ends the process at once. */
  untilAskedToStop(): Promise<NodeJS.Signals>;
}

export function processIo(): Io {
  return {
    stdout: (text) => writeWhole(1, text),
    stderr: (text) => writeWhole(2, text),
    readStdin: () => Bun.stdin.text(),
    stdoutIsTerminal: process.stdout.isTTY === true,
    surroundings: processSurroundings(),
    untilAskedToStop,
  };
}

const signalNumbers = { SIGINT: 2, SIGTERM: 15 } as const;

function untilAskedToStop(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let asked = false;
    for (const signal of ["SIGTERM", "SIGINT"] as const) {
      process.on(signal, () => {
        if (asked) process.exit(128 + signalNumbers[signal]);
        asked = true;
        resolve(signal);
      });
    }
  });
}
