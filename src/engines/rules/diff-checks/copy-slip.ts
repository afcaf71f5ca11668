/** Lines copied and renamed, but for one name. */

import type { Detector } from "../detector.ts";
import { type Finding, findingAt, newFile, type Rule } from "../rule.ts";
import type { SourceFile } from "../source-file.ts";
import { type Token, tokensOf } from "./tokens.ts";

const copySlip: Rule = {
  id: "any/copy-paste-slip",
  title: "copied lines with one name left as it was",
  category: "bug",
  severity: "medium",
  cwe: null,
  message:
    "These lines repeat the ones above with `{now}` for `{old}`, but one `{old}` is left: should it be `{now}`?",
  why: "A name that was missed in copied code reads well and does the wrong thing.",
  advice: "Rename it, or let the lines share one function, so that the difference shows.",
  placement: "inline",
  doubtful: true,
  bad: [
    newFile(
      "src/a.ts",
      "if (first.open) {\n  first.close(first.id);\n  log(first.name);\n}\nif (second.open) {\n  second.close(first.id);\n  log(second.name);\n}\n",
    ),
  ],
  ok: [
    newFile(
      "src/a.ts",
      "if (first.open) {\n  first.close(first.id);\n  log(first.name);\n}\nif (second.open) {\n  second.close(second.id);\n  log(second.name);\n}\n",
    ),
    newFile(
      "src/A.cs",
      "class A {\n  int At(int a, int b) {\n    var c = b - a;\n    return a + (int)c;\n  }\n  byte At(byte a, byte b) {\n    var c = b - a;\n    return a + (int)c;\n  }\n}\n",
    ),
    newFile("src/a.ts", "a.width = b.width;\na.height = b.height;\n"),
    newFile("src/a.ts", "test(x, y, x);\ntest(x, y, x);\n"),
  ],
};

const linesMax = 12;
const linesMin = 3;
/** Nobody wrote that much by hand. */
const addedMax = 5_000;
/** Longer runs are looked at in parts. */
const runLengthMax = 1_000;
/** Places renamed, beside the one that was not. */
const renamedMin = 3;

export const copySlips: Detector = {
  rules: [copySlip],
  appliesTo: (file) => !file.isTest && !/^(?:json|yaml|hcl|bash)$/.test(file.language ?? "json"),
  *find(file: SourceFile): Generator<Finding> {
    if (file.added.size > addedMax) return;
    for (const run of runsOf(file)) {
      for (let from = 0; from < run.length; from += 1) {
        for (let size = linesMin; size <= linesMax && from + 2 * size <= run.length; size += 1) {
          const slip = slipBetween(run.slice(from, from + size), run.slice(from + size, from + 2 * size));
          if (slip !== null) yield findingAt(copySlip, slip.line, { old: slip.old, now: slip.now });
        }
      }
    }
  },
};

/** Added lines without a gap, each as its tokens; lines without any are left out. */
function runsOf(file: SourceFile): Token[][][] {
  const runs: Token[][][] = [];
  let last = -1;
  for (const { line, text } of file.addedLines()) {
    const tokens = tokensOf(file.path, [{ line, text }]);
    if (line !== last + 1 || runs.at(-1)?.length === runLengthMax) runs.push([]);
    if (tokens.length > 0) runs.at(-1)?.push(tokens);
    last = line;
  }
  return runs;
}

/** The one place where a name was kept that every other place renames; null unless all else is the same. */
function slipBetween(above: readonly Token[][], below: readonly Token[][]) {
  if (above.some((tokens, index) => tokens.length !== below[index]?.length)) return null;
  const [before, after] = [above.flat(), below.flat()];
  const first = before.findIndex(({ text }, index) => text !== after[index]?.text);
  const [old, now] = [before[first]?.text ?? "", after[first]?.text ?? ""];
  if (!isName(old) || !isName(now)) return null;
  const kept: Token[] = [];
  let renamed = 0;
  for (const [index, { text }] of before.entries()) {
    const token = after[index];
    if (text === old && token?.text === now) renamed += 1;
    else if (text !== token?.text) return null;
    else if (text === old) kept.push(token);
  }
  const [left] = kept;
  return left === undefined || kept.length > 1 || renamed < renamedMin ? null : { old, now, line: left.line };
}

/** Overloads differ in their types, and convert by way of one of them. */
const typeName =
  /^(?:u?int\d*(?:_t)?|s?byte|u?short|u?long|float\d*|double|decimal|char|rune|bool(?:ean)?|[Ss]tring|str|number|object|[iuf]\d+|[iu]?size(?:_t)?|[A-Z][a-z]+(?:Type|Array))$/;

function isName(text: string): boolean {
  return /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(text) && !typeName.test(text);
}
