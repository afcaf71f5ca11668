/**
 * Root goes on as the owner of the data folder, so that nothing in it comes to belong to root and locks the service out. What
 * only root can read (a password file, say) is read before.
 */
import { statSync } from "node:fs";

export function becomeOwnerOf(dataDir: string): void {
  if (process.getuid?.() !== 0) return;
  const folder = statSync(dataDir, { throwIfNoEntry: false });
  if (folder === undefined || folder.uid === 0) return;
  process.setgroups?.([folder.gid]);
  process.setgid?.(folder.gid);
  process.setuid?.(folder.uid);
}
