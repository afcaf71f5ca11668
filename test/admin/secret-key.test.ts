import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openSecretKey } from "../../src/admin/secret-key.ts";
import { createKeyFileContents, type SecretBox } from "../../src/crypto.ts";
import { createIds, systemClock } from "../../src/system.ts";
import { openTestMemoryStore, silentLogger, type TestStore, temporaryFolder } from "../support/databases.ts";

const ids = createIds(systemClock);
let folder: string;
let path: string;
let database: TestStore;

beforeEach(async () => {
  folder = temporaryFolder();
  path = join(folder, "config", "secret.key");
  database = await openTestMemoryStore();
});
afterEach(async () => {
  await database[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

describe("the secret key", () => {
  test("is made on the first start, for its owner's eyes only, and opens what it sealed on the next", async () => {
    const before = await start();
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(join(folder, "config")).mode & 0o777).toBe(0o700);
    const sealed = before.seal("hunter2hunter2", "here");
    const contents = readFileSync(path, "utf8");
    expect((await start()).open(sealed, "here")).toBe("hunter2hunter2");
    expect(readFileSync(path, "utf8")).toBe(contents);
  });

  test("is taken as it is when the admin has made it", async () => {
    writeKey(createKeyFileContents(ids));
    const contents = readFileSync(path, "utf8");
    await start();
    expect(readFileSync(path, "utf8")).toBe(contents);
  });

  test("is made again as long as nothing was sealed: a start that died before it could write to the database", async () => {
    writeKey(createKeyFileContents(ids));
    rmSync(path);
    await start();
    expect(existsSync(path)).toBe(true);
  });

  test("stops the start when it is gone, and is not made again", async () => {
    const { keyId } = await start();
    rmSync(path);
    await expect(start()).rejects.toThrow(
      `${path} is missing, and the database holds secrets sealed under key ${keyId}`,
    );
    expect(existsSync(path)).toBe(false);
  });

  test("stops the start when it is another, naming both", async () => {
    const { keyId } = await start();
    writeKey(createKeyFileContents(ids));
    await expect(start()).rejects.toThrow(`sealed under key ${keyId}`);
  });

  test("can be replaced by a new one above the old one", async () => {
    const sealed = (await start()).seal("hunter2hunter2", "here");
    writeKey(createKeyFileContents(ids) + readFileSync(path, "utf8"));
    expect((await start()).open(sealed, "here")).toBe("hunter2hunter2");
  });

  test("is refused while every user can read it, and taken while its group can", async () => {
    await start();
    chmodSync(path, 0o644);
    await expect(start()).rejects.toThrow(`chmod 600 ${path}`);
    chmodSync(path, 0o640);
    await start();
  });

  test.each([
    ["", "holds no key: the file is empty"],
    ["hunter2hunter2", "holds no key: line 1 is not a key"],
  ])("is refused when the file holds %p, which is not repeated", async (contents, cause) => {
    writeKey(contents);
    const attempt = start();
    await expect(attempt).rejects.toThrow(cause);
    await expect(attempt).rejects.not.toThrow("hunter2hunter2");
  });

  test("cannot be a folder, or lie below a file", async () => {
    mkdirSync(path, { recursive: true });
    await expect(start()).rejects.toThrow("cannot be read");
    rmSync(join(folder, "config"), { recursive: true });
    writeFileSync(join(folder, "config"), "");
    await expect(start()).rejects.toThrow("cannot be made");
  });

  test("is not told to the log, and neither is the value that tells a wrong key", async () => {
    const lines: string[] = [];
    const logger = {
      ...silentLogger,
      info: (message: string, fields?: object) => void lines.push(message + JSON.stringify(fields)),
    };
    const opened: string[] = [];
    const options = {
      path,
      settings: database.store.settings,
      ids,
      logger,
      onOpened: (text: string) => void opened.push(text),
    };
    await openSecretKey(options);
    const box = await openSecretKey(options);
    expect(lines).toHaveLength(1);
    expect(lines.join()).not.toContain(readFileSync(path, "utf8").trim());
    expect(opened).toEqual([]);
    box.open(box.seal("hunter2hunter2", "here"), "here");
    expect(opened).toEqual(["hunter2hunter2"]);
  });
});

function start(): Promise<SecretBox> {
  const { settings } = database.store;
  return openSecretKey({ path, settings, ids, logger: silentLogger, onOpened: () => {} });
}

function writeKey(contents: string): void {
  mkdirSync(join(folder, "config"), { recursive: true });
  writeFileSync(path, contents, { mode: 0o600 });
}
