/** The store of domain/store.ts over one Kysely: each repository is a file of this folder. */
import type { Kysely } from "kysely";
import type { Ids } from "../domain/runtime.ts";
import type { OpenStore, Store } from "../domain/store.ts";
import { SqlApiKeys } from "./api-keys.ts";
import { SqlCircuits } from "./circuits.ts";
import { SqlCodeHosts } from "./code-hosts.ts";
import { SqlCredits } from "./credits.ts";
import { SqlEndpoints } from "./endpoints.ts";
import { SqlIdempotency } from "./idempotency.ts";
import { SqlJobs } from "./jobs.ts";
import { SqlOrganizations } from "./organizations.ts";
import { SqlOutbox } from "./outbox.ts";
import { SqlPlans } from "./plans.ts";
import type { Prepared } from "./prepared.ts";
import { SqlPullRequestHeads } from "./pull-request-heads.ts";
import { SqlRates } from "./rates.ts";
import { SqlRepositories } from "./repositories.ts";
import { SqlReviews } from "./reviews.ts";
import { SqlSettings } from "./settings.ts";
import type { Tables } from "./tables.ts";
import { atomically, type TransactionGuard } from "./transaction.ts";

export interface StoreParts {
  /** The database, or a transaction on it. */
  db: Kysely<Tables>;
  engine: OpenStore["engine"];
  ids: Ids;
  guard: TransactionGuard;
  /** Null inside a transaction, and where the engine has none. */
  prepared: Prepared | null;
}

export class SqlStore implements Store {
  readonly organizations: SqlOrganizations;
  readonly plans: SqlPlans;
  readonly apiKeys: SqlApiKeys;
  readonly codeHosts: SqlCodeHosts;
  readonly repositories: SqlRepositories;
  readonly pullRequestHeads: SqlPullRequestHeads;
  readonly reviews: SqlReviews;
  readonly credits: SqlCredits;
  readonly jobs: SqlJobs;
  readonly endpoints: SqlEndpoints;
  readonly circuits: SqlCircuits;
  readonly outbox: SqlOutbox;
  readonly idempotency: SqlIdempotency;
  readonly rates: SqlRates;
  readonly settings: SqlSettings;
  readonly #parts: StoreParts;

  constructor(parts: StoreParts) {
    const { db, ids } = parts;
    this.#parts = parts;
    this.organizations = new SqlOrganizations(db);
    this.plans = new SqlPlans(db);
    this.apiKeys = new SqlApiKeys(db);
    this.codeHosts = new SqlCodeHosts(db);
    this.repositories = new SqlRepositories(db);
    this.pullRequestHeads = new SqlPullRequestHeads(db);
    this.reviews = new SqlReviews(parts);
    this.credits = new SqlCredits(db, ids);
    this.jobs = new SqlJobs(parts);
    this.endpoints = new SqlEndpoints(db);
    this.circuits = new SqlCircuits(db);
    this.outbox = new SqlOutbox(parts);
    this.idempotency = new SqlIdempotency(db);
    this.rates = new SqlRates(db);
    this.settings = new SqlSettings(db);
  }

  async transaction<T>(work: (tx: Store) => Promise<T>): Promise<T> {
    const { db, guard } = this.#parts;
    if (db.isTransaction) return work(this);
    return atomically(db, (tx) =>
      guard.enter(() => work(new SqlStore({ ...this.#parts, db: tx, prepared: null }))),
    );
  }
}
