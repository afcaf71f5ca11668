/** Which of a call's arguments a sink looks at, and whether it does at all. */
import type { Call } from "./calls.ts";
import type { Condition, Sink } from "./model.ts";
import type { Value } from "./value.ts";

/** The values that get there. */
export function reachedBy(sink: Sink, made: Call): { applies: boolean; values: readonly Value[] } {
  const applies =
    sink.when.every((condition) => holds(condition, made)) &&
    !sink.unless.some((condition) => holds(condition, made));
  if (!applies) return { applies, values: [] };
  const given = sink.args.flatMap((which) => argumentsAt(which, made));
  return { applies, values: sink.program ? given.flatMap((value) => programOf(value, made)) : given };
}

export function argumentsAt(which: number | string, made: Call): readonly Value[] {
  if (which === "receiver") return made.receiver === null ? [] : [made.receiver];
  if (which === "all") return [...made.args, ...made.keywords.values()];
  // A page may be given with its status and headers: `(body, 200)`.
  if (which === "body") return made.args.slice(0, 1).map((page) => page.list?.[0] ?? page);
  if (which === "rest") return made.args.slice(1);
  const value = typeof which === "number" ? made.args[which] : made.keywords.get(which);
  return value === undefined ? [] : [value];
}

const shells = /^(.*[/\\])?(sh|bash|zsh|dash|ksh|cmd|cmd\.exe|powershell(\.exe)?|pwsh|env|sudo|ssh)$/i;

/** Of a program with its arguments, what decides which code runs: the program itself, or all that a shell reads. */
function programOf(value: Value, made: Call): readonly Value[] {
  const list =
    value.list ??
    (made.args.includes(value) && made.args.at(-1) !== value
      ? made.args.slice(made.args.indexOf(value))
      : null);
  if (list === null) return [value];
  const [program] = list;
  if (program === undefined) return [];
  return program.constants.some((one) => shells.test(String(one))) ? list : [program];
}

function holds({ arg, is, has }: Condition, made: Call): boolean {
  return argumentsAt(arg, made).some((value) => {
    if (has === null) return saysSo(value, is);
    const entries = [...(value.map ?? [])].filter(([key]) => has.test(key));
    return entries.some(([, entry]) => saysSo(entry, is));
  });
}

function saysSo(value: Value, is: RegExp): boolean {
  return value.constants.some((one) => is.test(String(one))) || value.names.some((name) => is.test(name));
}
