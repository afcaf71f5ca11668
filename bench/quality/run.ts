/**
 * Measures the built-in reviewer: `bun bench/quality/run.ts [--only SET] [--mirror DIR]`, SET one of `own`,
 * `ordinary`, `owasp`, `fixes`, `blamed`. Prints the tables of docs/quality.md; exits with 1 when a gate is missed.
 */
import { cpus } from "node:os";
import { parseArgs } from "node:util";
import { counts } from "../../src/cli/bench.ts";
import { ownCases } from "../../src/cli/bench-cases.ts";
import { type CaseResult, isPassed, runCase } from "../../src/cli/bench-run.ts";
import type { ReviewEngine } from "../../src/domain/review-engine.ts";
import { createRulesEngine } from "../../src/engines/rules/rules.ts";
import { createLogger, systemClock } from "../../src/system.ts";
import { quantile } from "../statistics.ts";
import { milliseconds, printTable } from "../table.ts";
import { reviewBlamedCommits } from "./blamed.ts";
import { type OrdinaryResult, reviewOrdinary, together } from "./ordinary.ts";
import { scoreOwasp } from "./owasp.ts";
import { flaggedForwardsMax, reviewReversedFixes } from "./reversed.ts";
import { ordinarySets, owaspSets } from "./sets.ts";

interface Run {
  engine: ReviewEngine;
  mirror: string | null;
  /** Says that a gate is missed. */
  missed(gate: string): void;
}

const sets = { own: runOwn, ordinary: runOrdinary, owasp: runOwasp, fixes: runFixes, blamed: runBlamed };

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { only: { type: "string" }, mirror: { type: "string" } } });
  if (values.only !== undefined && !(values.only in sets)) {
    throw new Error(`No set ${values.only}; there are ${Object.keys(sets).join(", ")}`);
  }
  const missed: string[] = [];
  const logger = createLogger({ level: "warn", format: "json", write: (line) => process.stderr.write(line) });
  const run: Run = {
    engine: createRulesEngine({ logger }),
    mirror: values.mirror ?? null,
    missed: (gate) => void missed.push(gate),
  };

  console.log(await surroundings());
  for (const [name, measure] of Object.entries(sets)) {
    if (values.only === undefined || values.only === name) await measure(run);
  }
  await run.engine.close();
  console.log(missed.length === 0 ? "\nEvery gate is passed." : `\nMissed: ${missed.join("; ")}.`);
  process.exitCode = missed.length === 0 ? 0 : 1;
}

/** `2026-11-21, commit 0123456789ab, 2 × AMD EPYC, Bun 1.4.5` */
async function surroundings(): Promise<string> {
  const commit = (await Bun.$`git rev-parse --short=12 HEAD`.quiet().text()).trim();
  const day = systemClock.now().toISOString().slice(0, 10);
  return `${day}, commit ${commit}, ${cpus().length} × ${cpus()[0]?.model ?? "unknown processor"}, Bun ${Bun.version}`;
}

async function runOwn({ engine, missed }: Run): Promise<void> {
  const results: CaseResult[] = [];
  for (const own of ownCases()) results.push(await runCase(own, engine, systemClock));
  const { cases, passed, expected, found, false_alarms } = counts(results);
  printTable(
    "Our own cases (written with the rules at hand: in-sample)",
    ["cases", "as expected", "comments expected", "found", "false alarms"],
    [[cases, passed, expected, found, false_alarms].map(String)],
  );
  for (const { name } of results.filter((result) => !isPassed(result))) missed(`the case ${name}`);
}

const ordinaryGates = { commentsPerPullRequest: 0.3, precision: 0.8 };

async function runOrdinary({ engine, mirror, missed }: Run): Promise<void> {
  const results: [string, OrdinaryResult][] = [];
  for (const [name, repositories] of Object.entries(ordinarySets)) {
    results.push([name, await reviewOrdinary(engine, repositories, mirror)]);
  }
  const all = results.map(([, result]) => result).reduce(together);
  printTable(
    "Ordinary pull requests",
    ["of projects", "pull requests", "comments", "each", "right", "wrong", "not labelled", "precision"],
    [...results, ["all", all] as const].map(([name, result]) => row(name, result)),
  );
  printOrdinary(all);
  if (all.commentsPerPullRequest > ordinaryGates.commentsPerPullRequest) missed("noise");
  if (all.precision < ordinaryGates.precision) missed("precision on ordinary pull requests");
}

function row(name: string, result: OrdinaryResult): string[] {
  const { pullRequests, comments, commentsPerPullRequest, right, wrong, unlabelled, precision } = result;
  const counted = [right, wrong - unlabelled.length, unlabelled.length].map(String);
  const [each, share] = [commentsPerPullRequest.toFixed(3), precision.toFixed(2)];
  return [name, String(pullRequests), String(comments), each, ...counted, share];
}

function printOrdinary(result: OrdinaryResult): void {
  const noisiest = [...result.byRule].sort(([, a], [, b]) => b - a).slice(0, 10);
  printTable(
    "The noisiest rules",
    ["rule", "comments"],
    noisiest.map(([rule, count]) => [rule, String(count)]),
  );
  const { durationsMs, filesAnalyzed, processorMs } = result;
  const total = durationsMs.reduce((sum, ms) => sum + ms, 0);
  printTable(
    "Speed, from the diff to the comments",
    ["p50", "p95", "a file", "processor time a file", "memory"],
    [
      [
        milliseconds(quantile(durationsMs, 0.5)),
        milliseconds(quantile(durationsMs, 0.95)),
        milliseconds(total / filesAnalyzed),
        milliseconds(processorMs / filesAnalyzed),
        `${Math.round(process.memoryUsage.rss() / 1024 ** 2)} MB`,
      ],
    ],
  );
  for (const { key, path, line, rule, message } of result.unlabelled) {
    console.log(JSON.stringify({ key, path, line, rule, message }));
  }
}

const owaspGates = { java: { score: 90 }, python: { score: 80 }, strictPrecision: 0.95 };

async function runOwasp({ engine, mirror, missed }: Run): Promise<void> {
  const rows: string[][] = [];
  for (const name of ["java", "python"] as const) {
    const result = await scoreOwasp(owaspSets[name], engine, mirror);
    const { truePositives, falsePositives, falseNegatives, trueNegatives, offCategory } = result;
    rows.push([
      name,
      String(result.cases),
      [truePositives, falsePositives, falseNegatives, trueNegatives].join("/"),
      String(offCategory),
      result.score.toFixed(1),
      result.strictPrecision.toFixed(3),
    ]);
    if (result.score < owaspGates[name].score) missed(`the score on OWASP ${name}`);
    if (result.strictPrecision < owaspGates.strictPrecision) missed(`strict precision on OWASP ${name}`);
  }
  printTable(
    "OWASP Benchmark (synthetic, and read while the rules were written: in-sample)",
    ["set", "cases", "TP/FP/FN/TN", "off category", "score", "strict precision"],
    rows,
  );
}

async function runFixes({ engine, mirror, missed }: Run): Promise<void> {
  const results = await reviewReversedFixes(engine, mirror);
  printTable(
    "Bug fixes, reviewed backwards and forwards (no count of bugs found)",
    ["set", "cases", "flagged when taken back", "flagged as the fix"],
    results.map(({ set, cases, flaggedBackwards, flaggedForwards }) => [
      set,
      String(cases),
      share(flaggedBackwards, cases),
      share(flaggedForwards, cases),
    ]),
  );
  for (const { set, cases, flaggedForwards } of results) {
    if (flaggedForwards > flaggedForwardsMax * cases) missed(`the fixing side of ${set}`);
  }
}

async function runBlamed({ engine, mirror }: Run): Promise<void> {
  const results = await reviewBlamedCommits(engine, mirror);
  printTable(
    "Commits that brought a bug in, by git blame of what its fix replaced",
    ["bugs of", "commits", "commented on", "within 5 lines of the bug"],
    results.map(({ set, commits, flagged, near }) => [
      ...[set, String(commits)],
      ...[share(flagged, commits), share(near, commits)],
    ]),
  );
}

function share(part: number, whole: number): string {
  return `${((100 * part) / Math.max(1, whole)).toFixed(1)} %`;
}

await main();
