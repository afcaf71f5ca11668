/**
 * The built-in reviewer beside the ast-grep command line with the same pattern rules, over the same ordinary pull
 * requests: `bun bench/quality/beside.ts AST_GREP [--mirror DIR] [--repositories N]`, AST_GREP its executable (0.51).
 * It is given the changed files of the head side, as a hook would. It only matches patterns; we also parse the other
 * side, follow input, compare both sides and verify.
 */
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { builtInSources } from "../../src/engines/rules/patterns/built-in-sources.ts";
import { readRules } from "../../src/engines/rules/patterns/catalogue.ts";
import { createRulesEngine } from "../../src/engines/rules/rules.ts";
import { createLogger, systemClock } from "../../src/system.ts";
import { quantile } from "../statistics.ts";
import { milliseconds, printTable } from "../table.ts";
import { fetchRepository, git } from "./fetch.ts";
import { reviewRange } from "./ordinary.ts";
import { type OrdinaryPullRequest, ordinaryPullRequests } from "./pull-requests.ts";
import { ordinaryRepositories } from "./sets.ts";

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    options: { mirror: { type: "string" }, repositories: { type: "string" } },
    allowPositionals: true,
  });
  const [executable] = positionals;
  if (executable === undefined) throw new Error("Name the ast-grep executable.");
  const folder = await mkdtemp(join(tmpdir(), "plumbline-beside-"));
  try {
    const { config, left } = await exportRules(executable, folder);
    if (left.length > 0) console.log(`Its grammars do not take: ${left.join(", ")}`);
    const repositories = ordinaryRepositories.slice(0, Number(values.repositories ?? Infinity));
    await compare(executable, config, repositories, values.mirror ?? null);
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function compare(
  executable: string,
  config: string,
  repositories: typeof ordinaryRepositories,
  mirror: string | null,
): Promise<void> {
  const engine = createRulesEngine({ logger: createLogger({ level: "error", format: "json" }) });
  const [ours, theirs]: [number[], number[]] = [[], []];
  for (const { name, commit } of repositories) {
    const directory = await fetchRepository({ name, commit }, mirror);
    for (const pr of await ordinaryPullRequests(name, directory, commit)) {
      ours.push((await reviewRange(engine, directory, `${pr.base}..${pr.head}`)).ms);
      theirs.push(await scanHead(executable, config, directory, pr));
    }
  }
  await engine.close();
  printTable(
    `${ours.length} ordinary pull requests`,
    ["", "p50", "p95", "in all"],
    [
      ["plumbline, the whole review", ...times(ours)],
      ["ast-grep scan, the patterns alone", ...times(theirs)],
    ],
  );
}

function times(values: readonly number[]): string[] {
  const sorted = values.toSorted((a, b) => a - b);
  const sum = values.reduce((total, ms) => total + ms, 0);
  return [quantile(sorted, 0.5), quantile(sorted, 0.95), sum].map(milliseconds);
}

/** Milliseconds of one run over the changed files. */
async function scanHead(
  executable: string,
  config: string,
  directory: string,
  pr: OrdinaryPullRequest,
): Promise<number> {
  const head = await mkdtemp(join(tmpdir(), "plumbline-beside-head-"));
  try {
    await writeHead(directory, pr, head);
    const began = systemClock.monotonicMs();
    await run([executable, "scan", "-c", config, "--json=compact", head]);
    return systemClock.monotonicMs() - began;
  } finally {
    await rm(head, { recursive: true });
  }
}

async function writeHead(directory: string, pr: OrdinaryPullRequest, into: string): Promise<void> {
  const range = [pr.base, pr.head];
  const changed = await git(["-C", directory, "diff", "--name-only", "-z", "--diff-filter=d", ...range]);
  for (const path of changed.split("\0").filter(Boolean)) {
    const target = join(into, path);
    await mkdir(dirname(target), { recursive: true });
    await Bun.write(target, await git(["-C", directory, "show", `${pr.head}:${path}`]));
  }
}

/** The catalogue in its own format, less the rules that it refuses because its grammar of the language is another. */
async function exportRules(
  executable: string,
  folder: string,
): Promise<{ config: string; left: readonly string[] }> {
  const config = join(folder, "sgconfig.yml");
  await Bun.write(config, "ruleDirs: [rules]\n");
  await mkdir(join(folder, "empty"));
  for (const { id, languages, title, matcher } of readRules(builtInSources()).rules) {
    for (const language of languages) {
      const name = `${id.replace("/", "-")}-in-${language}`;
      const rule = { id: name, language, message: title, severity: "warning", ...matcher };
      await Bun.write(join(folder, "rules", `${name}.yml`), JSON.stringify(rule));
    }
  }
  const left: string[] = [];
  for (;;) {
    const problem = await run([executable, "scan", "-c", config, join(folder, "empty")]);
    const [, refused, name] = /Cannot parse rule (.*\/([^/]+)\.yml)/.exec(problem) ?? [];
    if (refused === undefined || name === undefined) break;
    await rm(refused);
    left.push(name);
  }
  return { config, left };
}

/** What it writes to standard error. */
async function run(command: readonly string[]): Promise<string> {
  const child = Bun.spawn([...command], { stdout: "ignore", stderr: "pipe" });
  const problem = await new Response(child.stderr).text();
  await child.exited;
  return problem;
}

await main();
