/**
 * Cuts ordinary pull requests out of a history: what a merge brought in, or, in a repository that squashes, a commit.
 * The choice depends on nothing but the pinned commit, so everybody measures the same ones.
 */
import { git } from "./fetch.ts";

export interface OrdinaryPullRequest {
  /** `owner/name@<first 12 digits of the head>`: how the labels name it. */
  key: string;
  base: string;
  head: string;
}

export const pullRequestsPerRepository = 18;
const filesMax = 50;
const addedLinesMin = 3;
const addedLinesMax = 2_000;
const sourceFile =
  /\.(ts|tsx|js|jsx|mjs|cjs|py|go|java|kt|kts|cs|rb|php|rs|c|h|cc|cpp|hpp|sh|ya?ml|tf|sql)$|Dockerfile/;

export async function ordinaryPullRequests(
  name: string,
  directory: string,
  commit: string,
): Promise<OrdinaryPullRequest[]> {
  const merges = (await git(["-C", directory, "rev-list", "--first-parent", "--merges", commit]))
    .split("\n")
    .filter(Boolean);
  const chosen: OrdinaryPullRequest[] = [];
  const candidates =
    merges.length >= pullRequestsPerRepository * 3
      ? merges.map((merge) => ({ base: `${merge}^1`, head: `${merge}^2` }))
      : (
          await git([
            "-C",
            directory,
            "rev-list",
            "--first-parent",
            "--no-merges",
            "--max-count=2000",
            commit,
          ])
        )
          .split("\n")
          .filter(Boolean)
          .map((head) => ({ base: `${head}^1`, head }));
  for (const candidate of candidates) {
    if (chosen.length === pullRequestsPerRepository) break;
    if (await isOrdinary(directory, candidate)) {
      const head = (await git(["-C", directory, "rev-parse", candidate.head])).trim();
      const base = (await git(["-C", directory, "merge-base", candidate.base, candidate.head])).trim();
      chosen.push({ key: `${name}@${head.slice(0, 12)}`, base, head });
    }
  }
  return chosen;
}

/** Small enough to be reviewed by a person, and about code. */
export async function isOrdinary(directory: string, range: { base: string; head: string }): Promise<boolean> {
  let lines: string[];
  try {
    lines = (await git(["-C", directory, "diff", "--numstat", `${range.base}...${range.head}`]))
      .split("\n")
      .filter(Boolean);
  } catch {
    return false; // the root commit has no parent
  }
  if (lines.length === 0 || lines.length > filesMax) return false;
  const rows = lines.map((line) => line.split("\t"));
  const added = rows.reduce((sum, row) => sum + (Number(row[0]) || 0), 0);
  return (
    added >= addedLinesMin && added <= addedLinesMax && rows.some((row) => sourceFile.test(row[2] ?? ""))
  );
}
