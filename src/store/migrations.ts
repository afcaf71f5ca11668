/**
 * Every migration in order. A step is plain SQL that means the same to SQLite and PostgreSQL, is embedded in the
 * binary, and is never edited once released: a change is a new file with the next number, appended here.
 */
import organizations from "./migrations/0001_organizations.sql" with { type: "text" };
import repositories from "./migrations/0002_repositories.sql" with { type: "text" };
import reviews from "./migrations/0003_reviews.sql" with { type: "text" };
import credits from "./migrations/0004_credits.sql" with { type: "text" };
import jobs from "./migrations/0005_jobs.sql" with { type: "text" };
import outbox from "./migrations/0006_outbox.sql" with { type: "text" };
import requests from "./migrations/0007_requests.sql" with { type: "text" };
import people from "./migrations/0008_people.sql" with { type: "text" };
import pullRequestHeads from "./migrations/0009_pull_request_heads.sql" with { type: "text" };

export interface Migration {
  /** 1, 2, 3 …; the schema's version once it is applied. */
  version: number;
  name: string;
  sql: string;
}

export const migrations: readonly Migration[] = [
  { version: 1, name: "organizations", sql: organizations },
  { version: 2, name: "repositories", sql: repositories },
  { version: 3, name: "reviews", sql: reviews },
  { version: 4, name: "credits", sql: credits },
  { version: 5, name: "jobs", sql: jobs },
  { version: 6, name: "outbox", sql: outbox },
  { version: 7, name: "requests", sql: requests },
  { version: 8, name: "people", sql: people },
  { version: 9, name: "pull_request_heads", sql: pullRequestHeads },
];
