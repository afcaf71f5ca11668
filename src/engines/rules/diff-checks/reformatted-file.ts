/** A change that is hidden among lines that only moved to the left or right. */

import type { Detector } from "../detector.ts";
import { changed, type Finding, findingAt, type Rule } from "../rule.ts";
import type { SourceFile } from "../source-file.ts";

const hiddenAmongSpaces: Rule = {
  id: "any/change-among-reformatting",
  title: "change hidden among reformatted lines",
  category: "maintainability",
  severity: "low",
  cwe: null,
  message:
    "{spaces} lines of this file differ in white space only, and {others} changed ones stand among them.",
  why: "Nobody finds the change that matters while reading, or later in the history.",
  advice: "Reformat in a commit of its own; until then, read this with white space ignored.",
  placement: "summary",
  bad: [changed("src/a.ts", indented(250, "", "go();"), indented(250, "  ", "stop();"))],
  ok: [
    changed("src/a.ts", indented(250, "", "go();"), indented(250, "  ", "go();")),
    changed("src/a.json", indented(250, "", "go();"), indented(250, "  ", "stop();")),
    changed("src/a.ts", indented(50, "", "go();"), indented(50, "  ", "stop();")),
  ],
};

const spacesMin = 200;

export const reformattedFiles: Detector = {
  rules: [hiddenAmongSpaces],
  appliesTo: ({ diff, language }) =>
    !/^(?:json|yaml)$/.test(language ?? "json") && diff.additions > spacesMin && diff.deletions > spacesMin,
  *find(file: SourceFile): Generator<Finding> {
    const lines = file.diff.hunks.flatMap((hunk) => hunk.lines);
    const removed = new Map<string, number>();
    for (const { kind, text } of lines) if (kind === "removed") count(removed, tight(text), 1);
    const others: number[] = [];
    let spaces = 0;
    for (const line of lines) {
      if (line.kind !== "added" || tight(line.text) === "") continue;
      if ((removed.get(tight(line.text)) ?? 0) === 0) others.push(line.newLine);
      else {
        count(removed, tight(line.text), -1);
        spaces += 1;
      }
    }
    const [first] = others;
    if (first === undefined || spaces <= spacesMin || others.length > spaces) return;
    yield findingAt(hiddenAmongSpaces, first, { spaces: `${spaces}`, others: `${others.length}` });
  },
};

function count(counts: Map<string, number>, text: string, by: number): void {
  counts.set(text, (counts.get(text) ?? 0) + by);
}

function tight(text: string): string {
  return text.replace(/\s/g, "");
}

/** That many statements, and one that differs in the middle. */
function indented(count: number, indent: string, middle: string): string {
  const statements = Array.from({ length: count }, (_, index) => `${indent}step(${index});\n`);
  return [...statements.slice(0, count / 2), `${indent}${middle}\n`, ...statements.slice(count / 2)].join("");
}
