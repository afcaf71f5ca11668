/** A repository on which the service is enabled, and the code host it lives on. */

export const codeHostKinds = ["git", "github", "gitlab", "gitea", "bitbucket"] as const;
export type CodeHostKind = (typeof codeHostKinds)[number];

/** A code host as an admin configured it. Secrets are sealed (see crypto.ts) and opened only by app.ts. */
export interface CodeHostConfig {
  id: string;
  organizationId: string;
  kind: CodeHostKind;
  /** The admin's short name for it, unique in the organization; `--host local`. */
  name: string;
  /** Base address; for kind `git` a template with `{repository}`. */
  url: string;
  /** Template of a pull request's page: `{repository}`, `{number}`; null = `{site_url}/reviews/{id}`. */
  webUrl: string | null;
  settings: CodeHostSettings;
  sealedToken: string | null;
  sealedWebhookSecret: string | null;
  createdAt: Date;
}

/** Options by kind; all optional. */
export interface CodeHostSettings {
  /** Kind `git`: where a pull request's head is, `refs/pull/{number}/head` by default. */
  headRef?: string;
  /** Kind `git`: the base of every pull request; the default branch when absent. */
  baseRef?: string;
}

export interface Repository {
  id: string;
  organizationId: string;
  /** `owner/repo`, 2 to 20 segments; unique in the organization, whichever host it is on. */
  name: string;
  codeHostId: string;
  autoReview: boolean;
  createdAt: Date;
  /** Null while enabled. A disabled repository keeps its reviews. */
  disabledAt: Date | null;
}

/** A repository with the counts that `GET /v1/repositories` reports (specification §2). */
export interface RepositoryWithCounts extends Repository {
  reviewsCount: number;
  lastReviewAt: Date | null;
}

const segment = /^[A-Za-z0-9_.~-]+$/;
export const repositoryNameLengthMax = 500;

/** `owner/repo` with 2 to 20 segments of letters, digits, `_ . ~ -`; no segment is `.` or `..` or ends in `.git`. */
export function isRepositoryName(text: string): boolean {
  if (text.length > repositoryNameLengthMax) return false;
  const segments = text.split("/");
  if (segments.length < 2 || segments.length > 20) return false;
  return segments.every(
    (s) => segment.test(s) && s !== "." && s !== ".." && !s.startsWith("-") && !s.endsWith(".git"),
  );
}
