/**
 * Everything Plumbline remembers, as small repositories behind one handle. Implemented on SQLite and PostgreSQL by
 * one query code (src/store/); test/contracts/store.contract holds every implementation to what is said here.
 *
 * Every method may be called on the store or, inside `transaction`, on its `tx`; alone it is a transaction of its own.
 * A missing row is null or false; a unique or foreign key violation is AppError `conflict`; a full disk `storage_full`;
 * a lock held or a database away for too long `storage_busy`. A read sees every write answered before it.
 * Text is kept as it is, but for what no database can hold: NUL and half a surrogate pair become U+FFFD.
 */
import type { CreditBalance, Period } from "./credit.ts";
import type { ClaimedJob, JobState, Lane, NewJob } from "./job.ts";
import type { ApiKey, Organization } from "./organization.ts";
import type { Plan } from "./plan.ts";
import type { CodeHostConfig, Repository, RepositoryWithCounts } from "./repository.ts";
import type { Review, ReviewFailure, ReviewOutcome, ReviewStatus, ReviewWithComments } from "./review.ts";
import type { CircuitStore, EndpointStore, OutboxStore } from "./webhook-store.ts";

export interface Store {
  readonly organizations: OrganizationStore;
  readonly plans: PlanStore;
  readonly apiKeys: ApiKeyStore;
  readonly codeHosts: CodeHostStore;
  readonly repositories: RepositoryStore;
  readonly pullRequestHeads: PullRequestHeadStore;
  readonly reviews: ReviewStore;
  readonly credits: CreditStore;
  readonly jobs: JobStore;
  readonly endpoints: EndpointStore;
  readonly circuits: CircuitStore;
  readonly outbox: OutboxStore;
  readonly idempotency: IdempotencyStore;
  readonly rates: RateStore;
  readonly settings: SettingStore;
  /**
   * All or nothing. Inside, use `tx` only (the outer handle throws) and await nothing but `tx`: on SQLite one
   * writer runs the transactions one after another, and one that takes over 10 s is rolled back. Answers only after
   * COMMIT is durable. A statement that fails dooms the transaction, also when `work` catches its error. PostgreSQL
   * may run `work` again to break a deadlock: let it change nothing but `tx`. On a `tx` it joins that transaction.
   */
  transaction<T>(work: (tx: Store) => Promise<T>): Promise<T>;
}

/** A store with the life of a process: what app.ts opens and closes. */
export interface OpenStore extends Store {
  readonly engine: "sqlite" | "postgres";
  /** Answers when the database does; for /readyz. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

export interface OrganizationStore {
  insert(organization: Organization): Promise<void>;
  get(id: string): Promise<Organization | null>;
  bySlug(slug: string): Promise<Organization | null>;
  list(): Promise<readonly Organization[]>;
  update(
    id: string,
    change: Partial<Pick<Organization, "name" | "plan" | "creditsPerMonth" | "requestsPerHour">>,
  ): Promise<boolean>;
}

export interface PlanStore {
  get(name: string): Promise<Plan | null>;
  list(): Promise<readonly Plan[]>;
  /** Inserts or replaces. */
  put(plan: Plan): Promise<void>;
}

export interface ApiKeyStore {
  insert(key: ApiKey): Promise<void>;
  byHash(hash: string): Promise<ApiKey | null>;
  list(organizationId: string): Promise<readonly ApiKey[]>;
  revoke(organizationId: string, id: string, at: Date): Promise<boolean>;
  /** Written at most once a minute a key by the caller. */
  touch(id: string, at: Date): Promise<void>;
  /** A number that changes with every insert or revoke, cheap to read: tells caches in any process to forget. */
  version(): Promise<number>;
}

export interface CodeHostStore {
  insert(host: CodeHostConfig): Promise<void>;
  get(id: string): Promise<CodeHostConfig | null>;
  byName(organizationId: string, name: string): Promise<CodeHostConfig | null>;
  list(organizationId: string): Promise<readonly CodeHostConfig[]>;
  /** Refused with `conflict` while a repository is on it. */
  delete(organizationId: string, id: string): Promise<boolean>;
}

export interface RepositoryStore {
  insert(repository: Repository): Promise<void>;
  update(
    id: string,
    change: Partial<Pick<Repository, "codeHostId" | "autoReview" | "disabledAt">>,
  ): Promise<boolean>;
  get(id: string): Promise<Repository | null>;
  byName(organizationId: string, name: string): Promise<Repository | null>;
  /** The enabled ones by name, with their counts. */
  list(organizationId: string): Promise<readonly RepositoryWithCounts[]>;
  /** The enabled ones of all organizations whose pull requests are reviewed without being asked. */
  autoReviewed(): Promise<readonly Repository[]>;
}

export interface PullRequestHead {
  number: number;
  headSha: string;
}

/** What polling has seen of a repository, so that a head is reviewed once, over restarts too. */
export interface PullRequestHeadStore {
  /** Null before the first `record`: those heads are the baseline. */
  known(repositoryId: string): Promise<readonly PullRequestHead[] | null>;
  /** Replaces what was known. */
  record(repositoryId: string, heads: readonly PullRequestHead[], at: Date): Promise<void>;
  /** The next `record` is a baseline again. */
  forget(repositoryId: string): Promise<void>;
}

export interface ReviewFilter {
  status?: ReviewStatus;
  repository?: string;
}

export interface Page<T> {
  items: readonly T[];
  total: number;
}

/** What a list shows of a review and nothing else: reading the columns is most of what a list costs. */
export type ReviewListItem = Pick<
  Review,
  "id" | "repository" | "pullRequest" | "status" | "commentsCount" | "createdAt" | "completedAt"
>;

export interface ReviewStore {
  insert(review: Review): Promise<void>;
  get(organizationId: string, id: string): Promise<ReviewWithComments | null>;
  /** Newest first, ties by id. The cost does not grow with the number of reviews (totals are counted as they change). */
  list(
    organizationId: string,
    filter: ReviewFilter,
    page: { offset: number; limit: number },
  ): Promise<Page<ReviewListItem>>;
  /** Neither completed nor failed, oldest first. */
  unfinished(repositoryId: string, pullRequest: number): Promise<readonly Review[]>;
  /** Changes whenever any review of the organization does: for ETag without reading the rows. */
  version(organizationId: string): Promise<number>;
  /** Sets `startedAt` and `processing`; false when it was already started (then nothing changes) or has ended. */
  start(id: string, at: Date): Promise<boolean>;
  /** Records what the host said of the pull request. */
  setPullRequest(id: string, known: Pick<Review, "pullRequestUrl" | "headSha" | "baseSha">): Promise<void>;
  /** `pending` or `processing` → `completed` with its comments; false when it had ended before. */
  complete(id: string, outcome: ReviewOutcome, at: Date): Promise<boolean>;
  /** `pending` or `processing` → `failed`; false when it had ended before. */
  fail(id: string, failure: ReviewFailure, at: Date): Promise<boolean>;
  /** For GET /v1/usage: of reviews created in the period, superseded ones left out; counted as they change. */
  usage(organizationId: string, period: Period): Promise<ReviewUsage>;
  /** Mean duration in seconds of the last 50 completed reviews; null without any. */
  recentDurationSeconds(organizationId: string): Promise<number | null>;
}

export interface ReviewUsage {
  reviews: number;
  tokensUsed: number;
  /** Of the completed ones; 0 without any. */
  averageSeconds: number;
}

/** An append-only ledger per organization and period; balance = grants − entries. */
export interface CreditStore {
  /** Makes the period's grant `amount` unless it has one; idempotent. Answers whether it was written now. */
  grant(organizationId: string, period: Period, amount: number, at: Date): Promise<boolean>;
  /**
   * Adds or takes by a ledger entry, so that the total becomes `amount`, but not below what is used and reserved.
   * Before the period's grant nothing happens.
   */
  adjustTotal(organizationId: string, period: Period, amount: number, at: Date): Promise<void>;
  /**
   * One conditional statement: never below zero, whatever runs at once; `insufficient` before the period's grant.
   * One reservation a review: asking again answers `reserved` and takes nothing.
   */
  reserve(
    organizationId: string,
    period: Period,
    reviewId: string,
    amount: number,
    at: Date,
  ): Promise<"reserved" | "insufficient">;
  /** Turns the review's reservation into use; without one, or settled before, nothing happens. */
  settle(reviewId: string, at: Date): Promise<void>;
  /** Returns the review's reservation; without one, or settled before, nothing happens. */
  release(reviewId: string, at: Date): Promise<void>;
  /** Null before the period's grant. */
  balance(organizationId: string, period: Period): Promise<CreditBalance | null>;
}

/** The queue (reference: reliability §3). A write that names a lease answers false when the lease was lost. */
export interface JobStore {
  enqueue(job: NewJob, at: Date): Promise<{ id: string } | "duplicate">;
  /**
   * The organization with the fewest running jobs in the lane first, then its head job by priority, `runAt`, id.
   * Skips organizations at their cap, and jobs whose lock key is running. Counts the attempt.
   */
  claim(lane: Lane, now: Date, leaseToken: string): Promise<ClaimedJob | null>;
  /** The same again and again, at most as often as there are tokens: fewer come back when no more can be claimed. */
  claimSeveral(lane: Lane, now: Date, leaseTokens: readonly string[]): Promise<readonly ClaimedJob[]>;
  heartbeat(job: ClaimedJob, now: Date): Promise<boolean>;
  complete(job: ClaimedJob, now: Date): Promise<boolean>;
  /** Back to queued, to run at `runAt`. */
  retry(job: ClaimedJob, runAt: Date, error: string): Promise<boolean>;
  /** Ends it as failed; kept for the admin. */
  bury(job: ClaimedJob, now: Date, error: string): Promise<boolean>;
  /** Back to queued at once, the attempt not counted: the process is stopping. */
  release(job: ClaimedJob, now: Date): Promise<boolean>;
  /** Puts orphans back to queued (or buries them at their last attempt, answering those): on SQLite all running ones at start, on PostgreSQL those whose lease ended. */
  recover(now: Date, which: "all" | "expired"): Promise<readonly ClaimedJob[]>;
  /** When the next queued job of the lane is due; null when there is none. */
  nextRunAt(lane: Lane): Promise<Date | null>;
  /** Of the queued, the running and the failed; the cost does not grow with the number of those done. */
  counts(): Promise<readonly { lane: Lane; state: JobState; count: number }[]>;
  /** Deletes ended ones older than `before`, at most `limit`. */
  prune(before: Date, limit: number): Promise<number>;
}

export interface StoredAnswer {
  status: number;
  /** Header names in lower case. */
  headers: Readonly<Record<string, string>>;
  body: string;
}

/** Idempotency-Key (docs/api.md): scoped by organization and route, kept 24 h. */
export interface IdempotencyStore {
  /**
   * Claims the key, or says what is known of it. An answer older than 24 h is forgotten, and so is a request that
   * has been running for over 5 minutes: its process died.
   */
  begin(
    organizationId: string,
    route: string,
    key: string,
    fingerprint: string,
    now: Date,
  ): Promise<
    | { state: "new" }
    | { state: "running"; fingerprint: string }
    | { state: "done"; fingerprint: string; answer: StoredAnswer }
  >;
  finish(organizationId: string, route: string, key: string, answer: StoredAnswer): Promise<void>;
  abandon(organizationId: string, route: string, key: string): Promise<void>;
  prune(before: Date): Promise<number>;
}

/** Requests counted per subject (an organization, or `ip:…`) and UTC hour. */
export interface RateStore {
  /** Adds `count` and answers the hour's sum. */
  add(subject: string, hour: string, count: number): Promise<number>;
  load(hour: string): Promise<readonly { subject: string; count: number }[]>;
  prune(beforeHour: string): Promise<void>;
}

/** Instance-wide values that fit nowhere else, JSON. */
export interface SettingStore {
  get(name: string): Promise<unknown>;
  put(name: string, value: unknown): Promise<void>;
}
