import type { Review } from "./review.ts";
import type { Store } from "./store.ts";
import type { ReviewEventName } from "./webhook.ts";

/** Tells the organization's webhook endpoint of a review's new state, in the transaction that changes the state. */
export type Announce = (tx: Store, event: ReviewEventName, review: Review) => Promise<void>;
