/** Finds; never filters by options, stores or posts. */
import type { CandidateComment } from "./comment.ts";
import type { Diff } from "./diff.ts";
import type { PullRequest } from "./pull-request.ts";
import type { ReviewOptions } from "./review.ts";
import type { Search } from "./search.ts";

/** Reads a file of the pull request; null when it is absent on that side or larger than the reader allows. */
export type ReadFile = (path: string, side: "base" | "head") => Promise<Uint8Array | null>;

/**
 * Paths of the regular files right in a folder of the repository, sorted; empty when there is no such folder on that side.
 */
export type ListFiles = (folder: string, side: "base" | "head") => Promise<readonly string[]>;

/** How far an engine read a file. Whatever was not read whole is said in the summary. */
export interface FileCoverage {
  path: string;
  read: "whole" | "partly" | "not";
  /** A person's reason, null when read whole: `larger than 1 MB`, `took longer than 2 s`. */
  reason: string | null;
}

export interface ReviewEngineInput {
  /** Whose review it is; null for a review without a server, which belongs to nobody. */
  organizationId: string | null;
  pr: PullRequest;
  /** Only the files selected for review. */
  diff: Diff;
  readFile: ReadFile;
  listFiles: ListFiles;
  search: Search;
  options: ReviewOptions;
  signal: AbortSignal;
}

export interface ReviewEngineResult {
  candidates: readonly CandidateComment[];
  tokensUsed: number;
  coverage: readonly FileCoverage[];
  /** What went wrong without ending the review, for the summary: `rule js/x is invalid: …`. */
  problems: readonly string[];
}

export interface ReviewEngine {
  readonly name: string;
  review(input: ReviewEngineInput): Promise<ReviewEngineResult>;
  /** Gives back workers and memory. */
  close(): Promise<void>;
}
