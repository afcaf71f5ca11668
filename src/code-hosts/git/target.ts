/** What a pull request is on a plain Git server: a head reference, and the branch that everything goes into. */
import { type PullRequestRef, pullRequestName } from "../../domain/pull-request.ts";
import { ReviewFailed } from "../../domain/review.ts";
import type { GitSurroundings } from "./environment.ts";
import type { GitLimits } from "./limits.ts";
import type { HeadPattern } from "./references.ts";
import { listReferences, type RemoteReferences } from "./remote.ts";

export interface Target {
  head: { reference: string; id: string };
  base: { reference: string; id: string };
  /** Short name of the base; null when the server's HEAD is on no branch. */
  baseBranch: string | null;
}

export interface TargetPattern {
  heads: HeadPattern;
  /** Null = the server's default branch. */
  baseReference: string | null;
}

/** Throws ReviewFailed when the pull request or its base is not on the server, otherwise GitFailed. */
export async function findTarget(
  surroundings: GitSurroundings,
  ref: PullRequestRef,
  pattern: TargetPattern,
  limits: GitLimits,
  signal: AbortSignal,
): Promise<Target> {
  const glob = pattern.heads.glob(ref.number);
  const references = await listReferences(
    surroundings,
    [glob, pattern.baseReference ?? "HEAD"],
    limits,
    signal,
  );
  const head = pattern.heads.find(references.ids).find(({ number }) => number === ref.number);
  if (head === undefined) {
    const empty = pattern.baseReference === null && !references.ids.has("HEAD");
    const message = `There is no pull request ${pullRequestName(ref)}: the server has no ${glob}${empty ? ", and no default branch either: the repository is empty, or that is not a Git server" : ""}.`;
    throw new ReviewFailed("pull_request_not_found", message);
  }
  return { head, ...baseOf(references, pattern.baseReference) };
}

function baseOf(
  { ids, defaultBranch }: RemoteReferences,
  configured: string | null,
): Pick<Target, "base" | "baseBranch"> {
  const name = configured ?? "HEAD";
  const id = ids.get(name);
  if (id === undefined) {
    const message =
      configured === null
        ? "The repository has no default branch to compare with: give the git host a base reference."
        : `The base ${configured} does not exist in the repository: check the git host's base reference.`;
    throw new ReviewFailed("pull_request_not_found", message);
  }
  const reference = configured ?? defaultBranch ?? "HEAD";
  return {
    base: { reference, id },
    baseBranch: reference === "HEAD" ? null : reference.replace(/^refs\/heads\//, ""),
  };
}
