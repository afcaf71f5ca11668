/** Which kinds of node a rule can match at all, read off the rule: what need not be asked costs nothing. */
import type { Language } from "../languages.ts";
import { describePattern } from "../parser/ast-grep.ts";
import type { Matcher } from "./pattern-rule.ts";

type Kinds = ReadonlySet<string> | null;

/** Null = any kind. Throws what ast-grep throws at an invalid pattern. */
export function rootKinds(language: Language, { rule, utils }: Matcher): Kinds {
  return kindsOf(rule, (name) => utils?.[name], language, 0);
}

/** Utilities that use each other are followed no deeper than this. */
const depthMax = 8;

function kindsOf(
  rule: unknown,
  utility: (name: string) => unknown,
  language: Language,
  depth: number,
): Kinds {
  if (typeof rule !== "object" || rule === null || depth > depthMax) return null;
  const deeper = (part: unknown) => kindsOf(part, utility, language, depth + 1);
  let kinds: Kinds = null;
  for (const [key, value] of Object.entries(rule)) {
    if (key === "kind" && typeof value === "string") kinds = both(kinds, new Set([value]));
    else if (key === "pattern") kinds = both(kinds, kindsOfPattern(language, value));
    else if (key === "matches" && typeof value === "string") kinds = both(kinds, deeper(utility(value)));
    else if (key === "all" && Array.isArray(value)) kinds = value.map(deeper).reduce(both, kinds);
    else if (key === "any" && Array.isArray(value)) kinds = both(kinds, either(value.map(deeper)));
  }
  return kinds;
}

function kindsOfPattern(language: Language, pattern: unknown): Kinds {
  if (typeof pattern === "string") return setOf(describePattern(language, pattern, undefined).kind);
  if (typeof pattern !== "object" || pattern === null || !("context" in pattern)) return null;
  const selector = "selector" in pattern ? String(pattern.selector) : undefined;
  return setOf(describePattern(language, String(pattern.context), selector).kind);
}

function setOf(kind: string | null): Kinds {
  return kind === null ? null : new Set([kind]);
}

function both(a: Kinds, b: Kinds): Kinds {
  if (a === null || b === null) return a ?? b;
  return new Set([...a].filter((kind) => b.has(kind)));
}

function either(all: readonly Kinds[]): Kinds {
  const known = all.filter((kinds) => kinds !== null);
  return known.length < all.length ? null : new Set(known.flatMap((kinds) => [...kinds]));
}
