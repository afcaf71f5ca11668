/**
 * Fills the parts of docs/ that the code knows better: settings, commands, error codes, … Each stands between
 * `<!-- generated: NAME -->` and `<!-- end -->`; test/documentation.test.ts fails while one is stale.
 */
import { join } from "node:path";
import type { Command, Option } from "commander";
import { createProgram } from "../src/cli/run.ts";
import { settingNames, settings } from "../src/config.ts";
import { categories, severities } from "../src/domain/comment.ts";
import { errorKinds } from "../src/domain/errors.ts";
import { failureCodes } from "../src/domain/review.ts";
import { reviewEvents } from "../src/domain/webhook.ts";
import { errorCatalogue } from "../src/http/error-catalogue.ts";
import { reviewLimits } from "../src/review/review-limits.ts";

const root = join(import.meta.dir, "..");

export const generatedPages: readonly string[] = [...new Bun.Glob("docs/**/*.md").scanSync(root)].sort();

/** The page as it should be. Throws on a section that nobody generates. */
export async function regenerate(page: string): Promise<string> {
  const text = await Bun.file(join(root, page)).text();
  return text.replace(/<!-- generated: (\S+) -->\n[\s\S]*?<!-- end -->/g, (_, name: string) => {
    const make = sections[name];
    if (make === undefined) throw new Error(`${page}: nothing generates ${name}`);
    return `<!-- generated: ${name} -->\n${make().trim()}\n<!-- end -->`;
  });
}

const sections: Readonly<Record<string, () => string>> = {
  settings: () =>
    table(
      ["environment, flag", "default", "meaning"],
      settingNames.map((name) => {
        const { environment, flag, placeholder, defaultDoc, doc, expected, serveOnly } = settings[name];
        const serve = serveOnly ? " (`serve` only)" : "";
        return [
          `\`${environment}\`, \`${flag} ${placeholder}\`${serve}`,
          defaultDoc,
          `${doc} Takes ${expected}.`,
        ];
      }),
    ),
  "error-codes": () =>
    table(
      ["status", "code", "meaning", "what to do"],
      Object.entries(errorCatalogue).map(([code, { meaning, remedy }]) => [
        String(errorKinds[code as keyof typeof errorKinds]),
        `\`${code}\``,
        meaning,
        remedy,
      ]),
    ),
  "failure-codes": () => inline(failureCodes),
  events: () => inline(reviewEvents),
  severities: () => inline(severities),
  categories: () => inline(categories),
  "review-limits": () =>
    table(
      ["limit", "value"],
      Object.entries(reviewLimits).map(([name, value]) => [`\`${name}\``, value.toLocaleString("en")]),
    ),
  commands: () => leaves(createProgramForDocs()).map(describeCommand).join("\n\n"),
};

/** The command line with nothing behind it: only its description is read. */
export function createProgramForDocs(): Command {
  const unused = () => {
    throw new Error("documentation runs no command");
  };
  return createProgram({
    io: {
      stdout: unused,
      stderr: unused,
      readStdin: unused,
      stdoutIsTerminal: false,
      surroundings: {
        environment: {},
        environmentFile: null,
        systemWide: false,
        homeDirectory: "/",
        stderrIsTerminal: false,
      },
      untilAskedToStop: unused,
    },
    config: unused,
    withAdmin: unused,
    readSecret: unused,
    exitWith: unused,
  });
}

export function leaves(command: Command): Command[] {
  return command.commands.length === 0 ? [command] : command.commands.flatMap(leaves);
}

/** `plumbline keys create` */
export function fullName(command: Command): string {
  return command.parent === null ? command.name() : `${fullName(command.parent)} ${command.name()}`;
}

function describeCommand(command: Command): string {
  const positional = command.registeredArguments.map((one) =>
    one.required ? `<${one.name()}>` : `[${one.name()}]`,
  );
  const settingFlags = new Set<string>(settingNames.map((name) => settings[name].flag));
  const own = command.options.filter((option) => !settingFlags.has(option.long ?? ""));
  const heading = `### \`${[fullName(command), ...positional].join(" ")}\``;
  const description = `${command.description().replace(/^./, (first) => first.toUpperCase())}.`;
  return [heading, "", description, ...(own.length > 0 ? ["", ...own.map(describeOption)] : [])].join("\n");
}

function describeOption(option: Option): string {
  const choices = option.argChoices === undefined ? "" : ` (${option.argChoices.join(", ")})`;
  const fallback = option.defaultValue === undefined ? "" : `; default ${String(option.defaultValue)}`;
  const required = option.mandatory ? "; required" : "";
  return `- \`${option.flags}\`: ${option.description}${choices}${fallback}${required}`;
}

function inline(words: readonly string[]): string {
  return words.map((word) => `\`${word}\``).join(" · ");
}

function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|").replaceAll("<", "&lt;")).join(" | ")} |`;
  return [line(headings), line(headings.map(() => "---")), ...rows.map(line)].join("\n");
}

if (import.meta.main) {
  for (const page of generatedPages) await Bun.write(join(root, page), await regenerate(page));
}
