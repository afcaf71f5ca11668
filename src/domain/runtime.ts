/** What every other contract takes for granted: time, ids, randomness, logging. All of them are arguments. */

export interface Clock {
  /** The wall clock, UTC. */
  now(): Date;
  /** Milliseconds that never run backwards; for durations and deadlines inside one process. */
  monotonicMs(): number;
}

/** Prefixes of the ids that are seen from outside. */
export type IdPrefix =
  | "rev"
  | "repo"
  | "org"
  | "usr"
  | "mbr"
  | "inv"
  | "acc"
  | "ses"
  | "ver"
  | "key"
  | "host"
  | "req"
  | "whe"
  | "ep"
  | "msg"
  | "dlv"
  | "att"
  | "job"
  | "cmt"
  | "crd";

export interface Ids {
  /** `<prefix>_` and 26 Crockford base32 digits (a ULID): ids made later sort later, within one millisecond too. */
  next(prefix: IdPrefix): string;
  /** `length` bytes from the system's secure random source. */
  randomBytes(length: number): Uint8Array;
}

export type LogFields = Readonly<Record<string, unknown>>;

export interface Logger {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
}
