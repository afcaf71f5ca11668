import { afterEach, beforeAll, describe, expect, test } from "bun:test";
import type { QuickNode } from "../../../../src/engines/rules/parser/quick-tree.ts";
import { loadLanguage, parse, releaseTrees } from "../../../../src/engines/rules/parser/syntax.ts";
import { AddedNodes } from "../../../../src/engines/rules/patterns/added-nodes.ts";

const code = `first(second(1), third(2));
if (x === x) {
  fourth();
}
`;
const call = { rule: { pattern: "$NAME($$$)" } };

beforeAll(() => loadLanguage("javascript"));
afterEach(releaseTrees);

function callsOn(top: QuickNode, ...lines: readonly number[]): readonly QuickNode[] {
  const kinds = new Set(["call_expression"]);
  return new AddedNodes(top, new Set(lines), kinds).ofKinds(kinds);
}

describe("matching chosen nodes", () => {
  test("tries each of them once, and none below them", () => {
    const syntax = parse("javascript", code);
    const calls = callsOn(syntax.top, 1);
    expect(calls.map(({ text }) => text)).toEqual(["first(second(1), third(2))", "second(1)", "third(2)"]);
    const names = (nodes: readonly QuickNode[]) =>
      syntax.matches(call, nodes).map((match) => match.getMatch("NAME")?.text());
    expect(names(calls)).toEqual(["first", "second", "third"]);
    expect(names(calls.slice(0, 1))).toEqual(["first"]);
    expect(names([])).toEqual([]);
  });

  test("a chosen node still sees what is around and below it", () => {
    const syntax = parse("javascript", code);
    const inside = { rule: { pattern: "fourth()", inside: { kind: "if_statement", stopBy: "end" } } };
    const has = { rule: { kind: "call_expression", has: { pattern: "second(1)", stopBy: "end" } } };
    const all = callsOn(syntax.top, 1, 3);
    expect(syntax.matches(inside, all).map((match) => match.text())).toEqual(["fourth()"]);
    expect(syntax.matches(has, all).map((match) => match.text())).toEqual(["first(second(1), third(2))"]);
  });

  test("without a choice, finds what a rule speaks about when that is another node than it was asked about", () => {
    const syntax = parse("javascript", code);
    const onlyHas = { rule: { has: { pattern: "fourth()", stopBy: "end" } } };
    expect(new Set(syntax.matches(onlyHas, null).map((match) => match.text()))).toEqual(
      new Set(["fourth()"]),
    );
  });

  test("nodes that start on other lines are not chosen, whatever they hold", () => {
    const { top } = parse("javascript", code);
    expect(callsOn(top, 3).map(({ text }) => text)).toEqual(["fourth()"]);
    expect(callsOn(top, 2, 4, 90)).toEqual([]);
  });
});

describe("a quick tree", () => {
  test("says of every node what tree-sitter says", () => {
    const { top } = parse("javascript", code);
    const nodes = [top];
    for (const quick of nodes) {
      nodes.push(...quick.children);
      const { node } = quick;
      const said = [quick.type, quick.text, quick.isNamed, quick.childCount, quick.parent?.id];
      expect(said).toEqual([node.type, node.text, node.isNamed, node.childCount, node.parent?.id]);
      expect(quick.nextSibling?.id).toBe(node.nextSibling?.id as number);
      expect(quick.previousSibling?.id).toBe(node.previousSibling?.id as number);
    }
    expect(nodes.length).toBeGreaterThan(20);
  });
});
