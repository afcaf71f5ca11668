/** A whole value printed in a file that never printed anything: what people write while they look for a fault. */
import type { Detector } from "../detector.ts";
import type { Language } from "../languages.ts";
import { changed, type Finding, findingAt, type Rule } from "../rule.ts";
import type { SourceFile } from "../source-file.ts";

const debugPrint: Rule = {
  id: "any/debug-print",
  title: "value printed in a file that printed nothing",
  category: "maintainability",
  severity: "low",
  cwe: 489,
  message: "`{call}` is the only output that this file prints: was it for debugging?",
  why: "It stays in everybody's output, with whatever the value holds.",
  advice: "Remove it, or write it to the log with a level.",
  placement: "summary",
  bad: [
    changed("src/a.ts", "save(cart);\n", "console.log(cart);\nsave(cart);\n"),
    changed("shop/a.py", "save(cart)\n", "print(cart)\nsave(cart)\n"),
    changed("app/a.rb", "save cart\n", "p cart\nsave cart\n"),
    changed("a.go", "package a\n\nfunc b() {\n}\n", "package a\n\nfunc b() {\n\tfmt.Println(c)\n}\n"),
  ],
  ok: [
    changed(
      "src/a.ts",
      "console.error(x);\nsave(cart);\n",
      "console.error(x);\nconsole.log(cart);\nsave(cart);\n",
    ),
    changed("src/a.ts", "save(cart);\n", 'console.log("Saved.");\nsave(cart);\n'),
    changed("scripts/a.py", "save(cart)\n", "print(cart)\nsave(cart)\n"),
    changed("a.go", "package main\n\nfunc b() {\n}\n", "package main\n\nfunc b() {\n\tfmt.Println(c)\n}\n"),
    changed("src/a.ts", "save(cart);\n", "try {\n  save(cart);\n} catch (e) {\n  console.log(e);\n}\n"),
    changed("src/a.ts", "save(cart);\n", "// console.log(cart);\nsave(cart);\n"),
  ],
};

interface Printing {
  /** A line that prints one value and nothing else. */
  debugging: RegExp;
  /** Whatever shows that the file prints anyway. */
  usual: RegExp;
}

const script: Printing = {
  debugging: /^\s*(?<call>console\.(?:log|dir)\((?:[\w$.]+|JSON\.stringify\([^()]{1,80}\))\))/,
  usual: /\bconsole\.|process\.stdout/,
};
const printings: Partial<Record<Language, Printing>> = {
  javascript: script,
  typescript: script,
  tsx: script,
  python: {
    debugging: /^\s*(?<call>p?print\([A-Za-z_][\w.]*\))\s*$/,
    usual: /\bp?print\(|sys\.stdout|\bclick\b/,
  },
  ruby: {
    debugging: /^\s*(?<call>pp? @{0,2}[a-z_][\w.]*|puts [\w.@]+\.inspect)\s*$/,
    usual: /^\s*(?:pp?|puts|print) /m,
  },
  go: {
    debugging: /^\s*(?<call>fmt\.Println\([\w.]+\)|fmt\.Printf\("[^"]{0,40}%[+#]v(?:\\n)?", [\w.]+\))/,
    usual: /\bfmt\.Print|os\.Stdout|^package main$/m,
  },
  java: { debugging: /^\s*(?<call>System\.out\.println\([\w.]+\))/, usual: /System\.(?:out|err)/ },
  kotlin: { debugging: /^\s*(?<call>println\([\w.]+\))/, usual: /\bprintln?\(/ },
  csharp: { debugging: /^\s*(?<call>Console\.WriteLine\([\w.]+\))/, usual: /\bConsole\./ },
};

/** Where printing is the purpose. */
const printsAnyway =
  /(?:^|\/)(?:scripts?|bin|cli|cmd|commands?|tools?|tasks?|bench\w*|demos?|docs?|playground)\//i;

/** Printed where it is caught, for want of a log. */
const error = /\b(?:e|er|err|error|ex|exc|exception)\b/i;

export const debugPrints: Detector = {
  rules: [debugPrint],
  appliesTo: (file) => !file.isTest && file.baseText !== null && !printsAnyway.test(file.path),
  *find(file: SourceFile): Generator<Finding> {
    const printing = file.language === null ? undefined : printings[file.language];
    if (printing === undefined || printing.usual.test(file.baseText ?? "")) return;
    for (const { line, text } of file.addedLines()) {
      const call = printing.debugging.exec(text)?.groups?.call;
      if (call !== undefined && !error.test(call)) yield findingAt(debugPrint, line, { call });
    }
  },
};
