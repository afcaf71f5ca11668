/** Which of a call's arguments a sink looks at, and whether it does at all. */
import type { Call } from "./calls.ts";
import { formatted } from "./formats.ts";
import type { Condition, Sink } from "./model.ts";
import type { Value } from "./value.ts";

type Given = Pick<Call, "receiver" | "args" | "keywords" | "page">;

/** The values that get there. */
export function reachedBy(sink: Sink, made: Given): { applies: boolean; values: readonly Value[] } {
  const applies = holdsAll(sink.when, made) && !sink.unless.some((condition) => holds(condition, made));
  if (!applies) return { applies, values: [] };
  const given = sink.args
    .flatMap((which) => argumentsAt(which, made))
    .flatMap((value) => entriesOf(value, sink.entries))
    .filter((value) => !sink.text || (value.map === null && value.list === null));
  return { applies, values: sink.program ? given.flatMap((value) => programOf(value, made)) : given };
}

export function argumentsAt(which: number | string, made: Given): readonly Value[] {
  if (which === "receiver") return made.receiver === null ? [] : [made.receiver];
  if (which === "page") return made.page === null ? [] : [made.page];
  if (which === "all") return [...made.args, ...made.keywords.values()];
  // A page may be given with its status and headers: `(body, 200)`.
  if (which === "body") return made.args.slice(0, 1).map((page) => page.list?.[0] ?? page);
  // `[$this, $action]`: the methods are the program's own.
  if (which === "callable") return made.args.slice(0, 1).filter(({ list }) => list === null);
  if (which === "rest") return made.args.slice(1);
  if (which === "formatted") return formatted(made.args[0], made.args.slice(1), made.keywords) ?? made.args;
  const value = typeof which === "number" ? made.args[which] : made.keywords.get(which);
  return value === undefined ? [] : [value];
}

function entriesOf(value: Value, wanted: readonly string[] | null): readonly Value[] {
  const { map } = value;
  if (wanted === null || map === null) return [value];
  return wanted.flatMap((key) => map.get(key) ?? []);
}

const shells = /^(.*[/\\])?(sh|bash|zsh|dash|ksh|cmd|cmd\.exe|powershell(\.exe)?|pwsh|env|sudo|ssh)$/i;

/** Of a program with its arguments, what decides which code runs: the program itself, or all that a shell reads. */
function programOf(value: Value, made: Given): readonly Value[] {
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

export function holdsAll(conditions: readonly Condition[], made: Given): boolean {
  return conditions.every((condition) => holds(condition, made));
}

function holds({ arg, is, has }: Condition, made: Given): boolean {
  return argumentsAt(arg, made).some((value) => {
    if (has === null) return saysSo(value, is);
    return entriesWithin(value).some(([key, entry]) => has.test(key) && saysSo(entry, is));
  });
}

/** Its entries and theirs: `{ headers: { "Content-Type": … } }`. */
function entriesWithin(value: Value): readonly (readonly [string, Value])[] {
  return [...(value.map ?? [])].flatMap(([key, entry]) => [[key, entry] as const, ...(entry.map ?? [])]);
}

function saysSo(value: Value, is: RegExp): boolean {
  return value.constants.some((one) => is.test(String(one))) || value.names.some((name) => is.test(name));
}
