import type { Logger } from "../../src/domain/runtime.ts";

/** Writes each event as a line: `warn review failed Error: no luck`. */
export function recordingLogger(lines: string[]): Logger {
  const write =
    (level: string) =>
    (message: string, fields: Readonly<Record<string, unknown>> = {}) => {
      const error = fields.error === undefined ? "" : ` ${String(fields.error)}`;
      lines.push(`${level} ${message}${error}`);
    };
  return { debug: write("debug"), info: write("info"), warn: write("warn"), error: write("error") };
}
