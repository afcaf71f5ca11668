/** Whether the git on this machine can do what is asked of it. */
import { ReviewFailed } from "../../domain/review.ts";
import type { GitSurroundings } from "./environment.ts";
import type { GitLimits } from "./limits.ts";
import { runGit } from "./process.ts";

/** Older ones read their user's configuration whatever GIT_CONFIG_GLOBAL says, or cannot join packs cheaply. */
export const oldestGit = { major: 2, minor: 34 } as const;

/** `git version 2.39.5 (Apple Git-154)` */
export function isGitTooOld(output: string): boolean {
  const [, major, minor] = /(\d+)\.(\d+)/.exec(output)?.map(Number) ?? [];
  if (major === undefined || minor === undefined) return true;
  return major < oldestGit.major || (major === oldestGit.major && minor < oldestGit.minor);
}

/** Throws ReviewFailed `internal` when git is too old, GitFailed when there is none. */
export async function requireUsableGit(surroundings: GitSurroundings, limits: GitLimits): Promise<void> {
  const args = ["version"];
  const output = (await runGit({ surroundings, args, limits }, new AbortController().signal))
    .toString("utf8")
    .trim();
  if (!isGitTooOld(output)) return;
  const message = `Plumbline needs git ${oldestGit.major}.${oldestGit.minor} or newer; this machine has ${JSON.stringify(output)}.`;
  throw new ReviewFailed("internal", message);
}
