/**
 * Root goes on as the owner of the data folder, so that nothing in it comes to belong to root and locks the service out. What
 * only root can read (a password file, say) is read before.
 */
import { existsSync, statSync } from "node:fs";

export function becomeOwnerOf(dataDir: string): void {
  if (process.getuid?.() !== 0) return;
  if (!existsSync(dataDir)) return;
  const { uid, gid } = statSync(dataDir);
  if (uid === 0) return;
  process.setgroups?.([gid]);
  process.setgid?.(gid);
  process.setuid?.(uid);
}
