import { afterAll, describe, expect, test } from "bun:test";
import { createRulesEngine } from "../../../../src/engines/rules/rules.ts";
import { aPullRequest, type FileSides } from "../../a-pull-request.ts";
import { silentLogger } from "../../silent-logger.ts";

const engine = createRulesEngine({ logger: silentLogger });
afterAll(() => engine.close());

async function candidatesOf(files: FileSides, title?: string) {
  const input = aPullRequest(files);
  const pr = { ...input.pr, title: title ?? input.pr.title };
  return (await engine.review({ ...input, pr })).candidates;
}

const guarded =
  "function total(cart) {\n  if (cart == null) {\n    return 0;\n  }\n  return cart.items.length;\n}\n";
const unguarded = "function total(cart) {\n  return cart.items.length;\n}\n";

describe("reviewing what a pull request took away", () => {
  test("asks on the line nearest to where the removed code stood", async () => {
    const found = await candidatesOf({ "src/cart.ts": { before: guarded, after: unguarded } });
    expect(found.map(({ rule, line, about, placement }) => ({ rule, line, about, placement }))).toEqual([
      { rule: "any/null-guard-removed", line: 1, about: "removed", placement: "inline" },
    ]);
    expect(found[0]?.message).toStartWith("`cart == null` is no longer checked");
  });

  test("leaves what went to the summary where the pull request does much else", async () => {
    const names = Array.from({ length: 30 }, (_, index) => `const part${index} = read(${index});\n`);
    const found = await candidatesOf({
      "src/cart.ts": { before: guarded, after: unguarded },
      "src/parts.ts": { before: null, after: names.join("") },
    });
    expect(found.map(({ rule, placement }) => `${rule} ${placement}`)).toEqual([
      "any/null-guard-removed summary",
    ]);
  });

  test("asks nothing that the pull request's title answers", async () => {
    const files = { "src/cart.ts": { before: guarded, after: unguarded } };
    const found = await candidatesOf(files, "Remove the check for a missing cart");
    expect(found.map(({ rule, placement }) => `${rule} ${placement}`)).toEqual([
      "any/null-guard-removed summary",
    ]);
  });

  test("says nothing about a guard that another file has now", async () => {
    const found = await candidatesOf({
      "src/cart.ts": { before: guarded, after: unguarded },
      "src/page.ts": {
        before: "function show(cart) {\n  draw(total(cart));\n}\n",
        after: "function show(cart) {\n  if (cart == null) {\n    return;\n  }\n  draw(total(cart));\n}\n",
      },
    });
    expect(found).toEqual([]);
  });

  test("says nothing about a guard whose condition is only written the other way round", async () => {
    const found = await candidatesOf({
      "src/cart.ts": { before: guarded, after: guarded.replace("cart == null", "null == cart") },
    });
    expect(found).toEqual([]);
  });

  test("says nothing about code in a comment or a text", async () => {
    const documented =
      '"""Totals.\n\nFor example::\n\n    if cart is None:\n        return 0\n    show(cart)\n"""\n';
    const found = await candidatesOf({
      "shop/cart.py": {
        before: documented,
        after: documented.replace("    if cart is None:\n        return 0\n", ""),
      },
    });
    expect(found).toEqual([]);
  });

  test("asks two questions on lines at most, the best ones, and leaves the others to the summary", async () => {
    const files = Object.fromEntries(
      ["a", "b", "c"].map((name) => [`src/${name}.ts`, { before: guarded, after: unguarded }]),
    );
    const weaker = {
      "src/0.ts": {
        before: "function f(n) {\n  if (n > 9) {\n    return 0;\n  }\n  return n;\n}\n",
        after: "function f(n) {\n  return n;\n}\n",
      },
    };
    const found = await candidatesOf({ ...weaker, ...files });
    expect(found.map(({ rule, placement }) => `${rule} ${placement}`)).toEqual([
      "any/guard-removed summary",
      "any/null-guard-removed inline",
      "any/null-guard-removed inline",
      "any/null-guard-removed summary",
    ]);
  });
});
