/** A pull request as a code host describes it. Everything in it was written by strangers: never trust it. */

export interface PullRequestRef {
  /** `owner/repo` */
  repository: string;
  /** 1 to 2^31 − 1 */
  number: number;
}

export const pullRequestNumberMax = 2_147_483_647;

export interface PullRequest extends PullRequestRef {
  title: string;
  body: string;
  author: string | null;
  /** The branch names, null where the host has none (plain Git knows no head branch). */
  headBranch: string | null;
  baseBranch: string | null;
  headSha: string;
  /** The merge base: the commit the diff starts from. */
  baseSha: string;
  /** Its page on the code host; null where the host has no pages. */
  url: string | null;
}

/** `acme/shop#7`: how people and lock keys name a pull request. */
export function pullRequestName(ref: PullRequestRef): string {
  return `${ref.repository}#${ref.number}`;
}
