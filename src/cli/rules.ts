import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { type Command, Option } from "commander";
import { addRule, listRules, removeRule, shownRule, showRule } from "../admin/rules.ts";
import { type Category, categories, type Severity, severities } from "../domain/comment.ts";
import { AppError } from "../domain/errors.ts";
import type { RuleBook, RuleFile } from "../domain/rule.ts";
import { adminAction, given } from "./admin-command.ts";
import { type Cli, exitCodes } from "./cli.ts";
import { printable } from "./printable.ts";
import { ruleAsText } from "./rules-text.ts";
import { addSettingOptions, settingFlags } from "./setting-options.ts";
import { table } from "./table.ts";

interface Filter {
  language?: string;
  category?: Category;
  severity?: Severity;
}

export function addRules(program: Command, cli: Cli): void {
  const rules = program.command("rules").description("what reviews look for");
  addList(rules, cli);
  addShow(rules, cli);
  addTest(rules, cli);

  adminAction(
    rules
      .command("add")
      .description("add a rule for all repositories, or replace the one with its id")
      .argument("<file>", "the rule, as YAML"),
    cli,
    async (admin, _options, file = "") => {
      const added = await admin.run(addRule, readRule(file));
      return { document: added, text: `${added.id}\n` };
    },
  );

  adminAction(
    rules
      .command("remove")
      .description("remove a rule that was added")
      .argument("<id>", "such as acme/no-fetch"),
    cli,
    async (admin, _options, id = "") => {
      const removed = await admin.run(removeRule, partsOf(id));
      return { document: removed, text: `${removed.id}\n` };
    },
  );
}

function addList(rules: Command, cli: Cli): void {
  adminAction<Filter>(
    rules
      .command("list")
      .description("list the rules, the built-in ones and those that were added")
      .option("--language <language>", "those for this language, such as python")
      .addOption(new Option("--category <category>", "those of this category").choices(categories))
      .addOption(new Option("--severity <severity>", "those of this severity").choices(severities)),
    cli,
    async (admin, { language, category, severity }) => {
      const { data, problems } = await admin.run(listRules, given({ language, category, severity }));
      const rows = data.map((rule) => [
        rule.id,
        rule.severity,
        rule.category,
        rule.source === "built-in" ? rule.title : `${rule.title} (your own)`,
      ]);
      return {
        document: data,
        text: table(["ID", "SEVERITY", "CATEGORY", "WHAT"], rows),
        ...(problems.length === 0 ? {} : { note: problems.map(printable).join("\n") }),
      };
    },
  );
}

/** A built-in rule is the same everywhere: only for others is an installation asked. */
function addShow(rules: Command, cli: Cli): void {
  const show = rules
    .command("show")
    .description("show a rule: why it is one, examples, how to ignore it")
    .argument("<id>", "such as js/eval")
    .option("--json", "print a JSON document")
    .showHelpAfterError("Add --help to see how it is used.");
  addSettingOptions(show, "offline").action(
    async (id: string, options: Record<string, unknown> & { json?: true }) => {
      const parts = partsOf(id);
      const builtIn = (await (await ruleBook(cli, options)).builtIn()).find((rule) => rule.id === id);
      const rule =
        builtIn === undefined
          ? await cli.withAdmin(settingFlags(options), (admin) => admin.run(showRule, parts))
          : shownRule(builtIn, "built-in");
      cli.io.stdout(options.json ? `${JSON.stringify(rule, null, 2)}\n` : ruleAsText(rule));
    },
  );
}

/** Needs no server and no data folder: a rule is tested where it is written. */
function addTest(rules: Command, cli: Cli): void {
  const test = rules
    .command("test")
    .description("run the examples of rule files; exit with 1 when one fails")
    .argument("<file...>", "rule files, as YAML")
    .option("--json", "print a JSON document")
    .showHelpAfterError("Add --help to see how it is used.");
  addSettingOptions(test, "offline").action(
    async (paths: string[], options: Record<string, unknown> & { json?: true }) => {
      const files = paths.map((path) => ({ ...readRule(path), path }));
      const book = await ruleBook(cli, options);
      const results: { file: string; problems: readonly string[] }[] = [];
      for (const file of files) results.push({ file: file.path, problems: await book.check(file) });
      cli.io.stdout(options.json ? `${JSON.stringify(results, null, 2)}\n` : results.map(asText).join(""));
      if (results.some(({ problems }) => problems.length > 0)) cli.exitWith(exitCodes.failed);
    },
  );
}

/** Loaded only now: most commands need no engine. */
async function ruleBook(cli: Cli, options: Record<string, unknown>): Promise<RuleBook> {
  const { logLevel, logFormat } = cli.config(settingFlags(options));
  const [{ createRuleBook }, { createLogger }] = await Promise.all([
    import("../engines/rules/rule-book.ts"),
    import("../system.ts"),
  ]);
  return createRuleBook(createLogger({ level: logLevel, format: logFormat, write: cli.io.stderr }));
}

function asText({ file, problems }: { file: string; problems: readonly string[] }): string {
  if (problems.length === 0) return `${printable(file)}: ok\n`;
  return problems.map((problem) => `${printable(problem)}\n`).join("");
}

function readRule(path: string): RuleFile {
  try {
    return { path: basename(path), text: readFileSync(path, "utf8") };
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new AppError("bad_request", `The rule file ${path} cannot be read: ${reason}`, { cause });
  }
}

function partsOf(id: string): { group: string; name: string } {
  const [, group, name] = /^([a-z][a-z0-9-]*)\/([a-z0-9][a-z0-9-]*)$/.exec(id) ?? [];
  if (group !== undefined && name !== undefined) return { group, name };
  throw new AppError("validation_failed", `${JSON.stringify(id)} is no rule's id; one is like js/eval`);
}
