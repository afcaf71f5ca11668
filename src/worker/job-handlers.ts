/** Which function runs which kind of job. */
import type { JobHandler } from "../domain/job-handler.ts";
import type { Clock } from "../domain/runtime.ts";
import { createReviewHandler, type ReviewPullRequestDeps } from "../review/review-pull-request.ts";

export interface JobHandlerDeps extends ReviewPullRequestDeps {
  clock: Clock;
  /** Kind `deliver` (outbound/deliver-webhook). */
  deliver: JobHandler;
}

export function createJobHandlers(deps: JobHandlerDeps): Record<string, JobHandler> {
  return { review: createReviewHandler(deps), deliver: deps.deliver };
}
