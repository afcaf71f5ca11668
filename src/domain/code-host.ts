/**
 * Where pull requests come from and reviews go to. One client per configured host; a client is safe to use
 * concurrently. What a host cannot do is a capability, never a silent no-op.
 */
import type { Diff } from "./diff.ts";
import type { PullRequest, PullRequestRef } from "./pull-request.ts";
import type { FoundLine } from "./search.ts";

export interface CodeHostCapabilities {
  suggestions: boolean;
  multiLineComments: boolean;
  resolvableThreads: boolean;
  statuses: boolean;
  hooks: boolean;
}

/**
 * Errors: a pull request or repository that is not there, refused access, an unreachable host and an oversized
 * diff are thrown as `ReviewFailed` (domain/review.ts) where trying again cannot help, and as `CodeHostUnavailable`
 * where it can.
 */
export interface CodeHost {
  readonly name: string;
  readonly capabilities: CodeHostCapabilities;
  getPullRequest(ref: PullRequestRef, signal: AbortSignal): Promise<PullRequest>;
  /** From the merge base to the head that `pr` names, though the branch may have moved since. */
  getDiff(pr: PullRequest, signal: AbortSignal): Promise<Diff>;
  /** The file's bytes; null when it is not there on that side (or is no regular file). */
  getFile(
    pr: PullRequest,
    path: string,
    side: "base" | "head",
    signal: AbortSignal,
  ): Promise<Uint8Array | null>;
  /** Paths of the regular files right in the folder, sorted; empty when there is no such folder on that side. */
  listFiles(
    pr: PullRequest,
    folder: string,
    side: "base" | "head",
    signal: AbortSignal,
  ): Promise<readonly string[]>;
  /**
   * The lines of all text files that hold one of the words, as `Search` (domain/search.ts) says; null when this host
   * cannot search. What keeps it from an answer that is whole (too much is found, too long it takes) is thrown.
   */
  search(
    pr: PullRequest,
    words: readonly string[],
    side: "base" | "head",
    signal: AbortSignal,
  ): Promise<readonly FoundLine[] | null>;
  /** Numbers and head commits of the pull requests open now; for polling and reconciling. */
  listPullRequests(
    repository: string,
    signal: AbortSignal,
  ): Promise<readonly { number: number; headSha: string }[]>;
}

/** The host did not answer as it should; worth another try. */
export class CodeHostUnavailable extends Error {
  readonly retryAfterMs: number | null;
  constructor(message: string, options: { cause?: unknown; retryAfterMs?: number } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "CodeHostUnavailable";
    this.retryAfterMs = options.retryAfterMs ?? null;
  }
}
