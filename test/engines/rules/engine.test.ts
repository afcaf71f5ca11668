import { describe, expect, test } from "bun:test";
import { createRulesEngine } from "../../../src/engines/rules/rules.ts";
import { reviewEngineContract } from "../../contracts/review-engine.contract.ts";
import { aPullRequest } from "../a-pull-request.ts";
import { silentLogger } from "../silent-logger.ts";

const withFaults = aPullRequest({
  "src/cart.ts": {
    before: "export function total(input: string) {\n  return Number(input);\n}\n",
    after: "export function total(input: string) {\n  debugger;\n  return eval(input);\n}\n",
  },
  "src/shop.py": { before: null, after: 'import os\n\ndef show(path):\n    os.system(f"cat {path}")\n' },
});

reviewEngineContract("rules", { create: () => createRulesEngine({ logger: silentLogger }), withFaults });

describe("reviewing a pull request with the built-in rules", () => {
  const engine = createRulesEngine({ logger: silentLogger });

  test("comments on what the pull request added", async () => {
    const { candidates } = await engine.review(withFaults);
    expect(candidates.map(({ path, line, rule }) => `${path}:${line} ${rule}`)).toEqual([
      "src/cart.ts:2 js/debugger",
      "src/cart.ts:3 js/eval",
      "src/shop.py:4 py/shell-injection",
    ]);
  });

  test("says nothing about lines the pull request did not touch", async () => {
    const old = "const x = eval(input);\n".repeat(3);
    const { candidates } = await engine.review(
      aPullRequest({ "src/old.js": { before: old, after: `${old}const y = 1;\n` } }),
    );
    expect(candidates).toEqual([]);
  });

  test("never repeats a secret", async () => {
    const secret = ["glpat", "x7Qm2LrT9vKd4WnB8sYc"].join("-");
    const { candidates } = await engine.review(
      aPullRequest({ "run.js": { before: null, after: `exec(\`curl -H "t: ${secret}" \${url}\`);\n` } }),
    );
    expect(candidates.map((candidate) => candidate.rule)).toContain("any/committed-secret");
    const shown = candidates.map(({ message, suggestion }) => `${message} ${suggestion}`).join("\n");
    expect(shown).not.toContain(secret.slice(8));
  });

  test("leaves alone what a comment with a reason tells it to", async () => {
    const code = (comment: string) => `${comment}\nconst x = eval(input);\n`;
    const commentsOn = async (comment: string) => {
      const input = aPullRequest({ "src/a.js": { before: null, after: code(comment) } });
      return (await engine.review(input)).candidates.length;
    };
    expect(await commentsOn("// plumbline-ignore: js/eval the input is our own formula")).toBe(0);
    expect(await commentsOn("// plumbline-ignore: js/eval")).toBe(1);
    expect(await commentsOn("// plumbline-ignore: js/debugger another rule")).toBe(1);
  });
});
