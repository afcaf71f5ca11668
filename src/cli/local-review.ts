/** A review of a local repository, with no server, no store and no network: what `plumbline review --local` runs. */
import { openLocalRange } from "../code-hosts/git/local.ts";
import type { ReviewOptions } from "../domain/review.ts";
import type { Logger } from "../domain/runtime.ts";
import { createRulesEngine } from "../engines/rules/rules.ts";
import { ownRules } from "../review/own-rules.ts";
import { type ReviewedDiff, reviewDiff } from "../review/review-diff.ts";
import { systemClock } from "../system.ts";

export interface LocalReviewOptions {
  /** Anywhere inside the repository. */
  directory: string;
  /** `BASE..HEAD` */
  range: string;
  options: ReviewOptions;
  logger: Logger;
  signal: AbortSignal;
}

export interface LocalReview extends ReviewedDiff {
  baseSha: string;
  headSha: string;
}

/** Errors: AppError `not_found`, `bad_request` (see `openLocalRange`); what the engine threw. */
export async function reviewLocally(o: LocalReviewOptions): Promise<LocalReview> {
  const range = await openLocalRange(o);
  const engine = createRulesEngine({ logger: o.logger, ownRules: ownRules(null) });
  try {
    const { close: _, ...given } = range;
    const reviewed = await reviewDiff({
      ...given,
      organizationId: null,
      options: o.options,
      engines: [engine],
      clock: systemClock,
      signal: o.signal,
    });
    return { ...reviewed, baseSha: range.pr.baseSha, headSha: range.pr.headSha };
  } finally {
    await Promise.all([engine.close(), range.close()]);
  }
}
