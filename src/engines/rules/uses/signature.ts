/** What a function takes, what a call gives, and whether the one still fits the other. */
import type { Language } from "../languages.ts";

export interface Parameter {
  /** Empty for one without a name, and for a pattern. */
  name: string;
  /** `rest` takes any number of arguments, `keywords` any name. */
  kind: "needed" | "optional" | "keyword" | "optional-keyword" | "rest" | "keywords";
}

export interface Definition {
  /** What calls name: of a constructor, its class. */
  name: string;
  kind: "function" | "method" | "constructor";
  /** The class, or the type of the receiver; null for a plain function. */
  owner: string | null;
  /** Its class inherits from another one, whose functions of that name may be meant. */
  inherits: boolean;
  /** The first and the last line of its head, up to the end of the parameters. */
  line: number;
  lastLine: number;
  parameters: readonly Parameter[];
}

export interface Call {
  line: number;
  lastLine: number;
  /** What stands before the name: `shop` in `shop.price(1)`; null for a bare name. */
  receiver: string | null;
  /** The class that the call stands in. */
  within: string | null;
  /** The arguments as they are written. */
  positional: readonly string[];
  keywords: readonly string[];
}

/** What became of the parameters, completing "`price` now …"; null when the call is right, or was wrong before. */
export function brokenBy(
  language: Language,
  { before, now }: { before: readonly Parameter[]; now: readonly Parameter[] },
  call: Call,
  isAdded: (line: number) => boolean,
): string | null {
  const { missing, tooMany } = strictness(language);
  if (misfit(before, call) !== null) return null;
  const wrong = misfit(now, call);
  if (wrong !== null && (wrong.kind === "missing" ? missing : tooMany)) return wrong.change;
  // Whoever wrote the call in this pull request knew the new order.
  return isAdded(call.line) || isAdded(call.lastLine) ? null : moved(before, now, call);
}

/** In JavaScript too few and too many arguments are a habit, in PHP too many are. */
function strictness(language: Language): { missing: boolean; tooMany: boolean } {
  return { missing: language !== "javascript", tooMany: language !== "javascript" && language !== "php" };
}

interface Misfit {
  kind: "missing" | "surplus";
  change: string;
}

function misfit(parameters: readonly Parameter[], call: Call): Misfit | null {
  const slots = slotsOf(parameters);
  const takes = (kind: Parameter["kind"]) => parameters.some((parameter) => parameter.kind === kind);
  if (call.positional.length > slots.length && !takes("rest"))
    return { kind: "surplus", change: `takes ${atMost(parameters, slots.length)}` };
  const unknown = call.keywords.find((word) => !parameters.some(({ name }) => name === word));
  if (unknown !== undefined && !takes("keywords"))
    return { kind: "surplus", change: `has no parameter \`${unknown}\`` };
  const open = parameters.filter(
    (parameter) =>
      (parameter.kind === "needed" || parameter.kind === "keyword") &&
      !call.keywords.includes(parameter.name) &&
      !slots.slice(0, call.positional.length).includes(parameter),
  );
  if (open.length === 0) return null;
  const names = open.map(({ name }) => name).filter((name) => name !== "" && name !== "_");
  return {
    kind: "missing",
    change: names.length === open.length ? `needs ${listed(names)}` : `takes ${atLeast(slots)}`,
  };
}

function slotsOf(parameters: readonly Parameter[]): Parameter[] {
  return parameters.filter(({ kind }) => kind === "needed" || kind === "optional");
}

function atMost(parameters: readonly Parameter[], most: number): string {
  if (most === 0) return parameters.length === 0 ? "no arguments" : "no arguments without their names";
  const exact = parameters.every(({ kind }) => kind === "needed");
  return `${exact ? "" : "at most "}${most} ${most === 1 ? "argument" : "arguments"}`;
}

function atLeast(slots: readonly Parameter[]): string {
  const least = slots.filter(({ kind }) => kind === "needed").length;
  return `${least === slots.length ? "" : "at least "}${least} ${least === 1 ? "argument" : "arguments"}`;
}

function listed(names: readonly string[]): string {
  const quoted = names.slice(0, 3).map((name) => `\`${name}\``);
  return quoted.length < 2 ? (quoted[0] ?? "") : `${quoted.slice(0, -1).join(", ")} and ${quoted.at(-1)}`;
}

/**
 * An argument that fitted its parameter and now lands in another: one was put in or taken out before it, or they changed
 * places. Changed places alone may be better names for the same: then the argument itself must be called like the parameter.
 */
function moved(before: readonly Parameter[], now: readonly Parameter[], call: Call): string | null {
  const [old, slots] = [slotsOf(before).map(({ name }) => name), slotsOf(now).map(({ name }) => name)];
  const known = (names: readonly string[], all: readonly string[]) =>
    names.every((name) => all.includes(name));
  if ([...old, ...slots].some((name) => name === "" || name === "_")) return null;
  if (!known(old, slots) && !known(slots, old)) return null;
  for (const [place, argument] of call.positional.entries()) {
    const [was, is] = [old[place], slots[place]];
    if (was === undefined || is === undefined || was === is) continue;
    if (old.length === slots.length && argument !== was) continue;
    return `takes \`${is}\` where it took \`${was}\``;
  }
  return null;
}
