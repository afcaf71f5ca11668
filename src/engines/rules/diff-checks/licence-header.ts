/** A file that names another licence than before, or none any more (SPDX, ISO/IEC 5962). */
import { type Hunk, nearestHeadLine } from "../../../domain/diff.ts";
import type { Detector } from "../detector.ts";
import { changed, type Finding, findingAt, type Rule } from "../rule.ts";
import type { SourceFile } from "../source-file.ts";

const licenceChanged: Rule = {
  id: "any/licence-changed",
  title: "licence of a file changed",
  category: "dependency",
  severity: "medium",
  cwe: null,
  message: "This file was under {before} and now says {after}.",
  why: "Only those who hold the rights to every line may change its terms.",
  advice: "Restore it, or name in the pull request who agreed.",
  placement: "summary",
  bad: [
    changed("src/a.ts", `// ${spdx("MIT")}\ngo();\n`, `// ${spdx("Apache-2.0")}\ngo();\n`),
    changed("src/a.ts", `// ${spdx("MIT")}\ngo();\n`, "go();\n"),
  ],
  ok: [
    changed("src/a.ts", `// ${spdx("MIT")}\ngo();\n`, `// Goes.\n// ${spdx("MIT")}\ngo();\n`),
    changed("src/a.ts", "go();\n", `// ${spdx("MIT")}\ngo();\n`),
  ],
};

const headerLength = 5_000;

export const licenceHeaders: Detector = {
  rules: [licenceChanged],
  appliesTo: ({ baseText, whole }) =>
    whole && baseText?.slice(0, headerLength).includes("SPDX-License") === true,
  *find(file: SourceFile): Generator<Finding> {
    const [before, after] = [licenceOf(file.baseText ?? ""), licenceOf(file.text)];
    if (before === null || before === after) return;
    const line = whereItStood(file.diff.hunks);
    const values = { before, after: after ?? "nothing of its licence" };
    if (line !== null) yield { ...findingAt(licenceChanged, line, values), about: "removed" };
  },
};

function whereItStood(hunks: readonly Hunk[]): number | null {
  for (const hunk of hunks) {
    for (const line of hunk.lines)
      if (line.kind === "removed" && licenceOf(line.text) !== null)
        return nearestHeadLine(hunk, line.oldLine);
  }
  return null;
}

function licenceOf(text: string): string | null {
  return (
    /SPDX-License-Identifier:\s{0,3}([\w.() +-]{1,80})/.exec(text.slice(0, headerLength))?.[1]?.trim() ?? null
  );
}

/** Not in one piece, or this file would be under each of these. */
function spdx(licence: string): string {
  return `SPDX-License-${"Identifier"}: ${licence}`;
}
