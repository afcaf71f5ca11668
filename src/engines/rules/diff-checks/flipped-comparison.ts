/** A comparison or a junction that became its neighbour: `<` for `<=`, `&&` for `||`. */
import type { Hunk } from "../../../domain/diff.ts";
import { changed, type Rule } from "../rule.ts";
import { exchangeOf } from "./exchange.ts";
import { type RemovalCheck, shown } from "./removal.ts";

const comparisonFlipped: Rule = {
  id: "any/comparison-flipped",
  title: "comparison turned or its boundary moved",
  category: "bug",
  severity: "low",
  cwe: 697,
  message: "`{before}` became `{after}` in `{code}`: does a test show the difference?",
  why: "Nothing else on the line says which of the two is right.",
  advice: "Add a test of the case that changed sides, or of the value on the boundary.",
  // As often right as wrong: it tells a reader where to look, no more.
  placement: "summary",
  bad: [
    changed("src/a.ts", "if (index < size) {\n  go();\n}\n", "if (index <= size) {\n  go();\n}\n"),
    changed("src/a.py", "if ready and open:\n    go()\n", "if ready or open:\n    go()\n"),
    changed("a.go", "package a\n\nvar ok = n == limit\n", "package a\n\nvar ok = n != limit\n"),
  ],
  ok: [
    changed("src/a.ts", "if (index == size) {\n  go();\n}\n", "if (index === size) {\n  go();\n}\n"),
    changed("src/a.ts", "if (index < size) {\n  go();\n}\n", "if (index <= last) {\n  go();\n}\n"),
    changed("src/a.ts", "const name = a || b;\n", "const name = a ?? b;\n"),
  ],
};

const neighbours: readonly ReadonlySet<string>[] = [
  new Set(["<", "<=", ">", ">="]),
  new Set(["==", "!="]),
  new Set(["===", "!=="]),
  new Set(["&&", "||"]),
  new Set(["and", "or"]),
];

export const flippedComparisons: RemovalCheck = {
  rules: [comparisonFlipped],
  find(removal) {
    const exchange = exchangeOf(removal);
    if (exchange === null || removal.insertedInBlock > Number(/^\w/.test(exchange.after))) return null;
    const { before, after, line } = exchange;
    if (!neighbours.some((group) => group.has(before) && group.has(after))) return null;
    const code = removedLine(removal.hunk, line).replace(/\s*[{:]$/, "");
    return {
      rule: comparisonFlipped,
      oldLine: line,
      values: { before, after, code: shown(code) },
      movedWith: [],
    };
  },
};

function removedLine({ lines }: Hunk, oldLine: number): string {
  const line = lines.find((one) => one.kind === "removed" && one.oldLine === oldLine);
  return line?.text.trim() ?? "";
}
