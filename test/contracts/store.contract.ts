/** Everything domain/store.ts promises, tried on one kind of database. */
import { describe } from "bun:test";
import { creditsContract } from "./store-credits.contract.ts";
import { jobClaimsContract } from "./store-job-claims.contract.ts";
import { jobsContract } from "./store-jobs.contract.ts";
import { pullRequestHeadsContract } from "./store-pull-request-heads.contract.ts";
import { recordsContract } from "./store-records.contract.ts";
import { requestsContract } from "./store-requests.contract.ts";
import { reviewListsContract } from "./store-review-lists.contract.ts";
import { reviewsContract } from "./store-reviews.contract.ts";
import { transactionsContract } from "./store-transactions.contract.ts";
import { webhooksContract } from "./store-webhooks.contract.ts";
import type { OpenTestStore } from "./store-world.ts";

export function storeContract(kind: string, open: OpenTestStore): void {
  describe(`the store on ${kind}`, () => {
    recordsContract(open);
    pullRequestHeadsContract(open);
    reviewsContract(open);
    reviewListsContract(open);
    creditsContract(open);
    jobsContract(open);
    jobClaimsContract(open);
    webhooksContract(open);
    requestsContract(open);
    transactionsContract(open);
  });
}
