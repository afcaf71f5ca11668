/** A run of the service of its own, to be killed or starved: `bun one-run.ts URL_TEMPLATE CACHE_FOLDER`. */
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
const answer = await host.getPullRequest(first, never).catch((error: Error) => error);
console.log(answer instanceof Error ? answer.message : answer.headSha);
await host.close();
