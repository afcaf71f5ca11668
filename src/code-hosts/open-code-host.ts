/** One client for each configured code host, made when it is first needed. */
import { join } from "node:path";
import { type SecretBox, secretContexts } from "../crypto.ts";
import type { CodeHost } from "../domain/code-host.ts";
import type { CodeHostConfig } from "../domain/repository.ts";
import { ReviewFailed } from "../domain/review.ts";
import type { Logger } from "../domain/runtime.ts";
import type { Store } from "../domain/store.ts";
import type { CheckAddress } from "./git/access.ts";
import { createGitHost } from "./git/git.ts";

export interface CodeHostsOptions {
  store: Store;
  /** Ours alone; each host has a folder in it. */
  cacheDir: string;
  /** PEM file of certificate authorities to trust beside the system's. */
  caFile: string | null;
  /** Refuses addresses that nobody may connect to; absent = none. */
  checkAddress?: CheckAddress;
  secretBox: SecretBox;
  logger: Logger;
  /** For tests: the edge of the network. */
  open?: (config: CodeHostConfig) => CodeHost;
}

export interface CodeHosts {
  /** Errors: `ReviewFailed` when the host has been removed since. */
  byId(id: string): Promise<CodeHost>;
  close(): Promise<void>;
}

type ClosableCodeHost = CodeHost & { close?(): Promise<void> };

export function createCodeHosts(options: CodeHostsOptions): CodeHosts {
  const clients = new Map<string, ClosableCodeHost>();
  const open = options.open ?? ((config) => openCodeHost(config, options));
  return {
    async byId(id) {
      const known = clients.get(id);
      if (known !== undefined) return known;
      const config = await options.store.codeHosts.get(id);
      if (config === null)
        throw new ReviewFailed("repository_unreachable", "The code host of this repository was removed.");
      const client = clients.get(id) ?? open(config);
      clients.set(id, client);
      return client;
    },
    async close() {
      await Promise.all([...clients.values()].map((client) => client.close?.()));
    },
  };
}

function openCodeHost(
  config: CodeHostConfig,
  { cacheDir, caFile, checkAddress, secretBox, logger }: CodeHostsOptions,
): ClosableCodeHost {
  switch (config.kind) {
    case "git":
      return createGitHost({
        name: config.name,
        urlTemplate: config.url,
        webUrl: config.webUrl,
        settings: config.settings,
        token:
          config.sealedToken === null
            ? null
            : secretBox.open(config.sealedToken, secretContexts.codeHostToken(config.id)),
        caFile,
        ...(checkAddress === undefined ? {} : { checkAddress }),
        cacheDir: join(cacheDir, config.id),
        logger,
      });
    case "github":
    case "gitlab":
    case "gitea":
    case "bitbucket":
      throw new ReviewFailed(
        "repository_unreachable",
        `Code hosts of kind ${config.kind} are not supported by this version.`,
      );
  }
}
