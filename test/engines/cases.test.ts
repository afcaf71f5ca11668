/** Our own cases (cases/<language>/<name>.case), each reviewed from its diff to its comments. */
import { afterAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { ownCases, parseCase } from "../../src/cli/bench-cases.ts";
import { runCase } from "../../src/cli/bench-run.ts";
import { createRulesEngine } from "../../src/engines/rules/rules.ts";
import { systemClock } from "../../src/system.ts";
import { silentLogger } from "./silent-logger.ts";

setDefaultTimeout(60_000);

const engine = createRulesEngine({ logger: silentLogger });
afterAll(() => engine.close());

const cases = ownCases();

describe("reviewing", () => {
  test.each(cases.map((own) => [own.name, own.title, own] as const))("%s: %s", async (_name, _title, own) => {
    const { missed, falseAlarms, other } = await runCase(own, engine, systemClock);
    expect({ missed, falseAlarms, other }).toEqual({ missed: [], falseAlarms: [], other: [] });
  });
});

describe("our own cases", () => {
  const folderOf = (name: string) => name.split("/")[0] ?? "";

  test("are at least sixty in eight languages, twenty of them clean and ten hostile", () => {
    const hostile = cases.filter(({ name }) => folderOf(name) === "hostile");
    const ordinary = cases.filter(({ name }) => folderOf(name) !== "hostile");
    expect(cases.length).toBeGreaterThanOrEqual(60);
    expect(new Set(ordinary.map(({ name }) => folderOf(name))).size).toBeGreaterThanOrEqual(8);
    expect(ordinary.filter(({ expected }) => expected.length === 0).length).toBeGreaterThanOrEqual(20);
    expect(hostile.length).toBeGreaterThanOrEqual(10);
  });

  test("say on which line of which file a comment is expected", () => {
    const own = parseCase("x/y", 'A title\nunsaid: a\n=== a.py\n one\n-two\n+2  «py/eval»\n+{{"ab" x 2}}\n');
    expect(own).toEqual({
      name: "x/y",
      title: "A title",
      files: { "a.py": { before: "one\ntwo\n", after: "one\n2\nabab\n" } },
      expected: [{ path: "a.py", line: 2, rule: "py/eval" }],
      summary: [],
      unsaid: ["a"],
    });
  });

  test("that miss a comment, or get one too many, do not pass", async () => {
    const missing = parseCase("x/missing", "A title\n=== a.js\n+run(input);  «js/eval»\n");
    const surplus = parseCase("x/surplus", "A title\nunsaid: run as code\n=== a.js\n+eval(input);\n");
    expect((await runCase(missing, engine, systemClock)).missed).toEqual(["a.js:1 js/eval"]);
    expect(await runCase(surplus, engine, systemClock)).toMatchObject({
      falseAlarms: ["a.js:1 js/eval"],
      other: ['"run as code" was said'],
    });
  });
});
