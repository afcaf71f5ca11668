/** The words of a comment about a flow. */
import type { Flow } from "./interpreter.ts";

const stepsShown = 3;

/**
 * Fill the rules' message: `{SOURCE} reaches {SINK}{STEPS}{AGAIN}.` `at` = the line that the comment is on; `others` =
 * those of further sinks of the same kind that the same input reaches.
 */
export function words(
  { sink, taint, line }: Flow,
  at: number,
  others: readonly number[],
): Record<string, string> {
  const what = `${taint.what.charAt(0).toUpperCase()}${taint.what.slice(1)}`;
  const which = taint.key === null ? what : `${what} \`${shown(taint.key)}\``;
  const lines = new Set([taint.line, line]);
  const between = taint.steps.filter((step) => !lines.has(step.line)).slice(-stepsShown);
  const steps = between.map((step) => `\`${shown(step.name)}\` (line ${step.line})`);
  return {
    SOURCE: `${which} (line ${taint.line})`,
    SINK: at === line ? sink.noun : `${sink.noun.replace(/^this /, "the ")} on line ${line}`,
    STEPS: steps.length === 0 ? "" : ` through ${enumerated(steps)}`,
    AGAIN: again([...new Set(others)].filter((one) => one !== line)),
  };
}

const linesShown = 5;

function again(lines: readonly number[]): string {
  const shown = lines.slice(0, linesShown).map(String);
  if (shown.length === 0) return "";
  const rest = lines.length - shown.length;
  const more = rest === 0 ? shown : [...shown, `${rest} more`];
  return `, and again on ${lines.length === 1 ? "line" : "lines"} ${enumerated(more)}`;
}

function enumerated(parts: readonly string[]): string {
  return parts.length === 1 ? (parts[0] ?? "") : `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}`;
}

function shown(name: string): string {
  const line = name.replace(/\s+/g, " ").replaceAll("`", "'");
  return line.length <= 40 ? line : `${line.slice(0, 39)}…`;
}
