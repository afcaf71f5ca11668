/** Looks for words in all files of a commit, in the objects themselves: no work tree, and nothing is fetched for it. */
import { type FoundLine, foundLineBytesMax, requireWords } from "../../domain/search.ts";
import type { GitSurroundings } from "./environment.ts";
import type { GitLimits } from "./limits.ts";
import { displayName } from "./names.ts";
import { GitFailed, runGit } from "./process.ts";

export interface SearchOptions {
  surroundings: GitSurroundings;
  /** An object id. */
  commit: string;
  words: readonly string[];
  limits: GitLimits;
}

/** Throws GitFailed, also when a file could not be read: an incomplete answer would be taken for a whole one. */
export async function searchCommit(options: SearchOptions, signal: AbortSignal): Promise<FoundLine[]> {
  const { surroundings, commit, words, limits } = options;
  requireWords(words);
  if (words.length === 0) return [];
  const patterns = words.flatMap((word) => ["-e", word]);
  const args = [...grep, ...patterns, commit, "--"];
  const { searchMs: timeoutMs, searchBytes: outputBytes } = limits;
  const command = { surroundings, args, limits, timeoutMs, outputBytes, complaintsFail: true };
  try {
    return parseFound(await runGit(command, signal), `${commit}:`.length).sort(byPlace);
  } catch (error) {
    if (isNothingFound(error)) return [];
    throw error;
  }
}

const grep = [
  "grep",
  "--line-number",
  "--null",
  "--full-name",
  "--no-color",
  "--no-recurse-submodules",
  "--no-textconv",
  "-I",
  "--fixed-strings",
  "--word-regexp",
] as const;

function isNothingFound(error: unknown): boolean {
  return error instanceof GitFailed && error.exitCode === 1 && error.stderr === "";
}

/** Entries are `<commit>:<path>\0<line>\0<text>\n`; only a path can hold a line end. */
function parseFound(output: Buffer, prefixBytes: number): FoundLine[] {
  const found: FoundLine[] = [];
  for (let at = 0; at < output.length; ) {
    const pathEnd = output.indexOf(0, at);
    const lineEnd = output.indexOf(0, pathEnd + 1);
    const textEnd = output.indexOf("\n", lineEnd + 1);
    if (textEnd - lineEnd - 1 <= foundLineBytesMax) {
      found.push({
        path: displayName(output.subarray(at + prefixBytes, pathEnd)),
        line: Number(output.toString("latin1", pathEnd + 1, lineEnd)),
        text: output.toString("utf8", lineEnd + 1, textEnd).replace(/\r$/, ""),
      });
    }
    at = textEnd + 1;
  }
  return found;
}

function byPlace(a: FoundLine, b: FoundLine): number {
  return (a.path < b.path ? -1 : Number(a.path > b.path)) || a.line - b.line;
}
