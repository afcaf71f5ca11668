/** SQLite's hand-written statements, put together. */
import type { Prepared } from "../prepared.ts";
import type { Statement, StatementResult } from "../session.ts";
import type { TransactionGuard } from "../transaction.ts";
import { jobClaimer, nextRunReader } from "./claim-jobs.ts";
import { attemptFinisher } from "./finish-attempt.ts";
import { reviewPageReader, reviewVersionReader } from "./review-page.ts";
import type { WriteQueue } from "./write-queue.ts";

export interface PreparedParts {
  /** Runs a SELECT outside of transactions. */
  read: (statement: Statement) => Promise<StatementResult>;
  writer: WriteQueue;
  guard: TransactionGuard;
}

export function preparedStatements(parts: PreparedParts): Prepared {
  return {
    listReviews: reviewPageReader(parts),
    reviewVersion: reviewVersionReader(parts),
    nextRunAt: nextRunReader(parts),
    claimSeveral: jobClaimer(parts),
    finishAttempt: attemptFinisher(parts),
  };
}
