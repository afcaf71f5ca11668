/** A key written twice in one object, and a case in one switch. */
import type { Detector } from "../detector.ts";
import { field, ofType, type PlainNode } from "../parser/plain-tree.ts";
import { type Finding, findingAt, newFile, type Rule } from "../rule.ts";
import type { SourceFile } from "../source-file.ts";
import { within } from "./within.ts";

const overwritten = {
  category: "bug",
  severity: "medium",
  cwe: null,
  message: "The key {key} stands in this object already, on line {first}.",
  why: "The last one wins without a word, so the value of the first is lost.",
  advice: "Remove one, or rename it if another key was meant.",
  placement: "inline",
} as const;

const inObject: Rule = {
  ...overwritten,
  id: "js/duplicate-key",
  title: "key written twice in an object",
  bad: [
    newFile("src/a.js", 'const labels = {\n  paid: "Paid",\n  sent: "Sent",\n  paid: "Settled",\n};\n'),
    newFile("src/a.ts", 'const headers = { Accept: "a", "Accept": "b" };\n'),
  ],
  ok: [
    newFile("src/a.js", 'const labels = { paid: "Paid", ...more, paid: "Settled" };\n'),
    newFile("src/a.js", "const a = { get size() { return 1; }, set size(value) {} };\n"),
    newFile("src/a.js", "const a = { [key]: 1, [key]: 2 };\n"),
    newFile("src/a.js", "const a = { b: { c: 1 }, c: 2 };\n"),
  ],
};

const inDictionary: Rule = {
  ...overwritten,
  message: "The key {key} stands in this dictionary already, on line {first}.",
  id: "py/duplicate-key",
  title: "key written twice in a dictionary",
  bad: [
    newFile("src/a.py", 'colors = {\n    "red": 1,\n    "green": 2,\n    "red": 3,\n}\n'),
    newFile("src/a.py", 'get(url, headers={"Accept": "a", "User": user, "Accept": "b"})\n'),
  ],
  ok: [
    newFile("src/a.py", 'colors = {"red": 1, **more, "red": 3}\n'),
    newFile("src/a.py", "sizes = {key: 1, key: 2}\n"),
    newFile("src/a.py", 'colors = {"red": 1, b"red": 3}\n'),
  ],
};

const inSwitch: Rule = {
  ...overwritten,
  id: "js/duplicate-case",
  title: "case written twice in a switch",
  message: "`case {key}` stands in this switch already, on line {first}.",
  why: "The first one always wins, so this one never runs.",
  advice: "Correct the value, or delete the case.",
  bad: [
    newFile(
      "src/a.js",
      'switch (kind) {\n  case "file":\n    a();\n    break;\n  case "file":\n    b();\n}\n',
    ),
  ],
  ok: [
    newFile(
      "src/a.js",
      'switch (kind) {\n  case "file":\n    a();\n    break;\n  case "folder":\n    b();\n}\n',
    ),
    newFile("src/a.js", "switch (kind) {\n  case 1:\n  case '1':\n    a();\n}\n"),
    newFile(
      "src/a.js",
      "switch (true) {\n  case next():\n    a();\n    break;\n  case next():\n    b();\n}\n",
    ),
  ],
};

export const repeatedKeys: Detector = {
  rules: [inObject, inDictionary, inSwitch],
  appliesTo: ({ language }) => /^(javascript|typescript|tsx|python)$/.test(language ?? ""),
  find,
};

function* find(file: SourceFile): Generator<Finding> {
  const code = file.code;
  if (code === null) return;
  for (const node of within(code)) {
    if (node.type === "object") yield* repeats(inObject, node.children, objectKey);
    else if (node.type === "dictionary") yield* repeats(inDictionary, node.children, dictionaryKey);
    else if (node.type === "switch_body") yield* repeats(inSwitch, ofType(node, "switch_case"), caseValue);
  }
}

/** What an entry is about: two of the same are one too many. `apart`: what follows may repeat what stands before. */
type KeyOf = (entry: PlainNode) => { key: string; shown: string } | "apart" | null;

function* repeats(rule: Rule, entries: readonly PlainNode[], keyOf: KeyOf): Generator<Finding> {
  const lines = new Map<string, number>();
  for (const entry of entries) {
    const named = keyOf(entry);
    if (named === "apart") lines.clear();
    if (named === "apart" || named === null) continue;
    const first = lines.get(named.key);
    if (first === undefined) lines.set(named.key, entry.line);
    else yield findingAt(rule, entry.line, { key: named.shown, first: String(first) });
  }
}

const objectKey: KeyOf = (entry) => {
  if (entry.type === "spread_element") return "apart";
  if (entry.type === "shorthand_property_identifier") return { key: entry.text, shown: `\`${entry.text}\`` };
  const key = entry.type === "pair" ? field(entry, "key") : null;
  if (key === null || key.type === "computed_property_name" || key.text === "__proto__") return null;
  return { key: unquoted(key.text), shown: `\`${key.text}\`` };
};

const dictionaryKey: KeyOf = (entry) => {
  if (entry.type === "dictionary_splat") return "apart";
  const key = entry.type === "pair" ? field(entry, "key") : null;
  if (key === null || !/^(string|integer|true|false|none)$/.test(key.type)) return null;
  const isComputed = ofType(key, "interpolation").length > 0;
  return isComputed ? null : { key: plainText(key.text), shown: `\`${key.text}\`` };
};

const caseValue: KeyOf = (entry) => {
  const value = field(entry, "value");
  if (value === null || !/^(string|number|identifier|member_expression)$/.test(value.type)) return null;
  return { key: plainText(value.text), shown: value.text };
};

function unquoted(text: string): string {
  return /^(["']).*\1$/s.test(text) ? text.slice(1, -1) : text;
}

/** `"a"` and `'a'` are one key, `b"a"` is another. */
function plainText(text: string): string {
  return text.replace(/^(["'])([^"'\\]*)\1$/, '"$2"');
}
