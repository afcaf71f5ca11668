/** Holds the documentation to the code: what it names exists, and what exists is named. */
import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import type { Command } from "commander";
import packageJson from "../package.json" with { type: "json" };
import {
  createProgramForDocs,
  fullName,
  generatedPages,
  leaves,
  regenerate,
} from "../scripts/generate-docs.ts";
import { settingNames, settings } from "../src/config.ts";
import { errorKinds } from "../src/domain/errors.ts";
import { failureCodes } from "../src/domain/review.ts";
import { reviewEvents } from "../src/domain/webhook.ts";

const root = join(import.meta.dir, "..");
const rootPages = readdirSync(root).filter((name) => name.endsWith(".md"));
const pages = [...rootPages, ...generatedPages].map((path) => ({ path, text: read(path) }));
const program = createProgramForDocs();

describe("the documentation", () => {
  test.each(generatedPages.map((page) => [page]))("%s is what `bun run docs` makes it", async (page) => {
    expect(read(page)).toBe(await regenerate(page));
  });

  test("explains every setting, event, error code and command", () => {
    const expected = {
      "docs/settings.md": settingNames.flatMap((name) => [settings[name].environment, settings[name].flag]),
      "docs/api.md": [...Object.keys(errorKinds), ...failureCodes, ...reviewEvents],
      "docs/cli.md": leaves(program).map(fullName),
    };
    for (const [page, names] of Object.entries(expected)) {
      const text = read(page);
      expect(names.filter((name) => !text.includes(name))).toEqual([]);
    }
  });

  test("has a place for every folder of the project", () => {
    const folders = readdirSync(root).filter(
      (name) => !name.startsWith(".") && !["node_modules", "dist"].includes(name) && isFolder(name),
    );
    const architecture = read("ARCHITECTURE.md");
    expect(folders.filter((name) => !architecture.includes(`\`${name}/`))).toEqual([]);
  });

  test("gives a reason for every dependency", () => {
    const named = [...read("ARCHITECTURE.md").matchAll(/`([^`\n]+)`/g)].map(([, name = ""]) => name);
    const isNamed = (dependency: string) =>
      named.some((name) =>
        name.endsWith("*") ? dependency.startsWith(name.slice(0, -1)) : name === dependency,
      );
    const all = Object.keys({ ...packageJson.dependencies, ...packageJson.devDependencies });
    expect(all.filter((dependency) => !isNamed(dependency))).toEqual([]);
  });

  test("shows no command that does not exist", () => {
    const wrong = pages.flatMap(({ path, text }) =>
      commandLines(text).flatMap((line) =>
        problemsWith(line).map((problem) => `${path}: ${line}: ${problem}`),
      ),
    );
    expect(wrong).toEqual([]);
  });

  test("links to nothing that is not there", () => {
    const broken = pages.flatMap(({ path, text }) =>
      [...text.matchAll(/\]\(([^)\s]+)\)/g)]
        .map(([, target = ""]) => target)
        .filter((target) => !/^https?:/.test(target) && !resolves(path, target))
        .map((target) => `${path} → ${target}`),
    );
    expect(broken).toEqual([]);
  });

  test("names no file of the project that is not there", () => {
    const missing = pages.flatMap(({ path, text }) =>
      [...text.matchAll(/`((?:src|test|scripts|bench|docs)\/[^`\s<*{]*)`/g)]
        .map(([, name = ""]) => name)
        .filter((name) => !existsSync(join(root, name)))
        .map((name) => `${path} → ${name}`),
    );
    expect(missing).toEqual([]);
  });

  test("can be reached from the README", () => {
    const reached = new Set(["README.md"]);
    for (const path of reached) {
      for (const [, target = ""] of read(path).matchAll(/\]\(([^)\s#]+\.md)/g)) {
        if (!/^https?:/.test(target)) reached.add(normalize(join(dirname(path), target)));
      }
    }
    expect(pages.map(({ path }) => path).filter((path) => !reached.has(path))).toEqual([]);
  });

  test("leads with how to try it and how to test it", () => {
    const [first = "", second = ""] = commandLines(read("README.md"));
    expect(first).toStartWith("./install.sh demo");
    expect(second).toStartWith("./install.sh test");
    expect(read(".ci/run")).toContain("./install.sh test\n");
  });
});

function read(path: string): string {
  return readFileSync(join(root, path), "utf8");
}

function isFolder(path: string): boolean {
  return statSync(join(root, path)).isDirectory();
}

/** Lines of indented or fenced code that run something of ours; a line that ends in `\` goes on in the next. */
function commandLines(text: string): string[] {
  const joined = text.replace(/\\\n\s*/g, "");
  const command = /^(?: {4}|\$ )?((?:sudo (?:-u \w+ )?)?(?:plumbline|\.\/install\.sh|bun run) [^#\n]*)/gm;
  const code = [...joined.matchAll(/^```.*\n([\s\S]*?)^```|^ {4}\S.*$/gm)].map(
    ([all, fenced]) => fenced ?? all,
  );
  return code.flatMap((block) => [...block.matchAll(command)].map(([, line = ""]) => line.trim()));
}

function problemsWith(line: string): string[] {
  const words = line.replace(/^sudo (-u \w+ )?/, "").split(/\s+/);
  if (words[0] === "./install.sh") return verbs().includes(words[1] ?? "install") ? [] : ["no such verb"];
  if (words[0] === "bun") return (words[2] ?? "") in packageJson.scripts ? [] : ["no such script"];
  let command: Command = program;
  let next = 1;
  for (; command.commands.length > 0; next += 1) {
    const found = command.commands.find((one) => one.name() === words[next]);
    if (found === undefined) return [`no command ${words[next]}`];
    command = found;
  }
  const known = new Set(command.options.flatMap(({ long, short }) => [long, short]));
  const flags = words.slice(next).filter((word) => /^--?[a-z]/.test(word) && word !== "--help");
  return flags.filter((flag) => !known.has(flag.split("=")[0])).map((flag) => `no option ${flag}`);
}

function verbs(): string[] {
  const [, list = ""] = /case \$verb in\n([\s\S]*?)\n {2}esac/.exec(read("install.sh")) ?? [];
  return [...list.matchAll(/^ {4}([a-z |]+)\)/gm)].flatMap(([, names = ""]) => names.split(" | "));
}

/** A file that exists and, after `#`, a heading in it. */
function resolves(from: string, target: string): boolean {
  const [file = "", anchor] = target.split("#");
  const path = file === "" ? from : normalize(join(dirname(from), file));
  if (!existsSync(join(root, path))) return false;
  return anchor === undefined || headings(read(path)).includes(anchor);
}

/** As GitHub makes anchors of headings. */
function headings(text: string): string[] {
  return [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  );
}
