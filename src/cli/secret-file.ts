/** Secrets come from a file or from standard input, never from an argument that every user of the machine could read. */
import { readFile } from "node:fs/promises";
import { AppError } from "../domain/errors.ts";
import type { Io } from "./io.ts";

/** Errors: AppError `validation_failed` when the file cannot be read or is empty. */
export async function readSecret(path: string, io: Io): Promise<string> {
  const text = path === "-" ? await io.readStdin() : await readText(path);
  const secret = text.replace(/\r?\n$/, "");
  if (secret !== "") return secret;
  throw new AppError("validation_failed", `${path === "-" ? "Standard input" : path} holds no secret.`);
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new AppError("validation_failed", `The secret cannot be read: ${reason}`, { cause });
  }
}
