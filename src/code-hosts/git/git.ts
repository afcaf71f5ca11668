/** The code host `git`: any Git server, its pull requests told by references (`refs/pull/7/head`). */
import type { CodeHost } from "../../domain/code-host.ts";
import type { CodeHostSettings } from "../../domain/repository.ts";
import type { Logger } from "../../domain/runtime.ts";
import type { GitLimits } from "./limits.ts";

export interface GitHostOptions {
  name: string;
  /** `https://git.corp/{repository}.git`; also file, http, ssh and git. */
  urlTemplate: string;
  /** Template of a pull request's page, `{repository}` and `{number}`; null when there is none. */
  webUrl: string | null;
  settings: CodeHostSettings;
  /** Password of HTTP Basic authentication; its user name comes from the template. */
  token?: string | null;
  /** PEM file of certificate authorities to trust beside the system's. */
  caFile?: string | null;
  /** Ours alone; holds one bare repository for each repository reviewed. Safe to delete while nothing runs. */
  cacheDir: string;
  logger: Logger;
  limits?: Partial<GitLimits>;
}

export type GitHost = CodeHost & { close(): Promise<void> };

/** Throws AppError `validation_failed` when the template or a reference pattern cannot work. */
export function createGitHost(_options: GitHostOptions): GitHost {
  throw new Error("not built yet");
}
