/** Input followed from where it comes in to where it does harm; every rule's own examples are in examples.test.ts. */
import { afterAll, describe, expect, test } from "bun:test";
import type { CandidateComment } from "../../../../src/domain/comment.ts";
import { createRulesEngine } from "../../../../src/engines/rules/rules.ts";
import { aPullRequest } from "../../a-pull-request.ts";
import { silentLogger } from "../../silent-logger.ts";

const engine = createRulesEngine({ logger: silentLogger });
afterAll(() => engine.close());

async function securityComments(
  path: string,
  after: string,
  before: string | null = null,
): Promise<readonly CandidateComment[]> {
  const { candidates } = await engine.review(aPullRequest({ [path]: { before, after } }));
  return candidates.filter((candidate) => candidate.category === "security");
}

const handler = (...lines: string[]) =>
  [
    "from flask import request",
    "import os",
    "",
    "def handle():",
    ...lines.map((line) => `    ${line}`),
    "",
  ].join("\n");

async function rulesIn(...lines: string[]): Promise<string[]> {
  return (await securityComments("src/handle.py", handler(...lines))).map((comment) => comment.rule);
}

describe("following input", () => {
  test("names the way from the source to the sink", async () => {
    const [comment] = await securityComments(
      "src/handle.py",
      handler('name = request.args.get("name")', 'path = "/srv/" + name', "os.remove(path)"),
    );
    expect(comment?.line).toBe(7);
    expect(comment?.message).toStartWith(
      "The request's query `name` (line 5) reaches this file access through `path` (line 6).",
    );
  });

  test("comments on the added line of the way when the sink was there before", async () => {
    const before = handler('name = "fixed"', "os.remove(name)");
    const after = handler('name = request.args["name"]', "os.remove(name)");
    const [comment] = await securityComments("src/handle.py", after, before);
    expect(comment?.line).toBe(5);
    expect(comment?.message).toStartWith(
      "The request's query `name` (line 5) reaches the file access on line 6.",
    );
  });

  test("says nothing about a way that was there before", async () => {
    const before = handler('name = request.args["name"]', "os.remove(name)");
    expect(await securityComments("src/handle.py", `${before}\nLIMIT = 3\n`, before)).toEqual([]);
  });

  test("says nothing in tests", async () => {
    const code = handler('os.remove(request.args["name"])');
    expect(await securityComments("tests/test_handle.py", code)).toEqual([]);
  });

  test("goes through functions of the file", async () => {
    const code = [
      "from flask import request",
      "import os",
      "",
      "def folder(name):",
      '    return "/srv/" + name',
      "",
      "def handle():",
      '    os.remove(folder(request.args["name"]))',
      "",
    ].join("\n");
    const found = await securityComments("src/handle.py", code);
    expect(found.map(({ rule, line }) => `${rule} ${line}`)).toEqual(["py/path-traversal-flow 8"]);
  });
});

describe("what the code makes certain", () => {
  test.each([
    ["a branch that a constant decides", ['name = "a" if 7 * 6 > 40 else request.args["x"]']],
    ["another element of a list", ['all = ["a", request.args["x"], "b"]', "all.pop(1)", "name = all[1]"]],
    ["another entry of a map", ['all = {"a": "b", "x": request.args["x"]}', 'name = all["a"]']],
    ["a variable that was set anew", ['name = request.args["x"]', 'name = "a"']],
    ["a number", ['name = int(request.args["x"])']],
    [
      "a value of a list of allowed ones",
      ['name = request.args["x"]', 'if name not in ("a", "b"):', "    return None"],
    ],
    ["a name without a folder", ['name = os.path.basename(request.args["x"])']],
  ])("%s is harmless", async (_name, lines) => {
    expect(await rulesIn(...lines, 'os.remove("/srv/%s" % name)')).toEqual([]);
  });

  test.each([
    ["an undecided branch", ['name = "a" if size() > 40 else request.args["x"]']],
    ["the very element of a list", ['all = ["a", request.args["x"]]', "all.pop(0)", "name = all[0]"]],
    ["the very entry of a map", ['all = {"a": "b", "x": request.args["x"]}', 'name = all["x"]']],
    [
      "a check of something else",
      ['name = request.args["x"]', 'if request.args["y"] not in ("a", "b"):', "    return None"],
    ],
    [
      "a value that a loop carries",
      ['name = ""', "for one in range(3):", '    name = name + request.args["x"]'],
    ],
  ])("%s is not", async (_name, lines) => {
    expect(await rulesIn(...lines, 'os.remove("/srv/%s" % name)')).toEqual(["py/path-traversal-flow"]);
  });
});

describe("beside the pattern rules", () => {
  test("one flaw on one line is commented once, with its way", async () => {
    expect(await rulesIn('return eval(request.args["formula"])')).toEqual(["py/code-injection-flow"]);
  });

  test("a pattern's guess is left out where only constants get to the line", async () => {
    expect(await rulesIn('formula = "1 + " + "1"', "return eval(formula)")).toEqual([]);
  });

  test("and stays where what gets there is not known", async () => {
    expect(await rulesIn("return eval(formula())")).toEqual(["py/eval"]);
  });
});

test("a function that takes too long is given up, and the others are still read", async () => {
  const deep = Array.from({ length: 1500 }, (_, at) => `    if a${at}:\n        b${at} = f(a${at})`).join(
    "\n",
  );
  const code = `from flask import request\nimport os\n\ndef huge(${"a0"}):\n${deep}\n\n${handler('os.remove(request.args["x"])')}`;
  const found = await securityComments("src/handle.py", code);
  expect(found.map((comment) => comment.rule)).toEqual(["py/path-traversal-flow"]);
}, 30_000);
