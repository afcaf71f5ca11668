/** What the store's contract is tried on: small records with everything they need around them. */
import type { ReviewComment } from "../../src/domain/comment.ts";
import type { ClaimedJob, NewJob } from "../../src/domain/job.ts";
import type { Organization } from "../../src/domain/organization.ts";
import type { Plan } from "../../src/domain/plan.ts";
import type { CodeHostConfig, Repository } from "../../src/domain/repository.ts";
import { defaultReviewOptions, type Review, type ReviewOutcome } from "../../src/domain/review.ts";
import type { Store } from "../../src/domain/store.ts";
import type { TestStore } from "../support/databases.ts";

export type OpenTestStore = () => Promise<TestStore>;

export const noon = new Date("2026-11-21T12:00:00.000Z");

/** `12:00:05` of the same day is `after(5)`. */
export function after(seconds: number): Date {
  return new Date(noon.getTime() + seconds * 1000);
}

export function anOrganization(name = "acme"): Organization {
  return {
    id: `org_${name}`,
    slug: name,
    name: name.toUpperCase(),
    plan: "team",
    creditsPerMonth: null,
    requestsPerHour: null,
    createdAt: noon,
  };
}

export function aPlanNamed(name: string): Plan {
  return { name, creditsPerMonth: 100, requestsPerHour: 1000 };
}

export function aCodeHost(organization = "acme", name = "local"): CodeHostConfig {
  return {
    id: `host_${organization}_${name}`,
    organizationId: `org_${organization}`,
    kind: "git",
    name,
    url: "file:///srv/git/{repository}.git",
    webUrl: null,
    settings: { baseRef: "main" },
    sealedToken: null,
    sealedWebhookSecret: null,
    createdAt: noon,
  };
}

export function aRepository(name = "acme/shop"): Repository {
  const [organization] = name.split("/");
  return {
    id: `repo_${name}`,
    organizationId: `org_${organization}`,
    name,
    codeHostId: `host_${organization}_local`,
    autoReview: false,
    createdAt: noon,
    disabledAt: null,
  };
}

export function aReview(id: string, change: Partial<Review> = {}): Review {
  const repository = change.repository ?? "acme/shop";
  const [organization] = repository.split("/");
  return {
    id: `rev_${id}`,
    organizationId: `org_${organization}`,
    repositoryId: `repo_${repository}`,
    repository,
    pullRequest: 7,
    origin: "api",
    status: "processing",
    options: defaultReviewOptions,
    pullRequestUrl: null,
    headSha: null,
    baseSha: null,
    summary: null,
    commentsCount: 0,
    metrics: null,
    failure: null,
    createdAt: noon,
    startedAt: null,
    completedAt: null,
    ...change,
  };
}

export function aComment(line: number): ReviewComment {
  return {
    path: "src/cart.ts",
    line,
    startLine: null,
    severity: "high",
    category: "security",
    message: `Runs its input on line ${line}.`,
    suggestion: null,
    engine: "rules",
    rule: "js/eval",
    cwe: 95,
    fingerprint: `print-${line}`,
  };
}

export function anOutcome(comments: readonly ReviewComment[] = []): ReviewOutcome {
  return {
    summary: "Two things to look at.",
    comments,
    metrics: { filesAnalyzed: 3, tokensUsed: 120, durationSeconds: 9 },
  };
}

export function aJob(change: Partial<NewJob> = {}): NewJob {
  return {
    lane: "review",
    organizationId: "org_acme",
    kind: "review",
    lockKey: null,
    dedupeKey: null,
    payload: {},
    runAt: noon,
    maxAttempts: 3,
    priority: 0,
    ...change,
  };
}

/** An organization with a code host and one repository. */
export async function settleIn(store: Store, repository = "acme/shop"): Promise<void> {
  const [organization = ""] = repository.split("/");
  await store.organizations.insert(anOrganization(organization));
  await store.codeHosts.insert(aCodeHost(organization));
  await store.repositories.insert(aRepository(repository));
}

/** Claims until nothing is left to claim. */
export async function claimAll(store: Store, now = noon): Promise<ClaimedJob[]> {
  const claimed: ClaimedJob[] = [];
  for (;;) {
    const job = await store.jobs.claim("review", now, `token-${claimed.length + 1}`);
    if (job === null) return claimed;
    claimed.push(job);
  }
}

/** What a job was enqueued with, to tell jobs apart. */
export function payloads(jobs: readonly ClaimedJob[]): unknown[] {
  return jobs.map(({ payload }) => payload);
}

/**
 * What `work` fails with. Not `expect(…).rejects`: that waits without letting go of the thread, and inside a reply of
 * the SQLite writer's Worker no further reply arrives then.
 */
export async function failureOf(work: Promise<unknown>): Promise<unknown> {
  try {
    await work;
  } catch (error) {
    return error;
  }
  throw new Error("it did not fail");
}
