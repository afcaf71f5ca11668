/** Comments that tell a linter or a type checker to look away from everything. One that names its rule is fine. */
import type { Detector } from "../detector.ts";
import { changed, type Finding, findingAt, newFile, type Rule } from "../rule.ts";
import type { SourceFile } from "../source-file.ts";
import { stoodBefore } from "./stood-before.ts";

const fileSilenced: Rule = {
  id: "any/file-not-checked",
  title: "whole file taken out of checking",
  category: "maintainability",
  severity: "low",
  cwe: null,
  message: "`{mark}` turns off every check from here on: which one is in the way?",
  why: "What the checks would have found later in this file goes unseen, too.",
  advice: "Name the rule that is in the way, with the reason, on the lines that need it.",
  placement: "inline",
  doubtful: true,
  bad: [
    newFile("src/a.ts", "/* eslint-disable */\ngo();\n"),
    newFile("src/a.ts", "// @ts-nocheck\ngo();\n"),
    newFile("shop/a.py", "# flake8: noqa\ngo()\n"),
    newFile("src/lib.rs", "#![allow(warnings)]\nfn a() {}\n"),
  ],
  ok: [
    newFile("src/a.ts", "/* eslint-disable no-console -- a command prints */\ngo();\n"),
    newFile("shop/a.py", "# flake8: noqa: E501\ngo()\n"),
    newFile("src/lib.rs", "#![allow(dead_code)]\nfn a() {}\n"),
    changed("src/a.ts", "/* eslint-disable */\ngo();\n", "// Goes.\n/* eslint-disable */\ngo();\n"),
  ],
};

const lineSilenced: Rule = {
  id: "any/line-not-checked",
  title: "finding silenced without a name",
  category: "maintainability",
  severity: "low",
  cwe: null,
  message: "`{mark}` silences every check of the line and gives no reason.",
  why: "A fault that somebody adds to the line later is silenced with it.",
  advice: "Name the rule that is meant, and why.",
  placement: "summary",
  bad: [
    newFile("src/a.ts", "// @ts-ignore\ngo(1);\n"),
    newFile("shop/a.py", "go(1)  # noqa\n"),
    newFile("shop/a.py", "go(1)  # type: ignore\n"),
    newFile("a.go", "package a\n\nvar x = b() //nolint\n"),
  ],
  ok: [
    newFile("src/a.ts", "// @ts-ignore the types are wrong until 2.1\ngo(1);\n"),
    newFile("shop/a.py", "go(1)  # noqa: E501\n"),
    newFile("shop/a.py", "go(1)  # type: ignore[arg-type]\n"),
    newFile("a.go", "package a\n\nvar x = b() //nolint:errcheck\n"),
    changed("shop/a.py", "go(1)  # noqa\n", "go(2)  # noqa\n"),
  ],
};

const endOfComment = "\\s*(?:\\*\\/|$)";
const ofFile = anyOf(
  `eslint-disable${endOfComment}`,
  "@ts-nocheck\\b",
  "#\\s*(?:flake8|ruff):\\s*noqa\\s*$",
  "#\\s*mypy:\\s*ignore-errors",
  "#\\s*pylint:\\s*(?:skip-file|disable=all)\\b",
  "#!\\[allow\\((?:warnings|clippy::all)\\)\\]",
  '@file:Suppress\\("ALL"',
  "#pragma warning disable\\s*$",
  "#\\s*rubocop:disable (?:all|All)\\b",
  `phpcs:(?:ignoreFile|disable)${endOfComment}`,
  "#\\s*shellcheck disable=all\\b",
);
const ofLine = anyOf(
  `eslint-disable-(?:next-)?line${endOfComment}`,
  `@ts-(?:ignore|expect-error)${endOfComment}`,
  "#\\s*noqa\\s*$",
  "#\\s*(?:type|pyright):\\s*ignore\\s*$",
  "\\/\\/\\s*nolint\\s*$",
  "#\\[allow\\((?:warnings|clippy::all)\\)\\]",
  '@SuppressWarnings\\((?:\\{\\s*)?"all"',
  `@phpstan-ignore(?:-next)?-line${endOfComment}`,
  `phpcs:ignore${endOfComment}`,
  "\\/\\/\\s*(?:NOLINT(?:NEXTLINE)?|NOSONAR)\\s*$",
);

function anyOf(...marks: readonly string[]): RegExp {
  return new RegExp(`(?:${marks.join("|")})`);
}

const prose = /\.(?:md|mdx|rst|txt|adoc)$/i;
const lineLengthMax = 500;

export const silencedChecks: Detector = {
  rules: [fileSilenced, lineSilenced],
  appliesTo: (file) => !file.isTest && !prose.test(file.path),
  *find(file: SourceFile): Generator<Finding> {
    for (const { line, text } of file.addedLines()) {
      if (text.length > lineLengthMax) continue;
      for (const [rule, marks] of [
        [fileSilenced, ofFile],
        [lineSilenced, ofLine],
      ] as const) {
        const mark = marks.exec(text)?.[0];
        if (mark === undefined || stoodBefore(file, mark)) continue;
        yield findingAt(rule, line, { mark: mark.replace(/\s*\*\/$/, "").trim() });
        break;
      }
    }
  },
};
