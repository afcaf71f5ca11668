/** Whatever bytes a pull request adds, the built-in rules read them to the end and speak of its lines only. */
import { afterAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { addedLines, type DiffFile } from "../../../src/domain/diff.ts";
import type { ReviewEngineInput } from "../../../src/domain/review-engine.ts";
import { languages, snippetName } from "../../../src/engines/rules/languages.ts";
import { createRulesEngine } from "../../../src/engines/rules/rules.ts";
import { aPullRequest } from "../a-pull-request.ts";
import { silentLogger } from "../silent-logger.ts";

const engine = createRulesEngine({ logger: silentLogger });
afterAll(() => engine.close());

/** One path for each grammar and each scanner. */
const paths = [
  ...languages.map(snippetName),
  "Dockerfile",
  "db/migrations/1_users.sql",
  ".github/workflows/ci.yml",
  "k8s/app.yml",
  "package.json",
  "requirements.txt",
  ".env",
];
/** Those that stand for the others where a file is so large that each costs seconds. */
const fewPaths = ["src/snippet.js", "src/snippet.yml", "Dockerfile", "db/migrations/1_users.sql"];

const utf8 = (text: string) => new TextEncoder().encode(text);
const lines = (count: number, line: string) => `${line}\n`.repeat(count);

const hostile: Readonly<Record<string, Uint8Array>> = {
  "50,000 nested brackets that close": utf8(lines(100, "[".repeat(250)) + lines(100, "]".repeat(250))),
  "quotes that never end": utf8(lines(300, "'\"`'''/*<!--${{ ")),
  "ever deeper indentation": utf8(
    Array.from({ length: 300 }, (_, depth) => `${" ".repeat(depth)}a:`).join("\n"),
  ),
  "NUL bytes": utf8(lines(500, "a = 1\0; b(\0)")),
  "lone surrogates": utf8(lines(500, "x = '\ud800' \udc00")),
  "surrogates encoded as bytes": bytes(lines(500, "x = '\xed\xa0\x80' \xed\xb0\x80")),
  "CRLF, LF and CR mixed": utf8("a(b)\r\nc(d)\n\re(f)\r\r\n".repeat(500)),
  "Latin-1": bytes(lines(500, "caf\xe9 = 'na\xefve' # \xff\xfe")),
  "UTF-16": new Uint8Array(
    new Uint16Array([0xfeff, ...Array.from(lines(300, "eval(x)"), (c) => c.charCodeAt(0))]).buffer,
  ),
  "every byte": Uint8Array.from({ length: 20_000 }, (_, index) => (index * 7_919 + (index >> 3) * 31) % 256),
  "nothing but line ends": utf8("\n".repeat(20_000)),
  "no line end at all": utf8("x"),
  "a byte order mark": utf8(`\ufeff${lines(10, "eval(x)")}`),
};

describe("a pull request that adds", () => {
  test.each(Object.keys(hostile))(
    "%s is read in every language",
    async (kind) => {
      const bytesOf = hostile[kind] ?? new Uint8Array();
      await expectRead(Object.fromEntries(paths.map((path) => [path, bytesOf])), "whole");
    },
    120_000,
  );

  test("50,000 brackets that never close is read, or as text once its time is up", async () => {
    const impatient = createRulesEngine({ logger: silentLogger, fileBudgetMs: 1_000 });
    const nested = utf8(lines(500, "([{<".repeat(25)));
    const { coverage } = await impatient.review(
      adding(Object.fromEntries(paths.map((path) => [path, nested]))),
    );
    await impatient.close?.();
    expect(coverage.map(({ path }) => path)).toEqual(paths);
    expect(coverage.filter(({ read }) => read === "not")).toEqual([]);
  }, 240_000);

  test("a minified line of 1 MB is read as text", async () => {
    const minified = utf8("var a=function(b){return b?c(d[0],{e:'f'}):g};".repeat(23_000));
    await expectRead(Object.fromEntries(fewPaths.map((path) => [path, minified])), "partly");
  }, 120_000);

  test("100,000 lines is read to the end", async () => {
    const long = utf8(lines(100_000, "a: b"));
    await expectRead(Object.fromEntries(fewPaths.map((path) => [path, long])), "whole");
  }, 240_000);
});

test("a review does not keep the memory of the ones before", async () => {
  const large = utf8(lines(12_000, "total = add(total, price)"));
  const readSome = async () => {
    for (let count = 0; count < 7; count += 1) await expectRead({ "src/snippet.py": large }, "whole");
    Bun.gc(true);
    return process.memoryUsage.rss();
  };
  const first = await readSome();
  expect(await readSome()).toBeLessThan(first * 1.5);
}, 240_000);

describe("reviewing any change", () => {
  const line = fc.oneof(
    fc.constantFrom(
      "eval(input);",
      "debugger;",
      "USER root",
      "  - uses: a/b@main",
      "DELETE FROM a;",
      "<<<<<<< HEAD",
      "password: h7Kq92xLmZ",
      "",
      "}",
      "{",
    ),
    fc.string({ unit: "binary", maxLength: 40 }),
  );
  const text = fc.array(line, { maxLength: 25 }).map((all) => all.join("\n"));

  test("speaks of no line outside of the diff", async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...paths), text, text, async (path, before, after) => {
        const input = aPullRequest({
          [path]: { before: before.toWellFormed(), after: after.toWellFormed() },
        });
        const { candidates, problems } = await engine.review(input);
        expect(problems.filter(isFailure)).toEqual([]);
        for (const { line: at, startLine, about } of candidates) {
          const shown =
            about === "added" ? input.diff.files.flatMap(addedLines) : headLines(input.diff.files);
          expect(shown).toContain(at);
          if (startLine !== null) expect(shown).toContain(startLine);
        }
      }),
      { numRuns: 150 },
    );
  }, 120_000);
});

/** Every file is read as far as `read`, without a detector failing, and commented on added lines only. */
async function expectRead(
  files: Readonly<Record<string, Uint8Array>>,
  read: "whole" | "partly",
): Promise<void> {
  const input = adding(files);
  const { candidates, coverage, problems } = await engine.review(input);
  expect(problems.filter(isFailure)).toEqual([]);
  expect(coverage.filter((file) => file.read !== read)).toEqual([]);
  const added = new Map(input.diff.files.map((file) => [file.path, new Set(addedLines(file))]));
  for (const { path, line } of candidates) expect(added.get(path)?.has(line)).toBe(true);
}

/** A rule file that another test or a colleague is writing is not this test's concern; a detector that throws is. */
function isFailure(problem: string): boolean {
  return problem.includes(" failed: ");
}

function headLines(files: readonly DiffFile[]): number[] {
  return files.flatMap(({ hunks }) =>
    hunks.flatMap((hunk) => hunk.lines.flatMap((line) => (line.kind === "removed" ? [] : [line.newLine]))),
  );
}

function adding(files: Readonly<Record<string, Uint8Array>>): ReviewEngineInput {
  return {
    ...aPullRequest({}),
    diff: {
      files: Object.entries(files).map(([path, head]) => addedFile(path, new TextDecoder().decode(head))),
    },
    readFile: async (path, side) => (side === "head" ? (files[path] ?? null) : null),
  };
}

function addedFile(path: string, text: string): DiffFile {
  const all = text.split("\n").map((line) => line.replace(/\r$/, ""));
  return {
    path,
    oldPath: null,
    change: "added",
    content: "text",
    oldMode: null,
    newMode: "100644",
    additions: all.length,
    deletions: 0,
    hunks: [
      {
        oldStart: 1,
        oldLines: 0,
        newStart: 1,
        newLines: all.length,
        lines: all.map((line, index) => ({ kind: "added", newLine: index + 1, text: line })),
      },
    ],
    omitted: null,
  };
}

/** One byte for each character. */
function bytes(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}
