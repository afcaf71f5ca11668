/** A range of a local repository as if it were a pull request, for `plumbline review --local`. */
import type { Diff } from "../../domain/diff.ts";
import type { PullRequest } from "../../domain/pull-request.ts";
import type { ReadFile } from "../../domain/review-engine.ts";

export interface LocalRange {
  pr: PullRequest;
  diff: Diff;
  readFile: ReadFile;
  /** Ends the reading process and removes the temporary folder. */
  close(): Promise<void>;
}

/**
 * `BASE..HEAD` and `BASE...HEAD` both mean what HEAD changed since it left BASE (from their merge base); an omitted
 * side is `HEAD`, and a single revision is the base. The repository is only read: nothing in it is written or run.
 * Throws AppError `not_found` (no repository, unknown revision) or `bad_request` (not a range).
 */
export async function openLocalRange(_options: {
  directory: string;
  range: string;
  signal: AbortSignal;
}): Promise<LocalRange> {
  throw new Error("not built yet");
}
