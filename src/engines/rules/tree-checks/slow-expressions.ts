/** Regular expressions that take exponential time on a text that almost matches. */
import type { Detector } from "../detector.ts";
import { field, type PlainNode } from "../parser/plain-tree.ts";
import { type Finding, findingAt, newFile, type Rule } from "../rule.ts";
import type { SourceFile } from "../source-file.ts";
import { repeatedTwice } from "./repetition.ts";
import { within } from "./within.ts";

const slow: Rule = {
  id: "js/redos",
  title: "regular expression of exponential time",
  category: "security",
  severity: "medium",
  cwe: 1333,
  message: "In this regular expression `{part}` can match one text in very many ways.",
  why: "Where the rest then fails, all of them are tried: a text of thirty characters keeps the process busy for minutes.",
  advice: "Repeat only once: take the quantifier off the group or off what is inside.",
  placement: "inline",
  bad: [
    newFile("src/a.js", "const email = /^([a-zA-Z0-9]+)+@example\\.com$/;\n"),
    newFile("src/a.js", "const list = /^(\\w+,?)*$/;\n"),
    newFile("src/a.ts", 'const words = new RegExp("^(?:[a-z]+ ?)+$");\n'),
  ],
  ok: [
    newFile("src/a.js", "const slug = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;\n"),
    newFile("src/a.js", "const list = /^(\\w+,)*\\w+$/;\n"),
    newFile("src/a.js", "const words = /([a-z]+)+/;\n"),
    newFile("src/a.js", "const quoted = /^[^(+]+$|\\(a+\\)+$/;\n"),
    newFile("src/a.js", "const tags = /^(<\\w+>)*$/;\n"),
  ],
};

const slowInPython: Rule = {
  ...slow,
  id: "py/redos",
  bad: [
    newFile("src/a.py", 'pattern = re.compile(r"^(\\w+)*$")\n'),
    newFile("src/a.py", 'ok = re.match(r"([a-z]+\\s?)+!", text)\n'),
  ],
  ok: [
    newFile("src/a.py", 'pattern = re.compile(r"^(\\w+\\.)*\\w+$")\n'),
    newFile("src/a.py", 'ok = re.sub(pattern, "", "(a+)+$")\n'),
  ],
};

export const slowExpressions: Detector = {
  rules: [slow, slowInPython],
  appliesTo: ({ language, text, isTest }) =>
    !isTest && /^(javascript|typescript|tsx|python)$/.test(language ?? "") && /\)[*+{]/.test(text),
  find,
};

function* find(file: SourceFile): Generator<Finding> {
  const code = file.code;
  if (code === null) return;
  const rule = file.language === "python" ? slowInPython : slow;
  for (const node of within(code)) {
    const pattern = rule === slow ? javascriptPattern(node) : pythonPattern(node);
    const part = pattern === null ? null : repeatedTwice(pattern);
    if (part !== null) yield findingAt(rule, node.line, { part: part.replaceAll("`", "'") });
  }
}

function javascriptPattern(node: PlainNode): string | null {
  if (node.type === "regex_pattern") return node.text;
  if (node.type !== "new_expression" || field(node, "constructor")?.text !== "RegExp") return null;
  const [first] = field(node, "arguments")?.children ?? [];
  return first?.type === "string" ? first.text.slice(1, -1).replaceAll("\\\\", "\\") : null;
}

function pythonPattern(node: PlainNode): string | null {
  if (node.type !== "call") return null;
  if (
    !/^re\.(compile|match|fullmatch|search|sub|split|findall|finditer)$/.test(
      field(node, "function")?.text ?? "",
    )
  ) {
    return null;
  }
  const [first] = field(node, "arguments")?.children ?? [];
  if (first?.type !== "string") return null;
  return /^[rR]?("""|'''|"|')(.*)\1$/s.exec(first.text)?.[2] ?? null;
}
