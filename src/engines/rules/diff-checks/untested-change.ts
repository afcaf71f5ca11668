/** Code that changed while the tests beside it, and all others, did not. */
import type { DiffFile } from "../../../domain/diff.ts";
import { isTestPath } from "../../../domain/test-path.ts";
import { type Finding, findingAt, type Rule } from "../rule.ts";
import type { SourceFile } from "../source-file.ts";
import type { PullRequestChange, PullRequestCheck } from "./pull-request-check.ts";

const before = "export function total(cart) {\n  return cart.sum;\n}\n";
const branches = Array.from({ length: 12 }, (_, index) => `  if (cart.size === ${index}) return ${index};\n`);
const after = before.replace("  return", `${branches.join("")}  return`);

const testsUnchanged: Rule = {
  id: "any/tests-unchanged",
  title: "logic changed, its tests not",
  category: "testing",
  severity: "low",
  cwe: null,
  message: "`{test}` tests this file, but no test changes with the {count} lines that are new here.",
  why: "What is new works today because somebody tried it, and nobody will notice when it stops.",
  advice: "Add a test of what is new.",
  placement: "summary",
  bad: [
    {
      ...{ path: "src/total.ts", before, after },
      alongside: { "src/total.test.ts": { before: "test();\n", after: "test();\n" } },
    },
  ],
  ok: [
    {
      ...{ path: "src/total.ts", before, after },
      alongside: { "src/total.test.ts": { before: "test();\n", after: "test();\ntest();\n" } },
    },
    { path: "src/total.ts", before, after },
    {
      ...{ path: "src/total.ts", before, after: before.replace("cart.sum", "cart.total") },
      alongside: { "src/total.test.ts": { before: "test();\n", after: "test();\n" } },
    },
  ],
};

/** Fewer new lines, or none of them with a choice in it, and the old tests may well do. */
const linesMin = 10;
/** The files with the most new lines are asked about; the others go with them. */
const filesMax = 5;

export const untestedChanges: PullRequestCheck = {
  rules: [testsUnchanged],
  wants: (diffs) => askedAbout(diffs).flatMap(({ path }) => testsOf(path)),
  *find({ files, diffs, others }: PullRequestChange) {
    const asked = askedAbout(diffs).map(({ path }) => path);
    for (const path of asked) {
      const file = files.find((one) => one.path === path);
      const test = testsOf(path).find((one) => others.has(one));
      const finding = file === undefined || test === undefined ? null : untested(file, test);
      if (file === undefined || finding === null) continue;
      yield { file, finding };
      return;
    }
  },
};

/** None as soon as any test changes: which of them belongs to what is not for us to tell. */
function askedAbout(diffs: readonly DiffFile[]): DiffFile[] {
  if (diffs.some(({ path, additions, deletions }) => isTestPath(path) && additions + deletions > 0))
    return [];
  return diffs
    .filter(({ change, additions }) => change === "modified" && additions >= linesMin)
    .sort((a, b) => b.additions - a.additions)
    .slice(0, filesMax);
}

const choice =
  /\b(?:if|elif|elsif|unless|else|for|while|switch|case|when|match|catch|except|rescue)\b|\?|&&|\|\|/;
const comment = /^\s*(?:\/\/|#|\*|\/\*|--|"""|''')/;

function untested(file: SourceFile, test: string): Finding | null {
  const written = [...file.addedLines()].filter(({ text }) => /\w/.test(text) && !comment.test(text));
  const first = written.find(({ text }) => choice.test(text.slice(0, 300)));
  if (first === undefined || written.length < linesMin) return null;
  return findingAt(testsUnchanged, first.line, { test, count: `${written.length}` });
}

/** Where the habits of its language put the tests of a file. */
function testsOf(path: string): string[] {
  const [, folder = "", name = "", extension = ""] = /^(.*\/)?([^/]+)\.(\w+)$/.exec(path) ?? [];
  const inner = folder.replace(/^(?:src|lib|app|[^/]+)\//, "");
  switch (extension) {
    case "ts":
    case "tsx":
    case "js":
    case "jsx":
    case "mjs":
      return ["test", "spec"].flatMap((kind) => [
        `${folder}${name}.${kind}.${extension}`,
        `${folder}__tests__/${name}.${kind}.${extension}`,
        `test/${inner}${name}.${kind}.${extension}`,
        `tests/${inner}${name}.${kind}.${extension}`,
      ]);
    case "py":
      return [
        `${folder}test_${name}.py`,
        `${folder}tests/test_${name}.py`,
        ...["test", "tests", "t/unit", "tests/unit"].flatMap((root) => [
          `${root}/${inner}test_${name}.py`,
          `${root}/test_${name}.py`,
        ]),
      ];
    case "go":
      return [`${folder}${name}_test.go`];
    case "java":
    case "kt":
      return folder.includes("src/main/")
        ? [`${folder.replace("src/main/", "src/test/")}${name}Test.${extension}`]
        : [];
    case "rb":
      return [`test/${inner}${name}_test.rb`, `spec/${inner}${name}_spec.rb`];
    case "php":
      return [`tests/${inner}${name}Test.php`, `tests/Unit/${inner}${name}Test.php`];
    default:
      return [];
  }
}
