/** What the store remembers of outbound webhooks: endpoints, how they answer, and every delivery with its attempts. */
import type { ClaimedJob } from "./job.ts";
import type { Page } from "./store.ts";
import type { Circuit, DeliveryState, WebhookAttempt, WebhookEndpoint, WebhookMessage } from "./webhook.ts";

export interface EndpointStore {
  /** One an organization for now; replaces it, keeping its id. */
  put(endpoint: WebhookEndpoint): Promise<void>;
  get(organizationId: string): Promise<WebhookEndpoint | null>;
  byId(id: string): Promise<WebhookEndpoint | null>;
  disable(id: string, reason: string, at: Date): Promise<boolean>;
  enable(id: string): Promise<boolean>;
  delete(organizationId: string): Promise<boolean>;
}

/**
 * How each endpoint has answered lately, one row an endpoint (made on first use). Every write is one statement that
 * leaves the row locked until the transaction ends, so that processes which share a database count exactly.
 */
export interface CircuitStore {
  /** A closed circuit without failures when nothing is recorded. */
  get(endpointId: string): Promise<Circuit>;
  /** Adds one failure, the first of them with its time; answers the circuit as it is then. */
  countFailure(endpointId: string, at: Date): Promise<Circuit>;
  /** Opens it until `until` and counts the opening. */
  open(endpointId: string, until: Date): Promise<void>;
  /** Moves an opening that ended by `now` on to `until`: of all that ask at once one is told true, and tries. */
  claimProbe(endpointId: string, now: Date, until: Date): Promise<boolean>;
  /** Ends an opening at `now`, if there is one, so that the next delivery is a probe; failures stay counted. */
  halfOpen(endpointId: string, now: Date): Promise<void>;
  /** Forgets failures and openings. */
  close(endpointId: string): Promise<void>;
}

export interface Delivery {
  id: string;
  messageId: string;
  endpointId: string;
  organizationId: string;
  state: DeliveryState;
  /** Automatic attempts made. */
  attempts: number;
  /** Null once it waits for nothing. */
  nextAttemptAt: Date | null;
  createdAt: Date;
  endedAt: Date | null;
}

export type DeliveryProgress = Pick<Delivery, "state" | "attempts" | "nextAttemptAt" | "endedAt">;

export interface OutboxStore {
  insertMessage(message: WebhookMessage): Promise<void>;
  insertDelivery(delivery: Delivery): Promise<void>;
  message(id: string): Promise<WebhookMessage | null>;
  delivery(id: string): Promise<Delivery | null>;
  recordAttempt(attempt: WebhookAttempt, after: DeliveryProgress): Promise<void>;
  /** The same and the end of its job in one transaction; false when the job's lease was lost, and nothing is written. */
  finishAttempt(
    job: ClaimedJob,
    attempt: WebhookAttempt,
    after: DeliveryProgress,
    now: Date,
  ): Promise<boolean>;
  /** Moves a delivery on without an attempt: put off while the circuit is open, or cancelled. */
  updateDelivery(id: string, after: DeliveryProgress): Promise<void>;
  /** Newest first. */
  deliveries(
    organizationId: string,
    filter: { state?: DeliveryState; since?: Date },
    page: { offset: number; limit: number },
  ): Promise<Page<Delivery & { event: string; reviewId: string }>>;
  attempts(deliveryId: string): Promise<readonly WebhookAttempt[]>;
  /** What the endpoint's answers were since `since` (test deliveries left out): for disabling it automatically. */
  health(
    endpointId: string,
    since: Date,
  ): Promise<{ succeeded: number; failedMessages: number; firstFailureAt: Date | null }>;
  /** Deletes deliveries that ended before `before` with their attempts and messages, at most `limit`. */
  prune(before: Date, limit: number): Promise<number>;
}
