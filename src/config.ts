/**
 * Every process setting: what it means, its default, its flag and its environment variable. Nothing else in the service
 * reads the environment. All other settings live in the database.
 */
import { existsSync, readFileSync, statSync } from "node:fs";
import { isIP } from "node:net";
import { homedir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import { FormatRegistry, type Static, type TSchema, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { AppError, type FieldError } from "./domain/errors.ts";

/** What the settings are read from, and what their defaults depend on. */
export interface Surroundings {
  environment: Readonly<Record<string, string | undefined>>;
  /** Lines of NAME=value that systemd's unit reads too; what the environment says goes first. Null = none. */
  environmentFile: string | null;
  /** Root, or the service's own user, who has the system's data folder: then the system's folders are used, else the user's. */
  systemWide: boolean;
  homeDirectory: string;
  stderrIsTerminal: boolean;
}

export function processSurroundings(): Surroundings {
  const systemUsers = [0, statSync("/var/lib/plumbline", { throwIfNoEntry: false })?.uid];
  const systemWide = systemUsers.includes(process.getuid?.() ?? -1);
  return {
    environment: process.env,
    environmentFile: systemWide ? "/etc/plumbline/plumbline.env" : null,
    systemWide,
    homeDirectory: homedir(),
    stderrIsTerminal: process.stderr.isTTY === true,
  };
}

/** better-auth takes settings of its own from the environment, telemetry among them. In this process there are none. */
export function dropForeignVariables(): void {
  const foreign = Object.keys(process.env).filter((name) => /^(BETTER_)?AUTH_/.test(name));
  for (const name of foreign) delete process.env[name];
}

interface Setting<S extends TSchema> {
  doc: string;
  environment: `PLUMBLINE_${string}`;
  flag: `--${string}`;
  /** What stands behind the flag in `--help`. */
  placeholder: string;
  schema: S;
  /** What a valid value is, for the message that refuses another. */
  expected: string;
  /** The default in words, for the documentation. */
  defaultDoc: string;
  default: (from: Surroundings) => Static<S>;
  /** From text to the schema's type; what cannot be parsed comes back as it is, for the schema to refuse. */
  parse: (text: string) => unknown;
  /** Only `serve` has the flag; the other commands have all the rest. */
  serveOnly: boolean;
  /** The value may hold a password: no message repeats it. */
  confidential: boolean;
}

function setting<S extends TSchema>(
  s: Omit<Setting<S>, "parse" | "serveOnly" | "confidential"> &
    Partial<Pick<Setting<S>, "parse" | "serveOnly" | "confidential">>,
): Setting<S> {
  return { parse: (text) => text, serveOnly: false, confidential: false, ...s };
}

const OneOf = <const T extends string>(values: readonly T[]) =>
  Type.Union(values.map((value) => Type.Literal(value)));
const absolutePath = (text: string): string => resolve(text);

export const settings = {
  host: setting({
    doc: "The address that `serve` listens on.",
    environment: "PLUMBLINE_HOST",
    flag: "--host",
    placeholder: "ADDRESS",
    schema: Type.String({ minLength: 1, pattern: "^[^\\s/]+$" }),
    expected: "a host name or an IP address",
    defaultDoc: "127.0.0.1",
    default: () => "127.0.0.1",
    serveOnly: true,
  }),
  port: setting({
    doc: "The port that `serve` listens on; 0 takes any free one, which is printed.",
    environment: "PLUMBLINE_PORT",
    flag: "--port",
    placeholder: "PORT",
    schema: Type.Integer({ minimum: 0, maximum: 65_535 }),
    expected: "a whole number from 0 to 65535",
    defaultDoc: "8080",
    default: () => 8080,
    parse: (text) => (/^\d{1,5}$/.test(text) ? Number(text) : text),
    serveOnly: true,
  }),
  siteUrl: setting({
    doc: "The address under which others reach the service; links in answers and webhooks start with it.",
    environment: "PLUMBLINE_SITE_URL",
    flag: "--site-url",
    placeholder: "URL",
    schema: Type.Union([Type.String({ format: "http-origin" }), Type.Null()]),
    expected: "an http or https address without path, query or user, such as https://plumbline.example",
    defaultDoc: "http://localhost:<the port in use>",
    default: () => null,
    parse: (text) => text.replace(/\/$/, ""),
  }),
  dataDir: setting({
    doc: "The data folder: the database (unless it is PostgreSQL), the Git caches and the control socket.",
    environment: "PLUMBLINE_DATA_DIR",
    flag: "--data-dir",
    placeholder: "DIR",
    schema: Type.String({ minLength: 1 }),
    expected: "a folder",
    defaultDoc:
      "/var/lib/plumbline as root or as user plumbline, else $XDG_DATA_HOME/plumbline (~/.local/share)",
    default: (from) =>
      from.systemWide ? "/var/lib/plumbline" : userFolder(from, "XDG_DATA_HOME", ".local/share"),
    parse: absolutePath,
  }),
  databaseUrl: setting({
    doc: "The PostgreSQL database to use; without it, SQLite in the data folder. A password in it is read from the environment only.",
    environment: "PLUMBLINE_DATABASE_URL",
    flag: "--database-url",
    placeholder: "URL",
    schema: Type.Union([Type.String({ format: "postgres-url" }), Type.Null()]),
    expected: "a postgres:// address",
    defaultDoc: "none (SQLite in the data folder)",
    default: () => null,
    confidential: true,
  }),
  secretKeyFile: setting({
    doc: "The key that encrypts stored secrets; made on the first start. Keep a copy apart from the backups.",
    environment: "PLUMBLINE_SECRET_KEY_FILE",
    flag: "--secret-key-file",
    placeholder: "FILE",
    schema: Type.String({ minLength: 1 }),
    expected: "a file",
    defaultDoc:
      "/etc/plumbline/secret.key as root or as user plumbline, else $XDG_CONFIG_HOME/plumbline/secret.key (~/.config)",
    default: (from) =>
      from.systemWide
        ? "/etc/plumbline/secret.key"
        : join(userFolder(from, "XDG_CONFIG_HOME", ".config"), "secret.key"),
    parse: absolutePath,
  }),
  caFile: setting({
    doc: "Certificates (PEM) to trust beside the system's when connecting to code hosts and webhook receivers.",
    environment: "PLUMBLINE_CA_FILE",
    flag: "--ca-file",
    placeholder: "FILE",
    schema: Type.Union([Type.String({ minLength: 1 }), Type.Null()]),
    expected: "a file",
    defaultDoc: "none",
    default: () => null,
    parse: absolutePath,
  }),
  trustedProxies: setting({
    doc: "Addresses of the proxies in front of the service whose X-Forwarded-For is believed, separated by commas.",
    environment: "PLUMBLINE_TRUSTED_PROXIES",
    flag: "--trusted-proxies",
    placeholder: "LIST",
    schema: Type.Array(Type.String({ format: "ip-or-cidr" })),
    expected: "IP addresses or CIDR blocks separated by commas, such as 10.0.0.0/8,::1",
    defaultDoc: "none",
    default: () => [],
    parse: (text) => text.split(",").flatMap((part) => part.trim() || []),
    serveOnly: true,
  }),
  logLevel: setting({
    doc: "The least serious events that are logged.",
    environment: "PLUMBLINE_LOG_LEVEL",
    flag: "--log-level",
    placeholder: "LEVEL",
    schema: OneOf(["debug", "info", "warn", "error"]),
    expected: "debug, info, warn or error",
    defaultDoc: "info for serve, warn for the other commands",
    default: () => "info" as const,
  }),
  logFormat: setting({
    doc: "One JSON object a line, or lines for people.",
    environment: "PLUMBLINE_LOG_FORMAT",
    flag: "--log-format",
    placeholder: "FORMAT",
    schema: OneOf(["json", "pretty"]),
    expected: "json or pretty",
    defaultDoc: "pretty when standard error is a terminal, else json",
    default: (from) => (from.stderrIsTerminal ? "pretty" : "json"),
  }),
};

export type SettingName = keyof typeof settings;
export type Config = { -readonly [N in SettingName]: Static<(typeof settings)[N]["schema"]> };
/** Flags as they were typed. */
export type SettingFlags = Partial<Record<SettingName, string>>;

export const settingNames = Object.keys(settings) as SettingName[];

/**
 * Flag, else environment, else the environment file, else default; an empty value counts as none. Throws AppError
 * `validation_failed` that names every bad value and every unknown PLUMBLINE_ variable.
 */
export function loadConfig(
  flags: SettingFlags = {},
  from: Surroundings = processSurroundings(),
  defaults: Partial<Config> = {},
): Config {
  const file = from.environmentFile === null ? {} : readEnvironmentFile(from.environmentFile);
  const problems: FieldError[] = [
    ...unknownVariables(from.environment, "the environment"),
    ...unknownVariables(file, from.environmentFile ?? ""),
  ];
  const values = settingNames.map((name) => {
    const found = [
      { text: flags[name], source: settings[name].flag },
      { text: from.environment[settings[name].environment], source: settings[name].environment },
      { text: file[settings[name].environment], source: settings[name].environment },
    ].find(({ text }) => text !== undefined && text !== "");
    if (found?.text === undefined) return [name, defaults[name] ?? settings[name].default(from)];
    const value = settings[name].parse(found.text);
    const problem = problemWith(name, found.source, found.text, value);
    if (problem !== null) problems.push(problem);
    return [name, value];
  });
  if (problems.length === 0) return Object.fromEntries(values) as Config;
  throw new AppError("validation_failed", problems.map(({ message }) => message).join("\n"), {
    fields: problems,
  });
}

function problemWith(name: SettingName, source: string, text: string, value: unknown): FieldError | null {
  const { schema, expected, confidential } = settings[name];
  if (!Value.Check(schema, value)) {
    const shown = confidential ? "what was given is not" : `${JSON.stringify(text)} is not`;
    return { path: source, code: "invalid", message: `${source} must be ${expected}; ${shown}` };
  }
  if (confidential && source.startsWith("--") && URL.parse(text)?.password) {
    const message = `${source} must hold no password, which every user of this machine could read; put it in ${settings[name].environment}`;
    return { path: source, code: "secret_in_argument", message };
  }
  return null;
}

function unknownVariables(variables: Surroundings["environment"], where: string): FieldError[] {
  const known = new Set<string>(settingNames.map((name) => settings[name].environment));
  return Object.keys(variables)
    .filter((name) => name.startsWith("PLUMBLINE_") && !known.has(name))
    .map((name) => ({
      path: name,
      code: "unknown",
      message: `${name} in ${where} is no setting of Plumbline; the settings are ${[...known].join(", ")}`,
    }));
}

/** The subset of systemd.exec(5) EnvironmentFile= that we document: NAME=value, quotes around it, `#` and `;` comments. */
function readEnvironmentFile(path: string): Record<string, string> {
  return Object.fromEntries(
    readLines(path).flatMap((line) => {
      const [, name, value = ""] = /^\s*([A-Za-z_][A-Za-z0-9_]*)=(.*)$/.exec(line) ?? [];
      return name === undefined ? [] : [[name, value.trim().replace(/^(["'])(.*)\1$/, "$2")]];
    }),
  );
}

function readLines(path: string): string[] {
  try {
    return existsSync(path) ? readFileSync(path, "utf8").split("\n") : [];
  } catch (cause) {
    throw new AppError("conflict", `The settings in ${path} cannot be read: ${String(cause)}`, { cause });
  }
}

/** Relative XDG folders are ignored, as the XDG Base Directory Specification asks. */
function userFolder(from: Surroundings, variable: string, otherwise: string): string {
  const given = from.environment[variable];
  const base = given !== undefined && isAbsolute(given) ? given : join(from.homeDirectory, otherwise);
  return join(base, "plumbline");
}

function isHttpOrigin(text: string): boolean {
  const url = URL.parse(text);
  return (
    url !== null && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/` && !text.endsWith("#")
  );
}

function isPostgresUrl(text: string): boolean {
  return /^postgres(ql)?:\/\//.test(text) && URL.canParse(text);
}

function isIpOrCidr(text: string): boolean {
  const [address = "", prefix, ...more] = text.split("/");
  const version = isIP(address);
  if (version === 0 || more.length > 0) return false;
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (version === 4 ? 32 : 128));
}

FormatRegistry.Set("http-origin", isHttpOrigin);
FormatRegistry.Set("postgres-url", isPostgresUrl);
FormatRegistry.Set("ip-or-cidr", isIpOrCidr);
