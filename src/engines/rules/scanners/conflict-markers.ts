/** Merge-conflict markers left in a file. */

import type { Detector } from "../detector.ts";
import { type Finding, findingAt, type Rule } from "../rule.ts";
import type { SourceFile } from "../source-file.ts";
import { isInText } from "./in-text.ts";

const conflictMarker: Rule = {
  id: "any/conflict-marker",
  title: "merge-conflict marker",
  category: "bug",
  severity: "critical",
  cwe: null,
  message: "A merge-conflict marker was committed.",
  why: "The file holds both sides of an unfinished merge and will not parse or will behave like neither of them.",
  advice: "Resolve the conflict and delete the markers.",
  placement: "inline",
  bad: [
    {
      path: "src/cart.ts",
      before: null,
      after: "const a = 1;\n<<<<<<< HEAD\nconst b = 2;\n=======\nconst b = 3;\n>>>>>>> feature\n",
    },
  ],
  ok: [
    { path: "README.md", before: null, after: "Title\n=======\n\nText under a heading.\n" },
    {
      path: "merge_test.go",
      before: null,
      after: "package a\n\nconst text = `a\n<<<<<<< HEAD\nb\n=======\nc\n>>>>>>> d\n`\n",
    },
    { path: "docs/merge.md", before: null, after: "<<<<<<< begins a conflict.\n" },
    { path: "docs/git.rst", before: null, after: "Usage\n=======\n\n>>> print(1)\n" },
  ],
};

export const conflictMarkers: Detector = { rules: [conflictMarker], appliesTo: () => true, find };

/** One finding a conflict, on its opening marker (or, where that is old, on its closing one). */
function* find(file: SourceFile): Generator<Finding> {
  let reported = false;
  for (const { line, text } of file.addedLines()) {
    // A test of what reads such markers.
    if (file.isTest && /^[<>]{7}/.test(text) && isInText(file, line, 0)) continue;
    if (/^<{7}( |$)/.test(text) && hasOtherSide(file, line)) {
      reported = true;
      yield findingAt(conflictMarker, line);
    } else if (/^>{7} \S/.test(text)) {
      if (!reported) yield findingAt(conflictMarker, line);
      reported = false;
    }
  }
}

function hasOtherSide(file: SourceFile, line: number): boolean {
  return file.lines.slice(line).some((text) => /^={7}\s*$/.test(text));
}
