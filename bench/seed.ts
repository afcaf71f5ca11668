/** An installation with many reviews, made by commands and by the store itself. */
import { join } from "node:path";
import type { Review } from "../src/domain/review.ts";
import { openStore } from "../src/store/open.ts";
import { createIds, createLogger, systemClock } from "../src/system.ts";
import { multiplyReviews } from "./many-reviews.ts";

export interface Seeded {
  environment: Record<string, string>;
  key: string;
  dataDir: string;
  organizationId: string;
  /** The SQLite file. */
  database: string;
}

export interface SeedOptions {
  executable: string;
  folder: string;
  dataDir: string;
  /** Up to 1,000, or a multiple of it. */
  reviews: number;
  /** Of the code host that acme/shop is on. */
  urlTemplate?: string;
}

const reviewsPerTransaction = 1_000;
/** More than these are copies of them. */
const storedReviewsMax = 1_000;
const statuses = ["completed", "completed", "completed", "failed"] as const;

export async function seed(options: SeedOptions): Promise<Seeded> {
  const { executable, folder, dataDir, reviews, urlTemplate = "file:///nowhere/{repository}.git" } = options;
  const environment = {
    HOME: folder,
    PLUMBLINE_DATA_DIR: dataDir,
    PLUMBLINE_SECRET_KEY_FILE: `${dataDir}.key`,
    PLUMBLINE_LOG_LEVEL: "error",
  };
  const password = join(folder, "seed-password");
  await Bun.write(password, "a long enough password");
  const run = async (...args: string[]) =>
    (await Bun.$`${executable} ${args}`.env({ PATH: process.env.PATH ?? "", ...environment }).text()).trim();
  await run("setup", "--org", "acme", "--admin-email", "ada@acme.example", "--admin-password-file", password);
  const key = await run("keys", "create", "--name", "bench");
  await run("hosts", "add", "git", "--name", "local", "--url", urlTemplate);
  await run("repos", "enable", "acme/shop", "--host", "local");
  await run("plans", "set", "team", "--credits", "1000000", "--requests-per-hour", "1000000000");
  const organizationId = await insertReviews(dataDir, Math.min(reviews, storedReviewsMax));
  const database = join(dataDir, "plumbline.db");
  if (reviews > storedReviewsMax) multiplyReviews(database, reviews / storedReviewsMax);
  return { environment, key, dataDir, organizationId, database };
}

async function insertReviews(dataDir: string, count: number): Promise<string> {
  const clock = systemClock;
  const ids = createIds(clock);
  const logger = createLogger({ level: "error", format: "json" });
  const { store } = await openStore({ databaseUrl: null, dataDir, clock, ids, logger });
  const organization = await store.organizations.bySlug("acme");
  const repository = organization && (await store.repositories.byName(organization.id, "acme/shop"));
  if (!organization || !repository) throw new Error("the organization was not set up");
  for (let from = 0; from < count; from += reviewsPerTransaction) {
    await store.transaction(async (tx) => {
      for (let n = from; n < Math.min(count, from + reviewsPerTransaction); n += 1) {
        await tx.reviews.insert(aReview(ids.next("rev"), organization.id, repository.id, n));
      }
    });
  }
  await store.close();
  return organization.id;
}

/** One that ended, the `n`th of many. */
export function aReview(id: string, organizationId: string, repositoryId: string, n: number): Review {
  const at = new Date(Date.UTC(2026, 0, 1) + n * 60_000);
  const status = statuses[n % statuses.length] ?? "completed";
  return {
    id,
    organizationId,
    repositoryId,
    repository: "acme/shop",
    pullRequest: 1 + (n % 5_000),
    origin: "api",
    status,
    options: { focusAreas: [], severityThreshold: "low" },
    pullRequestUrl: `https://git.acme.example/acme/shop/pulls/${n}`,
    headSha: "0123456789abcdef0123456789abcdef01234567",
    baseSha: "89abcdef0123456789abcdef0123456789abcdef",
    summary: "12 files changed (+118 −18). Nothing stands out. ".repeat(10),
    commentsCount: n % 12,
    metrics: { filesAnalyzed: 12, tokensUsed: 0, durationSeconds: 2 },
    failure: status === "failed" ? { code: "timed_out", message: "The review took too long." } : null,
    createdAt: at,
    startedAt: at,
    completedAt: new Date(at.getTime() + 2_000),
  };
}
