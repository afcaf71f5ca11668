/** A run of the service that is killed while it fetches: `bun fetch-and-hang.ts URL_TEMPLATE CACHE_FOLDER`. */
import { createGitHost } from "../../../src/code-hosts/git/git.ts";
import { first, never } from "./a-git-host.ts";
import { silentLogger } from "./silent-logger.ts";

const [urlTemplate = "", cacheDir = ""] = process.argv.slice(2);
const host = createGitHost({
  name: "local",
  urlTemplate,
  webUrl: null,
  settings: {},
  cacheDir,
  logger: silentLogger,
});
await host.getPullRequest(first, never);
