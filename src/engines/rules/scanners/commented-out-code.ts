/** Code that was put into comments instead of being removed. */
import type { Detector } from "../detector.ts";
import type { Language } from "../languages.ts";
import { changed, type Finding, findingAt, newFile, type Rule } from "../rule.ts";
import type { SourceFile } from "../source-file.ts";
import { stoodBefore } from "./stood-before.ts";

const commentedOut: Rule = {
  id: "any/commented-out-code",
  title: "code put into comments",
  category: "maintainability",
  severity: "low",
  cwe: null,
  message: "{count} lines of code are commented out here.",
  why: "Nobody dares to remove them later, and they are never compiled or tested with the rest.",
  advice: "Delete them; the history keeps them.",
  placement: "summary",
  bad: [
    newFile(
      "src/a.ts",
      "go();\n// const cart = read();\n// if (cart.open) {\n//   cart.close();\n//   show(cart);\n// }\n",
    ),
    newFile(
      "shop/a.py",
      "go()\n# cart = read()\n# if cart.open:\n#     cart.close()\n#     show(cart)\n# save(cart)\n",
    ),
  ],
  ok: [
    newFile(
      "src/a.ts",
      "// Reads the cart, closes it and shows it.\n// It is open when the user left; then the\n// server keeps it for a week (see close).\n// After that the items go back to the\n// shelves; nothing else is done.\ngo();\n",
    ),
    newFile(
      "src/a.ts",
      "// For example:\n// const cart = read();\n// if (cart.open) {\n//   cart.close();\n//   show(cart);\n// }\ngo();\n",
    ),
    newFile("src/a.ts", "// const cart = read();\n// cart.close();\ngo();\n"),
    changed(
      "src/a.ts",
      "// const a = 1;\n// const b = 2;\n// const c = 3;\n// go(a);\n// go(b);\n",
      "if (x) {\n  // const a = 1;\n  // const b = 2;\n  // const c = 3;\n  // go(a);\n  // go(b);\n}\n",
    ),
  ],
};

const linesMin = 5;
/** Of the lines of a comment, how many must look like code. */
const codeShareMin = 0.8;

const slash = /^\s*\/\/(?![/!])(.*)$/;
const hash = /^\s*#(?![!:])(.*)$/;
/** Ends as statements do, or begins as only code begins. */
const slashCode =
  /[;{}]\s*$|^\s*(?:const|let|var|return|import|export|func|if \(|for \(|else\b|case [\w."']+:|@\w+|[})\]]+[,;]?$|[\w$.]+\(.*\)[,;]?$|[\w$.[\]]+ (?:=|:=|\+=) \S|<\/?\w+[^>]*>$)/;
const hashCode =
  /^\s*(?:(?:def|class|if|elif|for|while|with|try|except|else)\b.*:$|(?:return|import|from \w+ import|raise|yield|await|end$|local|export|fi$|done$|unless|elsif)\b|@\w+|[})\]]+,?$|[\w.[\]"']+ ?(?:=|\+=) ?\S|[\w.]+\(.*\),?$)/;

const commentsOf: Partial<Record<Language, { comment: RegExp; code: RegExp }>> = {
  ...Object.fromEntries(
    (
      [
        "javascript",
        "typescript",
        "tsx",
        "go",
        "java",
        "kotlin",
        "csharp",
        "php",
        "rust",
        "c",
        "cpp",
      ] as const
    ).map((language) => [language, { comment: slash, code: slashCode }]),
  ),
  python: { comment: hash, code: hashCode },
  ruby: { comment: hash, code: hashCode },
};

export const commentedOutCode: Detector = {
  rules: [commentedOut],
  appliesTo: (file) => file.language !== null && commentsOf[file.language] !== undefined,
  *find(file: SourceFile): Generator<Finding> {
    for (const { first, texts } of commentRuns(file)) {
      const count = texts.length;
      if (count < linesMin || texts.some((text) => /\b(?:examples?|usage|e\.g\.)/i.test(text))) continue;
      const { code } = commentsOf[file.language ?? "c"] ?? { code: slashCode };
      const written = texts.filter((text) => text.trim() !== "");
      const looking = written.filter((text) => text.length < 300 && code.test(text)).length;
      if (looking >= linesMin && looking >= codeShareMin * written.length)
        yield { ...findingAt(commentedOut, first + count - 1, { count: `${count}` }), startLine: first };
    }
  },
};

/** Comments of whole added lines, one below the other, that did not stand there before. */
function commentRuns(file: SourceFile): { first: number; texts: string[] }[] {
  const runs: { first: number; texts: string[] }[] = [];
  const { comment } = commentsOf[file.language ?? "c"] ?? { comment: slash };
  let last = -1;
  for (const { line, text } of file.addedLines()) {
    const inside = comment.exec(text)?.[1];
    if (inside === undefined || (inside.trim() !== "" && stoodBefore(file, text))) continue;
    if (line !== last + 1) runs.push({ first: line, texts: [] });
    runs.at(-1)?.texts.push(inside);
    last = line;
  }
  return runs;
}
