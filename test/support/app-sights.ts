/** What a test sees of the test app: reviews, comments, credits, announcements. */
import { type CreditBalance, periodOf } from "../../src/domain/credit.ts";
import type { Review, ReviewWithComments } from "../../src/domain/review.ts";
import type { Clock } from "../../src/domain/runtime.ts";
import type { OpenStore } from "../../src/domain/store.ts";

export interface AppSights {
  /** Of `acme`, like everything here. */
  review(review: Pick<Review, "id">): Promise<ReviewWithComments>;
  /** Newest first. */
  reviews(): Promise<ReviewWithComments[]>;
  /** Of the newest review: `src/cart.ts:2 high bug Runs its input.` */
  comments(): Promise<string[]>;
  /** Of this month. */
  credits(): Promise<Pick<CreditBalance, "total" | "used" | "reserved" | "remaining">>;
  /** Events for the webhook endpoint, oldest first: `review.started rev_…`. */
  announced(): Promise<string[]>;
}

const organizationId = "org_acme";
const everything = { offset: 0, limit: 100 };

export function sightsOf(store: OpenStore, clock: Clock): AppSights {
  const sights: AppSights = {
    async review({ id }) {
      const review = await store.reviews.get(organizationId, id);
      if (review === null) throw new Error(`There is no review ${id}.`);
      return review;
    },
    async reviews() {
      const { items } = await store.reviews.list(organizationId, {}, everything);
      return Promise.all(items.map(sights.review));
    },
    async comments() {
      const [newest] = await sights.reviews();
      return (newest?.comments ?? []).map(
        ({ path, line, severity, category, message }) => `${path}:${line} ${severity} ${category} ${message}`,
      );
    },
    async credits() {
      const balance = await store.credits.balance(organizationId, periodOf(clock.now()));
      if (balance === null) throw new Error("Nothing is granted yet.");
      const { total, used, reserved, remaining } = balance;
      return { total, used, reserved, remaining };
    },
    async announced() {
      const { items } = await store.outbox.deliveries(organizationId, {}, everything);
      return items.map(({ event, reviewId }) => `${event} ${reviewId}`).reverse();
    },
  };
  return sights;
}
