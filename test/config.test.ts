import { afterAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type Config,
  loadConfig,
  type SettingFlags,
  type SettingName,
  type Surroundings,
  settingNames,
  settings,
} from "../src/config.ts";
import { AppError } from "../src/domain/errors.ts";

const folder = mkdtempSync(join(tmpdir(), "plumbline-config-"));
afterAll(() => rmSync(folder, { recursive: true }));

const asUser: Surroundings = {
  environment: {},
  environmentFile: null,
  systemWide: false,
  homeDirectory: "/home/ada",
  stderrIsTerminal: false,
};

function load(environment: Surroundings["environment"], flags: SettingFlags = {}): Config {
  return loadConfig(flags, { ...asUser, environment });
}

function refusal(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (error instanceof AppError && error.kind === "validation_failed") return error.message;
    throw error;
  }
  throw new Error("it was taken");
}

describe("the process settings", () => {
  test("have the documented defaults for a user", () => {
    expect(load({})).toEqual({
      host: "127.0.0.1",
      port: 8080,
      siteUrl: null,
      dataDir: "/home/ada/.local/share/plumbline",
      databaseUrl: null,
      secretKeyFile: "/home/ada/.config/plumbline/secret.key",
      caFile: null,
      trustedProxies: [],
      logLevel: "info",
      logFormat: "json",
    });
  });

  test("keep to the system's folders as root or as the service", () => {
    const config = loadConfig({}, { ...asUser, systemWide: true });
    expect(config).toMatchObject({
      dataDir: "/var/lib/plumbline",
      secretKeyFile: "/etc/plumbline/secret.key",
    });
  });

  test("follow XDG folders, but not relative ones", () => {
    const given = { XDG_DATA_HOME: "/xdg/data", XDG_CONFIG_HOME: "relative" };
    expect(load(given)).toMatchObject({
      dataDir: "/xdg/data/plumbline",
      secretKeyFile: "/home/ada/.config/plumbline/secret.key",
    });
  });

  test("log for people when a person watches", () => {
    expect(loadConfig({}, { ...asUser, stderrIsTerminal: true }).logFormat).toBe("pretty");
  });

  const taken: [SettingName, string, unknown][] = [
    ["host", "0.0.0.0", "0.0.0.0"],
    ["host", "::", "::"],
    ["port", "0", 0],
    ["port", "65535", 65_535],
    ["siteUrl", "https://plumbline.example", "https://plumbline.example"],
    ["siteUrl", "http://10.0.0.7:8080/", "http://10.0.0.7:8080"],
    ["dataDir", "/srv/plumbline", "/srv/plumbline"],
    ["databaseUrl", "postgres://plumbline@db/plumbline", "postgres://plumbline@db/plumbline"],
    [
      "databaseUrl",
      "postgresql:///plumbline?host=/run/postgresql",
      "postgresql:///plumbline?host=/run/postgresql",
    ],
    ["secretKeyFile", "/run/secrets/key", "/run/secrets/key"],
    ["caFile", "/etc/ssl/corp.pem", "/etc/ssl/corp.pem"],
    ["trustedProxies", "10.0.0.0/8, ::1,192.0.2.7", ["10.0.0.0/8", "::1", "192.0.2.7"]],
    ["logLevel", "debug", "debug"],
    ["logFormat", "pretty", "pretty"],
  ];

  test.each(taken)("take %s from %p, by variable and by flag", (name, text, value) => {
    expect(load({ [settings[name].environment]: text })[name]).toEqual(value as never);
    expect(load({}, { [name]: text })[name]).toEqual(value as never);
  });

  const refused: [SettingName, string][] = [
    ["host", "two words"],
    ["host", "http://x"],
    ["port", "65536"],
    ["port", "-1"],
    ["port", "80a"],
    ["port", "8080.5"],
    ["siteUrl", "plumbline.example"],
    ["siteUrl", "ftp://plumbline.example"],
    ["siteUrl", "https://plumbline.example/path"],
    ["siteUrl", "https://plumbline.example?query"],
    ["siteUrl", "https://user@plumbline.example"],
    ["databaseUrl", "mysql://db/plumbline"],
    ["trustedProxies", "10.0.0.0/33"],
    ["trustedProxies", "proxy.example"],
    ["trustedProxies", "10.0.0.1/8/8"],
    ["logLevel", "trace"],
    ["logFormat", "xml"],
  ];

  test.each(refused)("refuse %s as %p, and name the variable or the flag", (name, text) => {
    const { environment, flag, expected } = settings[name];
    const message = refusal(() => load({ [environment]: text }));
    expect(message).toStartWith(`${environment} must be ${expected}`);
    expect(refusal(() => load({}, { [name]: text }))).toStartWith(`${flag} must be ${expected}`);
  });

  test("are each tried by this table", () => {
    expect(new Set(taken.map(([name]) => name))).toEqual(new Set(settingNames));
  });

  test("prefer the flag to the variable, and the variable to the file", () => {
    const environmentFile = join(folder, "plumbline.env");
    writeFileSync(
      environmentFile,
      "# ours\n PLUMBLINE_PORT=1\nPLUMBLINE_HOST=\"::\"\nPLUMBLINE_LOG_LEVEL='warn'\nOTHER=x\n",
    );
    const from = { ...asUser, environmentFile, environment: { PLUMBLINE_PORT: "2" } };
    expect(loadConfig({ logLevel: "error" }, from)).toMatchObject({ host: "::", port: 2, logLevel: "error" });
    expect(loadConfig({ port: "3" }, from).port).toBe(3);
  });

  test("say so when the file is there and cannot be read", () => {
    expect(() => loadConfig({}, { ...asUser, environmentFile: folder })).toThrow(
      `The settings in ${folder} cannot be read`,
    );
  });

  test("do without the file when there is none", () => {
    expect(loadConfig({}, { ...asUser, environmentFile: join(folder, "absent.env") }).port).toBe(8080);
  });

  test("count an empty value as none", () => {
    expect(load({ PLUMBLINE_PORT: "", PLUMBLINE_DATABASE_URL: "" })).toMatchObject({
      port: 8080,
      databaseUrl: null,
    });
  });

  test("refuse a variable that is none of ours, by its name", () => {
    expect(refusal(() => load({ PLUMBLINE_PROT: "8080" }))).toStartWith(
      "PLUMBLINE_PROT in the environment is no setting",
    );
  });

  test("refuse one in the file too, and say in which file", () => {
    const environmentFile = join(folder, "wrong.env");
    writeFileSync(environmentFile, "PLUMBLINE_DATADIR=/x\n");
    const message = refusal(() => loadConfig({}, { ...asUser, environmentFile }));
    expect(message).toStartWith(`PLUMBLINE_DATADIR in ${environmentFile} is no setting`);
  });

  test("name everything that is wrong at once", () => {
    const message = refusal(() => load({ PLUMBLINE_PORT: "x", PLUMBLINE_LOG_LEVEL: "y", PLUMBLINE_Z: "z" }));
    for (const name of ["PLUMBLINE_PORT", "PLUMBLINE_LOG_LEVEL", "PLUMBLINE_Z"])
      expect(message).toContain(name);
  });

  test("take a database's password from the environment, and refuse it as an argument without repeating it", () => {
    const databaseUrl = "postgres://plumbline:hunter2hunter2@db/plumbline";
    expect(load({ PLUMBLINE_DATABASE_URL: databaseUrl }).databaseUrl).toBe(databaseUrl);
    const message = refusal(() => load({}, { databaseUrl }));
    expect(message).toContain("PLUMBLINE_DATABASE_URL");
    expect(message).not.toContain("hunter2hunter2");
  });

  test("never repeat a database address that is wrong", () => {
    const message = refusal(() => load({ PLUMBLINE_DATABASE_URL: "mysql://u:hunter2hunter2@db" }));
    expect(message).not.toContain("hunter2hunter2");
  });
});
