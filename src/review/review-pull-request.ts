import type { Announce } from "../domain/announce.ts";
import type { CodeHost } from "../domain/code-host.ts";
import type { JobHandler } from "../domain/job-handler.ts";
import type { ReviewEngine } from "../domain/review-engine.ts";
import type { Clock, Logger } from "../domain/runtime.ts";

export interface ReviewPullRequestDeps {
  clock: Clock;
  logger: Logger;
  /** The client of a configured code host, by `CodeHostConfig.id`. */
  codeHost(id: string): Promise<CodeHost>;
  engines: readonly ReviewEngine[];
  announce: Announce;
}

/** Handles jobs of kind `review`. */
export function createReviewHandler(_deps: ReviewPullRequestDeps): JobHandler {
  throw new Error("not built yet");
}
