/** A disk of 3 MB: a tmpfs where we may mount one, else a limit on the pages of the database. */
import { rmSync } from "node:fs";
import { sql } from "kysely";
import type { StoreHandle } from "../../src/store/open.ts";
import { temporaryFolder } from "../support/databases.ts";

export interface SmallDisk extends AsyncDisposable {
  folder: string;
  /** From here on there is no more than 3 MB. */
  shrink(handle: StoreHandle): Promise<void>;
  /** Makes room. */
  grow(handle: StoreHandle): Promise<void>;
}

export async function aSmallDisk(): Promise<SmallDisk> {
  const folder = temporaryFolder();
  return run("mount", "-t", "tmpfs", "-o", "size=3m", "tmpfs", folder) ? mounted(folder) : limited(folder);
}

function mounted(folder: string): SmallDisk {
  return {
    folder,
    shrink: async () => {},
    grow: async () => {
      if (!run("mount", "-o", "remount,size=16m", folder)) throw new Error(`${folder} does not grow`);
    },
    [Symbol.asyncDispose]: async () => {
      run("umount", folder);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** SQLite answers SQLITE_FULL at its page limit as on a full disk. */
function limited(folder: string): SmallDisk {
  const limitPages = async ({ kysely }: StoreHandle, pages: number) => {
    await sql.raw(`PRAGMA max_page_count = ${pages}`).execute(kysely);
  };
  return {
    folder,
    shrink: (handle) => limitPages(handle, 768),
    grow: (handle) => limitPages(handle, 4096),
    [Symbol.asyncDispose]: async () => rmSync(folder, { recursive: true, force: true }),
  };
}

function run(...command: string[]): boolean {
  return Bun.spawnSync(command, { stdout: "ignore", stderr: "ignore" }).success;
}
