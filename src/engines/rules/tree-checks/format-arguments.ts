/** Format texts whose places and arguments do not match. */
import type { Detector } from "../detector.ts";
import type { PlainNode } from "../parser/plain-tree.ts";
import { type Finding, findingAt, newFile, type Rule } from "../rule.ts";
import type { SourceFile } from "../source-file.ts";
import { goMismatch } from "./go-formats.ts";
import { type Mismatch, pythonMismatch } from "./python-formats.ts";
import { within } from "./within.ts";

const inPython: Rule = {
  id: "py/format-arguments",
  title: "format text and arguments do not match",
  category: "bug",
  severity: "high",
  cwe: null,
  message: "The text asks for {places}, and gets {given}.",
  why: "The line fails with an exception, or logs nothing, as soon as it runs.",
  advice: "Give one argument for each place.",
  placement: "inline",
  bad: [
    newFile("src/a.py", 'print("%s has %d items" % (name,))\n'),
    newFile("src/a.py", 'print("{} has {} items".format(name))\n'),
    newFile("src/a.py", 'print("{name}: {size}".format(name=name))\n'),
    newFile("src/a.py", 'log.info("%s has %d items", name)\n'),
  ],
  ok: [
    newFile("src/a.py", 'print("%d%% of %s" % (size, name))\n'),
    newFile("src/a.py", 'print("%*d" % (width, size))\n'),
    newFile("src/a.py", 'print("%(name)s" % values)\n'),
    newFile("src/a.py", 'print("{0} {0} {1}".format(name, size))\n'),
    newFile("src/a.py", 'print("{:{width}} {{}}".format(name, width=9))\n'),
    newFile("src/a.py", 'print("{} {}".format(*pair))\n'),
    newFile("src/a.py", 'log.info("100% done")\n'),
    newFile("src/a.py", 'log.info("%(name)s of %(size)s", values)\n'),
  ],
};

const inGo: Rule = {
  ...inPython,
  id: "go/format-arguments",
  severity: "medium",
  why: "What is printed has `%!d(MISSING)` or `%!(EXTRA …)` in it.",
  bad: [
    newFile("a.go", 'package a\n\nfunc f() { fmt.Printf("%s has %d items\\n", name) }\n'),
    newFile("a.go", 'package a\n\nfunc f() { log.Printf("done %s", name, n) }\n'),
    newFile("a.go", 'package a\n\nfunc f() error { return fmt.Errorf("bad %d: %s: %w", n, name) }\n'),
  ],
  ok: [
    newFile("a.go", 'package a\n\nfunc f() { fmt.Printf("%d%%\\n", n) }\n'),
    newFile("a.go", 'package a\n\nfunc f() { fmt.Printf("%-*s|%6.2f\\n", n, name, share) }\n'),
    newFile("a.go", 'package a\n\nfunc f() { fmt.Printf("%[1]s %[1]q\\n", name) }\n'),
    newFile("a.go", 'package a\n\nfunc f() { fmt.Printf("%s %s\\n", names...) }\n'),
  ],
};

type Judge = (node: PlainNode) => Mismatch | null;
const judges: Readonly<Record<string, { rule: Rule; judge: Judge; words: RegExp }>> = {
  python: { rule: inPython, judge: pythonMismatch, words: /%[^%\s]|\.format\(/ },
  go: { rule: inGo, judge: goMismatch, words: /%[^%\s]/ },
};

export const formatArguments: Detector = {
  rules: [inPython, inGo],
  appliesTo: ({ language, text }) => judges[language ?? ""]?.words.test(text) === true,
  find,
};

function* find(file: SourceFile): Generator<Finding> {
  const code = file.code;
  const language = judges[file.language ?? ""];
  if (code === null || language === undefined) return;
  for (const node of within(code)) {
    const mismatch = language.judge(node);
    if (mismatch !== null) yield findingAt(language.rule, node.line, { ...mismatch });
  }
}
