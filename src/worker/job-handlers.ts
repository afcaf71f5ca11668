/** Which function runs which kind of job. */
import type { JobHandler } from "../domain/job-handler.ts";
import type { Ids } from "../domain/runtime.ts";
import { pollKind } from "../inbound/poll-job.ts";
import { createPollHandler } from "../inbound/poll-pull-requests.ts";
import { reviewJobKind } from "../review/review-job.ts";
import { createReviewHandler, type ReviewPullRequestDeps } from "../review/review-pull-request.ts";
import { createGrantCredits, createPrune } from "./housekeeping.ts";

export interface JobHandlerDeps extends ReviewPullRequestDeps {
  ids: Ids;
  /** Kind `deliver` (outbound/deliver-webhook). */
  deliver: JobHandler;
}

export function createJobHandlers(deps: JobHandlerDeps): Record<string, JobHandler> {
  return {
    [reviewJobKind]: createReviewHandler(deps),
    deliver: deps.deliver,
    [pollKind]: createPollHandler(deps),
    grant_credits: createGrantCredits(deps.clock),
    prune: createPrune(deps.clock),
  };
}
