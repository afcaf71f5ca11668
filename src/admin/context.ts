/** What an admin's operations work on, and in whose name. */
import type { SecretBox } from "../crypto.ts";
import type { Caller } from "../domain/organization.ts";
import type { CodeHostKind, CodeHostSettings } from "../domain/repository.ts";
import type { Review, ReviewOptions } from "../domain/review.ts";
import type { RuleBook } from "../domain/rule.ts";
import type { Clock, Ids, Logger } from "../domain/runtime.ts";
import type { Store } from "../domain/store.ts";
import type { AddressPolicy } from "../outbound/guard-address.ts";
import type { SendWebhook } from "../outbound/send-webhook.ts";
import type { People } from "../people/people.ts";

/** The same for every caller; made once by whoever opens the store. */
export interface Administration {
  store: Store;
  people: People;
  clock: Clock;
  ids: Ids;
  logger: Logger;
  secretBox: SecretBox;
  /** Without a trailing slash; on a server, known once it listens. */
  siteUrl: () => string;
  /** Stores the review and its job, and wakes the worker where there is one. */
  requestReview: (request: {
    organizationId: string;
    repository: string;
    pullRequest: number;
    options: ReviewOptions;
  }) => Promise<Review>;
  /** Throws AppError `validation_failed` for what the client of that kind could not use. */
  checkCodeHost: (host: {
    kind: CodeHostKind;
    url: string;
    settings: CodeHostSettings;
    hasToken: boolean;
    hasWebhookSecret: boolean;
  }) => void;
  /** What the review engine knows about rules. */
  ruleBook: RuleBook;
  /** Where webhooks may go, and how one is sent at once. */
  webhooks: { addresses: AddressPolicy; send: SendWebhook };
  /** Tells the worker that there is something to do now; without a server, nothing happens. */
  wakeWorker: () => void;
}

export interface AdminContext extends Administration {
  caller: Caller;
}
