import type { Command } from "commander";
import { type CaseResult, isPassed, runCase } from "./bench-run.ts";
import { type Cli, exitCodes } from "./cli.ts";
import { printable } from "./printable.ts";
import { addSettingOptions, settingFlags } from "./setting-options.ts";
import { table } from "./table.ts";

interface Options extends Record<string, unknown> {
  json?: true;
  only?: string;
}

/** Needs no server, no network and no data folder. */
export function addBench(program: Command, cli: Cli): void {
  const bench = program
    .command("bench")
    .description("review the built-in cases and compare; exit with 1 unless every one is as expected")
    .option("--only <name>", "the cases whose names begin so, such as python or hostile/")
    .option("--json", "print a JSON document")
    .showHelpAfterError("Add --help to see how it is used.");
  addSettingOptions(bench, "offline").action(async (options: Options) => {
    const results = await runAll(cli, options);
    if (results.length === 0) bench.error(`error: no case has a name that begins with ${options.only}`);
    cli.io.stdout(options.json ? `${JSON.stringify(document(results), null, 2)}\n` : asText(results));
    if (!results.every(isPassed)) cli.exitWith(exitCodes.failed);
  });
}

async function runAll(cli: Cli, options: Options): Promise<CaseResult[]> {
  const { logLevel, logFormat } = cli.config(settingFlags(options));
  const [{ ownCases }, { createRulesEngine }, { createLogger, systemClock }] = await Promise.all([
    import("./bench-cases.ts"),
    import("../engines/rules/rules.ts"),
    import("../system.ts"),
  ]);
  const logger = createLogger({ level: logLevel, format: logFormat, write: cli.io.stderr });
  const engine = createRulesEngine({ logger });
  try {
    const results: CaseResult[] = [];
    for (const own of ownCases()) {
      if (own.name.startsWith(options.only ?? "")) results.push(await runCase(own, engine, systemClock));
    }
    return results;
  } finally {
    await engine.close();
  }
}

/** Cases, comments expected and found, false alarms. */
export function counts(results: readonly CaseResult[]) {
  const sum = (of: (result: CaseResult) => number) =>
    results.reduce((total, result) => total + of(result), 0);
  return {
    cases: results.length,
    passed: results.filter(isPassed).length,
    expected: sum(({ expected }) => expected),
    found: sum(({ found }) => found),
    false_alarms: sum(({ falseAlarms }) => falseAlarms.length),
  };
}

function document(results: readonly CaseResult[]) {
  const sorted = results.map(({ ms }) => ms).sort((a, b) => a - b);
  const at = (share: number) => Math.round(sorted[Math.floor(sorted.length * share)] ?? 0);
  return {
    ...counts(results),
    milliseconds: { p50: at(0.5), p95: at(0.95) },
    failed: results
      .filter((result) => !isPassed(result))
      .map(({ name, missed, falseAlarms, other }) => ({ name, missed, false_alarms: falseAlarms, other })),
  };
}

function asText(results: readonly CaseResult[]): string {
  const groups = [...Map.groupBy(results, ({ name }) => name.split("/")[0] ?? name)];
  const rows = [...groups, ["all", results] as const].map(([name, ofGroup]) => {
    const { cases, passed, expected, found, false_alarms } = counts(ofGroup);
    return [name, ...[cases, passed, expected, found, false_alarms].map(String)];
  });
  const { milliseconds } = document(results);
  return [
    table(["CASES", "NUMBER", "PASSED", "EXPECTED", "FOUND", "FALSE ALARMS"], rows),
    `${milliseconds.p50} ms a case in the middle, ${milliseconds.p95} ms at the 95th percentile\n`,
    ...results.filter((result) => !isPassed(result)).map(describeFailure),
  ].join("");
}

function describeFailure({ name, title, missed, falseAlarms, other }: CaseResult): string {
  const lines = [
    `\n${name}: ${title}`,
    ...missed.map((place) => `  missed: ${place}`),
    ...falseAlarms.map((place) => `  false alarm: ${place}`),
    ...other.map((problem) => `  ${problem}`),
  ];
  return lines.map((line) => `${printable(line)}\n`).join("");
}
