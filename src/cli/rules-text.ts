/** A rule as a page for people at a terminal. */
import type { RuleDescription, RuleExample } from "../domain/rule.ts";
import { printable } from "./printable.ts";

type ShownRule = RuleDescription & { ignore: string };

const examplesShown = 4;

export function ruleAsText(rule: ShownRule): string {
  const { severity, category, cwe, placement, languages } = rule;
  const facts = [severity, category, ...(cwe === null ? [] : [`CWE-${cwe}`]), languages.join(", ")];
  if (placement === "summary") facts.push("mentioned in the summary only");
  return [
    `${rule.id}: ${rule.title}`,
    facts.join(" · "),
    "",
    `${rule.message}`,
    `${rule.why}`,
    `${rule.advice}`,
    "",
    ...examples("Comments on", rule.bad),
    ...examples("Leaves alone", rule.ok),
    "To ignore it, say why in a code comment on the line, or alone on the line above:",
    `    ${rule.ignore}`,
  ]
    .map((line) => `${printable(line)}\n`)
    .join("");
}

/** One snippet in several languages is shown once. */
function examples(heading: string, all: readonly RuleExample[]): string[] {
  const different = [
    ...new Map(all.map((example) => [JSON.stringify([example.before, example.after]), example])).values(),
  ];
  return different
    .slice(0, examplesShown)
    .flatMap(({ path, before, after }) => [
      before === null ? `${heading} (${path}):` : `${heading} (${path}), after:`,
      ...indented(after),
      ...(before === null ? [] : [`Before:`, ...indented(before)]),
      "",
    ]);
}

function indented(text: string): string[] {
  return text
    .replace(/\n$/, "")
    .split("\n")
    .map((line) => `    ${line}`);
}
