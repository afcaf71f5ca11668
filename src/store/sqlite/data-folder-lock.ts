/** One process a data folder: an exclusive lock on a file of its own, which the system frees when the process ends. */
import { Database } from "bun:sqlite";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DataFolderLocked } from "../../domain/errors.ts";
import { isSqliteBusy } from "../store-error.ts";

/** The handles hold the locks: unreferenced, the garbage collector would close them and free the folders silently. */
const held = new Map<string, Database>();

/** Answers what frees the folder again. Errors: DataFolderLocked, which names the process that holds it. */
export function lockDataFolder(dataDir: string): () => void {
  const handle = new Database(join(dataDir, "plumbline.lock"));
  // Who holds it stands in another file: closing any handle on a locked file would free the lock (POSIX).
  const holderFile = join(dataDir, "plumbline.pid");
  try {
    handle.run("BEGIN EXCLUSIVE");
  } catch (error) {
    handle.close();
    if (!isSqliteBusy(error)) throw error;
    throw new DataFolderLocked(`The data folder ${dataDir} is in use by ${holder(holderFile)}.`, {
      cause: error,
    });
  }
  held.set(dataDir, handle);
  writeFileSync(holderFile, `${process.pid}\n`);
  return () => {
    held.delete(dataDir);
    handle.close();
  };
}

function holder(file: string): string {
  try {
    return `process ${readFileSync(file, "utf8").trim()}`;
  } catch {
    return "another process"; // it has the lock but has not written its number yet
  }
}
