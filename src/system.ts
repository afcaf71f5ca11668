/** The real clock, ids and logger: the one place that asks the machine what time it is. */
import { writeSync } from "node:fs";
import { pino } from "pino";
import type { Clock, IdPrefix, Ids, LogFields, Logger } from "./domain/runtime.ts";

export const systemClock: Clock = {
  now: () => new Date(),
  monotonicMs: () => performance.now(),
};

const crockford = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const timeDigits = 10;
const randomDigits = 16;

/** ULIDs (github.com/ulid/spec), monotonic in this process even when the clock stands still or runs backwards. */
export function createIds(clock: Clock): Ids {
  let lastMs = -1;
  let time = "";
  /** Of 5 bits each: every request has an id, and numbers of 80 bits are slow. */
  const random = new Uint8Array(randomDigits);

  function enter(ms: number): void {
    lastMs = ms;
    time = encodeTime(ms);
    for (const [at, byte] of crypto.getRandomValues(new Uint8Array(randomDigits)).entries()) {
      random[at] = byte & 31;
    }
  }

  return {
    next(prefix: IdPrefix): string {
      const nowMs = clock.now().getTime();
      if (nowMs > lastMs) enter(nowMs);
      else if (!increment(random)) enter(lastMs + 1);
      let id = `${prefix}_${time}`;
      for (const digit of random) id += crockford.charAt(digit);
      return id;
    },
    randomBytes: (length) => crypto.getRandomValues(new Uint8Array(length)),
  };
}

function encodeTime(ms: number): string {
  let text = "";
  for (let rest = ms; text.length < timeDigits; rest = Math.floor(rest / 32)) {
    text = crockford.charAt(rest % 32) + text;
  }
  return text;
}

/** Adds 1; false when the digits ran over. */
function increment(digits: Uint8Array): boolean {
  for (let at = digits.length - 1; at >= 0; at -= 1) {
    const digit = (digits[at] ?? 0) + 1;
    digits[at] = digit & 31;
    if (digit < 32) return true;
  }
  return false;
}

export const logLevels = ["debug", "info", "warn", "error"] as const;
export type LogLevel = (typeof logLevels)[number];
export const logFormats = ["json", "pretty"] as const;
export type LogFormat = (typeof logFormats)[number];

export interface SystemLogger extends Logger {
  /** From now on the log shows `[concealed]` where this value stood, in messages and fields alike. */
  conceal(secret: string): void;
}

/** A shorter value could stand in a log for many other things. */
const concealedLengthMin = 8;

/**
 * One line an event on standard error (or wherever `write` puts it). What a secret-looking field holds is left out by the
 * field's name; what was given to `conceal` is left out wherever it appears.
 */
export function createLogger(options: {
  level: LogLevel;
  format: LogFormat;
  write?: (line: string) => void;
}): SystemLogger {
  const concealed = new Set<string>();
  const write = options.write ?? ((line: string) => writeWhole(2, line));
  const sink = {
    write(line: string): void {
      let shown = line;
      for (const secret of concealed) shown = shown.replaceAll(secret, "[concealed]");
      write(options.format === "pretty" ? prettyLine(shown) : shown);
    },
  };
  const logger = pino(
    {
      level: options.level,
      base: null,
      timestamp: () => `,"time":"${systemClock.now().toISOString()}"`,
      formatters: { level: (level) => ({ level }) },
      messageKey: "message",
      serializers: { err: (value: unknown) => value },
    },
    sink,
  );
  return {
    debug: (message, fields) => logger.debug(loggable(fields), message),
    info: (message, fields) => logger.info(loggable(fields), message),
    warn: (message, fields) => logger.warn(loggable(fields), message),
    error: (message, fields) => logger.error(loggable(fields), message),
    conceal(secret) {
      if (secret.length < concealedLengthMin) return;
      concealed.add(secret);
      concealed.add(JSON.stringify(secret).slice(1, -1));
    },
  };
}

const readerPatienceMs = 100;

/**
 * Writes to standard output (1) or standard error (2) before it answers, so that nothing is lost when the process ends. A
 * reader of the output that went away (`| head`) ends the process quietly. What the log's reader does not take in time, or
 * at all, is dropped: nobody's terminal stops the service.
 */
export function writeWhole(fd: 1 | 2, text: string): void {
  let rest: Uint8Array = new TextEncoder().encode(text);
  const deadline = performance.now() + readerPatienceMs;
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(fd, rest));
    } catch (error) {
      const code = error instanceof Error && "code" in error ? error.code : undefined;
      if (code === "EAGAIN" && (fd === 1 || performance.now() < deadline)) Bun.sleepSync(1);
      else if (fd === 2) return;
      else if (code === "EPIPE") process.exit(0);
      else throw error;
    }
  }
}

const secretName = /secret|password|passphrase|authorization|cookie|credential|private_?key|api_?key|token$/i;
const depthMax = 6;

function loggable(fields: LogFields = {}): Record<string, unknown> {
  return withoutSecrets(fields, 0) as Record<string, unknown>;
}

function withoutSecrets(value: unknown, depth: number): unknown {
  if (typeof value === "bigint") return value.toString();
  if (typeof value !== "object" || value === null || value instanceof Date) return value;
  if (depth >= depthMax) return "[…]";
  if (value instanceof Error) return withoutSecrets(errorFields(value), depth);
  if (Array.isArray(value)) return value.map((item) => withoutSecrets(item, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, held]) => [
      name,
      secretName.test(name) && held !== null ? "[concealed]" : withoutSecrets(held, depth + 1),
    ]),
  );
}

function errorFields(error: Error): Record<string, unknown> {
  return {
    type: error.name,
    message: error.message,
    stack: error.stack,
    ...("kind" in error ? { kind: error.kind } : {}),
    ...("code" in error ? { code: error.code } : {}),
    ...(error.cause === undefined ? {} : { cause: error.cause }),
  };
}

/** `09:41:07.120 warn  retrying the delivery  attempt=2` */
function prettyLine(line: string): string {
  const { time, level, message, ...fields } = JSON.parse(line) as Record<string, unknown>;
  const rest = Object.entries(fields).map(([name, value]) => `${name}=${prettyValue(value)}`);
  return `${[String(time).slice(11, 23), String(level).padEnd(5), message, ...rest].join("  ")}\n`;
}

function prettyValue(value: unknown): string {
  if (typeof value !== "object" || value === null) return String(value);
  const stack = "stack" in value ? value.stack : undefined;
  return typeof stack === "string" ? stack : JSON.stringify(value);
}
