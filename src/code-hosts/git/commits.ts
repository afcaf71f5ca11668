/** Facts about commits that are at hand in a repository. */
import { objectFormatOf } from "./bare.ts";
import { emptyTree, type GitSurroundings } from "./environment.ts";
import type { GitLimits } from "./limits.ts";
import type { ObjectReader } from "./objects.ts";
import { GitFailed, runGit } from "./process.ts";

/**
 * The best common ancestor. Where histories have none, the empty tree, which is what `git merge
 * --allow-unrelated-histories` takes for it: then every file of the head counts as added.
 */
export async function mergeBase(
  surroundings: GitSurroundings,
  base: string,
  head: string,
  limits: GitLimits,
  signal: AbortSignal,
): Promise<string> {
  try {
    const output = await runGit({ surroundings, args: ["merge-base", base, head], limits }, signal);
    return output.toString("latin1").trim();
  } catch (error) {
    const unrelated = error instanceof GitFailed && error.exitCode === 1 && error.stderr === "";
    if (unrelated) return emptyTree[objectFormatOf(head)];
    throw error;
  }
}

export interface CommitText {
  /** The first line of its message. */
  title: string;
  /** The rest of its message. */
  body: string;
  author: string | null;
}

const commitBytesMax = 1024 ** 2;
const titleCharactersMax = 500;
const bodyCharactersMax = 65_536;

/** Null when there is no such commit, or when it is absurdly large. Text that is not UTF-8 holds U+FFFD. */
export async function readCommitText(
  objects: ObjectReader,
  id: string,
  signal: AbortSignal,
): Promise<CommitText | null> {
  const commit = await objects.read(id, commitBytesMax, signal);
  if (commit === null || commit === "too_large" || commit.type !== "commit") return null;
  const text = commit.bytes.toString("utf8").replaceAll("\0", "");
  const [head = "", ...message] = text.split("\n\n");
  const [title = "", ...body] = message.join("\n\n").trim().split("\n");
  return {
    title: title.trim().slice(0, titleCharactersMax),
    body: body.join("\n").trim().slice(0, bodyCharactersMax),
    author: /^author (.+?) <.*$/m.exec(head)?.[1] ?? null,
  };
}
