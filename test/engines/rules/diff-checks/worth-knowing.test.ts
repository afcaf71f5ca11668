/** What only a reader of the whole change sees, and mentions without a comment of its own. */
import { afterAll, describe, expect, test } from "bun:test";
import { createRulesEngine } from "../../../../src/engines/rules/rules.ts";
import { aPullRequest, type FileSides } from "../../a-pull-request.ts";
import { silentLogger } from "../../silent-logger.ts";

const engine = createRulesEngine({ logger: silentLogger });
afterAll(() => engine.close());

async function mentioned(files: FileSides) {
  const { candidates } = await engine.review(aPullRequest(files));
  expect(candidates.filter(({ placement }) => placement === "inline")).toEqual([]);
  return candidates.map(({ rule, path, line, message }) => ({
    ...{ rule, at: `${path}:${line}` },
    said: message.slice(0, message.indexOf(". ") + 1),
  }));
}

const block = Array.from({ length: 10 }, (_, n) => `  const part${n} = readPart(source, ${n});\n`).join("");
const reading = (name: string) => `function ${name}(source) {\n${block}}\n`;

describe("a copied block", () => {
  test("is told once, as long as it is, with the place that it was copied from", async () => {
    const found = await mentioned({
      "src/a.js": { before: reading("first"), after: reading("first") + reading("second") },
    });
    expect(found).toEqual([
      { rule: "any/copied-block", at: "src/a.js:23", said: "These 10 lines stand at line 2 as well." },
    ]);
  });

  test("is none where the lines went from one file to another", async () => {
    const found = await mentioned({
      "src/a.js": { before: `go();\n${reading("first")}`, after: "go();\n" },
      "src/b.js": { before: "stop();\n", after: `stop();\n${reading("first")}` },
    });
    expect(found).toEqual([]);
  });
});

const steps = (...runs: string[]) =>
  `on: push\njobs:\n  check:\n    runs-on: ubuntu-latest\n    steps:\n${runs.map((run) => `      - run: ${run}\n`).join("")}`;

describe("a workflow that lost a check", () => {
  test("is told on the line that stands there now", async () => {
    const found = await mentioned({
      ".github/workflows/ci.yml": { before: steps("make lint", "make"), after: steps("make") },
    });
    expect(found).toEqual([
      {
        rule: "gha/check-removed",
        at: ".github/workflows/ci.yml:6",
        said: "`make lint` no longer runs in this workflow, nor in another one that changes here.",
      },
    ]);
  });

  test("is not told when another workflow checks it now", async () => {
    const found = await mentioned({
      ".github/workflows/ci.yml": { before: steps("make lint", "make"), after: steps("make") },
      ".github/workflows/lint.yml": { before: null, after: steps("make lint") },
    });
    expect(found).toEqual([]);
  });
});

const grown = (name: string, count: number) =>
  `export function ${name}(n) {\n${Array.from({ length: count }, (_, n) => `  if (n === ${n}) return "${name}${n}";\n`).join("")}}\n`;

describe("logic that changes without its tests", () => {
  const change = {
    "src/a.ts": { before: grown("a", 1), after: grown("a", 13) },
    "src/a.test.ts": { before: "run();\n", after: "run();\n" },
    "src/b.ts": { before: grown("b", 1), after: grown("b", 21) },
    "src/b.test.ts": { before: "run();\n", after: "run();\n" },
  };

  test("is told once, of the largest change", async () => {
    expect((await mentioned(change)).map(({ rule, at }) => `${rule} ${at}`)).toEqual([
      "any/tests-unchanged src/b.ts:3",
    ]);
  });

  test("is not told when any test changes", async () => {
    const tested = { ...change, "test/all.test.ts": { before: "run();\n", after: "run();\nrun();\n" } };
    expect(await mentioned(tested)).toEqual([]);
  });
});

describe("a function that grows", () => {
  test("is told of its depth only, when it grew too deep and too long at once", async () => {
    const deep = `${[1, 2, 3, 4, 5].map((n) => `if (a${n}) {\n`).join("")}${"go();\n".repeat(90)}${"}\n".repeat(5)}`;
    const found = await mentioned({
      "src/a.js": {
        before: "function run() {\n  go();\n}\n",
        after: `function run() {\n  go();\n${deep}}\n`,
      },
    });
    expect(found.map(({ rule, said }) => `${rule} ${said}`)).toEqual([
      "any/nesting-deepened `run` is now nested 5 levels deep; it was 0.",
    ]);
  });
});
