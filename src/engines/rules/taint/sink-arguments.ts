/** Which of a call's arguments a sink looks at, and whether it does at all. */
import type { Call } from "./calls.ts";
import type { Condition, Sink } from "./model.ts";
import { allTaints, type Taint, type Value } from "./value.ts";

/** The input that gets there. */
export function reachedBy(sink: Sink, made: Call): readonly Taint[] {
  if (!sink.when.every((condition) => holds(condition, made))) return [];
  if (sink.unless.some((condition) => holds(condition, made))) return [];
  return sink.args.flatMap((which) =>
    argumentsAt(which, made).flatMap((value) => harmful(value, sink, made)),
  );
}

function argumentsAt(which: number | string, made: Call): readonly Value[] {
  if (which === "receiver") return made.receiver === null ? [] : [made.receiver];
  if (which === "all") return [...made.args, ...made.keywords.values()];
  // A page may be given with its status and headers: `(body, 200)`.
  if (which === "body") return made.args.slice(0, 1).map((page) => page.list?.[0] ?? page);
  if (which === "rest") return made.args.slice(1);
  const value = typeof which === "number" ? made.args[which] : made.keywords.get(which);
  return value === undefined ? [] : [value];
}

const shells = /^(.*[/\\])?(sh|bash|zsh|dash|ksh|cmd|cmd\.exe|powershell(\.exe)?|pwsh|env|sudo|ssh)$/i;

function harmful(value: Value, sink: Sink, made: Call): readonly Taint[] {
  if (!sink.program) return allTaints(value);
  const list = value.list ?? (made.args.length > 1 && made.args[0] === value ? made.args : null);
  if (list === null) return allTaints(value);
  const [program] = list;
  if (program === undefined) return [];
  const isShell = program.constants.some((one) => shells.test(String(one)));
  return isShell ? list.flatMap(allTaints) : allTaints(program);
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
