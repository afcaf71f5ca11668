/** A built-in review of a large pull request, in its parts, beside what Git alone takes for the same diff. */
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { createGitHost } from "../src/code-hosts/git/git.ts";
import { parseHunks } from "../src/code-hosts/patch.ts";
import type { Diff } from "../src/domain/diff.ts";
import type { PullRequest } from "../src/domain/pull-request.ts";
import { defaultReviewOptions, type ReviewOutcome } from "../src/domain/review.ts";
import type { ReadFile } from "../src/domain/review-engine.ts";
import { createRulesEngine } from "../src/engines/rules/rules.ts";
import { reviewDiff } from "../src/review/review-diff.ts";
import { openStore } from "../src/store/open.ts";
import { createIds, createLogger, systemClock } from "../src/system.ts";
import type { GitRepository } from "../test/support/git-repository.ts";
import { addedLinesPerFile, files, makeLargePullRequest } from "./large-pull-request.ts";
import { startProgram } from "./program.ts";
import { type Seeded, seed } from "./seed.ts";
import { elapsedMs } from "./statistics.ts";
import { milliseconds, printTable, ratio } from "./table.ts";

const logger = createLogger({ level: "error", format: "json" });
const runs = 3;

/** Milliseconds. */
interface Parts {
  git: number;
  parsing: number;
  rules: number;
  verifying: number;
  storing: number;
}

export async function benchReviewing(executable: string, folder: string): Promise<void> {
  await using repository = await makeLargePullRequest();
  const git = await bareGit(repository, folder);
  const dataDir = join(folder, "reviewing-data");
  await mkdir(dataDir, { mode: 0o700 });
  const seeded = await seed({ executable, folder, dataDir, reviews: 0, urlTemplate: repository.urlTemplate });
  const measured: Parts[] = [];
  const engine = createRulesEngine({ logger });
  for (let run = 0; run < runs; run += 1) {
    measured.push(await measureParts(repository, engine, join(folder, `git-cache-${run}`), seeded));
  }
  await engine.close();
  const whole = await throughTheServer(executable, seeded);
  report(git, measured, whole);
}

/** Fetch and diff by hand, without limits and without hardening. */
async function bareGit({ directory }: GitRepository, folder: string): Promise<number> {
  const cache = join(folder, "bare-git");
  const { ms } = await elapsedMs(async () => {
    await Bun.$`git init --quiet --bare ${cache}`;
    await Bun.$`git -C ${cache} fetch --quiet ${`file://${directory}`} refs/heads/main:refs/base refs/pull/1/head:refs/head`;
    await Bun.$`git -C ${cache} diff refs/base...refs/head`.quiet();
  });
  return ms;
}

async function measureParts(
  repository: GitRepository,
  engine: ReturnType<typeof createRulesEngine>,
  cacheDir: string,
  seeded: Seeded,
): Promise<Parts> {
  const signal = new AbortController().signal;
  const host = createGitHost({
    ...{ name: "local", urlTemplate: repository.urlTemplate, webUrl: null, settings: {}, cacheDir, logger },
  });
  const fetched = await elapsedMs(async () => {
    const pr = await host.getPullRequest({ repository: "acme/shop", number: 1 }, signal);
    return { pr, diff: await host.getDiff(pr, signal) };
  });
  const { pr, diff } = fetched.result;
  const parsing = await parsingMs(repository);
  const readFile: ReadFile = (path, side) => host.getFile(pr, path, side, signal);
  let rulesMs = 0;
  const timed = {
    ...engine,
    name: engine.name,
    async review(input: Parameters<typeof engine.review>[0]) {
      const { ms, result } = await elapsedMs(() => engine.review(input));
      rulesMs = ms;
      return result;
    },
  };
  const reviewed = await elapsedMs(() => review(pr, diff, readFile, timed, signal));
  const storing = await storingMs(reviewed.result, seeded);
  await host.close();
  await rm(cacheDir, { recursive: true, force: true });
  return {
    git: fetched.ms - parsing,
    parsing,
    rules: rulesMs,
    verifying: reviewed.ms - rulesMs,
    storing,
  };
}

function review(
  pr: PullRequest,
  diff: Diff,
  readFile: ReadFile,
  engine: ReturnType<typeof createRulesEngine>,
  signal: AbortSignal,
): Promise<ReviewOutcome> {
  const options = defaultReviewOptions;
  return reviewDiff({
    ...{ organizationId: null, pr, diff, readFile, listFiles: async () => [], search: async () => null },
    ...{ options, engines: [engine], clock: systemClock, signal },
  });
}

async function parsingMs({ directory }: GitRepository): Promise<number> {
  const patch = await Bun.$`git --git-dir ${directory} diff refs/heads/main...refs/pull/1/head`
    .quiet()
    .text();
  const patches = patch.split(/^(?=diff --git )/m);
  const { ms } = await elapsedMs(async () => patches.map(parseHunks));
  return ms;
}

async function storingMs(outcome: ReviewOutcome, { dataDir, organizationId }: Seeded): Promise<number> {
  const clock = systemClock;
  const ids = createIds(clock);
  const { store } = await openStore({ databaseUrl: null, dataDir, clock, ids, logger });
  const repository = await store.repositories.byName(organizationId, "acme/shop");
  if (repository === null) throw new Error("acme/shop is not enabled");
  const id = ids.next("rev");
  await store.reviews.insert({
    ...{ id, organizationId, repositoryId: repository.id, repository: "acme/shop", pullRequest: 1 },
    ...{ origin: "api", status: "processing", options: defaultReviewOptions, pullRequestUrl: null },
    ...{ headSha: null, baseSha: null, summary: null, commentsCount: 0, metrics: null, failure: null },
    ...{ createdAt: clock.now(), startedAt: null, completedAt: null },
  });
  const { ms } = await elapsedMs(() =>
    store.transaction((tx) => tx.reviews.complete(id, outcome, clock.now())),
  );
  await store.close();
  return ms;
}

/** From the request to the completed review, as a client sees it; the second has a warm cache. */
async function throughTheServer(executable: string, { environment, key }: Seeded): Promise<number[]> {
  const program = await startProgram({
    command: [executable, "serve", "--port", "0"],
    environment,
    path: "/healthz",
  });
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const body = JSON.stringify({ repository: "acme/shop", pull_request: 1 });
  const one = async () => {
    const created = await fetch(`${program.url}/v1/reviews`, { method: "POST", headers, body });
    const { id } = (await created.json()) as { id: string };
    for (;;) {
      const answer = await fetch(`${program.url}/v1/reviews/${id}`, { headers });
      const { status, error } = (await answer.json()) as { status: string; error: unknown };
      if (status === "completed") return;
      if (status === "failed") throw new Error(`the review failed: ${JSON.stringify(error)}`);
      await Bun.sleep(5);
    }
  };
  try {
    return [(await elapsedMs(one)).ms, (await elapsedMs(one)).ms];
  } finally {
    await program.stop();
  }
}

function report(git: number, measured: readonly Parts[], whole: readonly number[]): void {
  const first = measured[0];
  const last = measured.at(-1);
  if (first === undefined || last === undefined) return;
  const row = (name: string, a: number, b: number) => [
    ...[name, milliseconds(a), milliseconds(b), ratio(b, git)],
  ];
  const total = (parts: Parts) => Object.values(parts).reduce((sum, ms) => sum + ms, 0);
  printTable(
    `A review of ${files} files and ${files * addedLinesPerFile} added lines`,
    ["part", "first", "later", "later, to bare git"],
    [
      row("bare git fetch and diff", git, git),
      row("git: fetch and diff, hardened", first.git, last.git),
      row("parsing the diff", first.parsing, last.parsing),
      row("rules", first.rules, last.rules),
      row("selecting, verifying, summarizing", first.verifying, last.verifying),
      row("storing", first.storing, last.storing),
      row("all parts", total(first), total(last)),
      row("by the API, request to completed", whole[0] ?? Number.NaN, whole[1] ?? Number.NaN),
    ],
  );
}
