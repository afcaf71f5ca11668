/**
 * The key that encrypts stored secrets lives in a file outside the database. A known value, sealed under it, lies in the database,
 * so that a missing or wrong key stops the start with its cause instead of surfacing one secret at a time.
 */
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { createKeyFileContents, createSecretBox, type SecretBox, SecretUnreadable } from "../crypto.ts";
import { AppError } from "../domain/errors.ts";
import type { Ids, Logger } from "../domain/runtime.ts";
import type { SettingStore } from "../domain/store.ts";

export interface SecretKeyOptions {
  path: string;
  settings: SettingStore;
  ids: Pick<Ids, "randomBytes">;
  logger: Logger;
  /** Told every secret that is opened, so that the log can leave it out. */
  onOpened: (plaintext: string) => void;
}

const canarySetting = "secret_key_canary";
const canaryContext = `settings.value.${canarySetting}`;
const canaryText = "plumbline";

/**
 * Makes the key file while nothing in the database is sealed yet; afterwards it must be there and right.
 * Errors: AppError `conflict` with a sentence that names the file and the cause.
 */
export async function openSecretKey(options: SecretKeyOptions): Promise<SecretBox> {
  const canary = await options.settings.get(canarySetting);
  if (!existsSync(options.path)) {
    if (typeof canary === "string") throw missingKey(options.path, canary);
    makeKeyFile(options);
  }
  const box = readKeyFile(options);
  if (typeof canary === "string") checkCanary(box, canary, options.path);
  else await options.settings.put(canarySetting, box.seal(canaryText, canaryContext));
  return box;
}

function makeKeyFile({ path, ids, logger }: SecretKeyOptions): void {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(path, createKeyFileContents(ids), { flag: "wx", mode: 0o600 });
    // The umask may have taken bits away from the owner too.
    chmodSync(path, 0o600);
  } catch (cause) {
    // Another process was faster: its key is the one.
    if (existsSync(path)) return;
    throw new AppError("conflict", `The secret key file ${path} cannot be made: ${reason(cause)}`, { cause });
  }
  logger.info("secret key made; keep a copy of it apart from the backups", { path });
}

function readKeyFile(options: SecretKeyOptions): SecretBox {
  const { path, ids, onOpened } = options;
  let contents: string;
  try {
    contents = readFileSync(path, "utf8");
  } catch (cause) {
    throw new AppError("conflict", `The secret key file ${path} cannot be read: ${reason(cause)}`, { cause });
  }
  if ((statSync(path).mode & 0o007) !== 0) {
    throw new AppError(
      "conflict",
      `Every user of this machine can read the secret key file ${path}; run: chmod 600 ${path}`,
    );
  }
  try {
    return createSecretBox(contents, { ids, onOpened: (text) => text !== canaryText && onOpened(text) });
  } catch (cause) {
    throw new AppError("conflict", `The secret key file ${path} holds no key: ${reason(cause)}`, { cause });
  }
}

function checkCanary(box: SecretBox, canary: string, path: string): void {
  try {
    box.open(canary, canaryContext);
  } catch (cause) {
    if (!(cause instanceof SecretUnreadable)) throw cause;
    const needed = cause.keyId === null || cause.keyId === box.keyId ? "another key" : `key ${cause.keyId}`;
    const message = `The secret key file ${path} holds key ${box.keyId}, but the secrets in the database are sealed under ${needed}. Put the right key there.`;
    throw new AppError("conflict", message, { cause });
  }
}

function missingKey(path: string, canary: string): AppError {
  const keyId = canary.split(".")[1] ?? "unknown";
  const message = `The secret key file ${path} is missing, and the database holds secrets sealed under key ${keyId}. Put that key back; it cannot be made again.`;
  return new AppError("conflict", message);
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
