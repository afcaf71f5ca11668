/**
 * Words that a file must contain for a rule to match anywhere in it, read off the rule's patterns and plain regular
 * expressions. Compiling a rule costs more than looking for a word: most rules are not asked about most files.
 */
import type { Language } from "../languages.ts";
import { patternWords } from "../parser/ast-grep.ts";
import type { Matcher } from "./pattern-rule.ts";

/** All words of one of the alternatives must be there; null = nothing is known to be needed. */
export type RequiredWords = readonly (readonly string[])[] | null;

/** Throws what ast-grep throws at an invalid pattern. */
export function requiredWords(language: Language, { rule, utils }: Matcher): RequiredWords {
  return wordsOf(rule, (name) => utils?.[name], language, 0);
}

export function mayMatch(required: RequiredWords, contains: (word: string) => boolean): boolean {
  return required === null || required.some((words) => words.every(contains));
}

/** Utilities that use each other are followed no deeper than this. */
const depthMax = 12;

function wordsOf(
  rule: unknown,
  utility: (name: string) => unknown,
  language: Language,
  depth: number,
): RequiredWords {
  if (typeof rule !== "object" || rule === null || depth > depthMax) return null;
  const deeper = (part: unknown) => wordsOf(part, utility, language, depth + 1);
  let required: RequiredWords = null;
  for (const [key, value] of Object.entries(rule)) {
    if (key === "pattern") required = rarer(required, known([wordsOfPattern(language, value)]));
    else if (key === "regex") required = rarer(required, known([wordsOfRegex(String(value))]));
    else if (key === "matches") required = rarer(required, deeper(utility(String(value))));
    else if (relations.has(key)) required = rarer(required, deeper(value));
    else if (key === "all" && Array.isArray(value)) required = value.map(deeper).reduce(rarer, required);
    else if (key === "any" && Array.isArray(value)) required = rarer(required, either(value.map(deeper)));
  }
  return required;
}

const relations: ReadonlySet<string> = new Set(["has", "inside", "follows", "precedes"]);

function wordsOfPattern(language: Language, pattern: unknown): string[] {
  if (typeof pattern === "string") return patternWords(language, pattern, undefined);
  if (typeof pattern !== "object" || pattern === null || !("context" in pattern)) return [];
  const selector = "selector" in pattern ? String(pattern.selector) : undefined;
  return patternWords(language, String(pattern.context), selector);
}

/** What stands outside of groups and classes, where every letter stands for itself. */
function wordsOfRegex(regex: string): string[] {
  if (/\(\?\w*i/.test(regex)) return [];
  let plain = regex.replace(/\\./g, " ").replace(/\[[^\]]*\]/g, " ");
  while (/\([^()]*\)/.test(plain)) plain = plain.replace(/\([^()]*\)/g, " ");
  if (plain.includes("|")) return [];
  return plain.replace(/\w[?*{]/g, " ").match(/\w{3,}/g) ?? [];
}

function known(alternatives: readonly (readonly string[])[]): RequiredWords {
  return alternatives.some((words) => words.length === 0) ? null : alternatives;
}

function either(all: readonly RequiredWords[]): RequiredWords {
  return all.includes(null) ? null : all.flatMap((required) => required ?? []);
}

/** Of two requirements that both hold, the one whose weakest alternative says more. */
function rarer(a: RequiredWords, b: RequiredWords): RequiredWords {
  if (a === null || b === null) return a ?? b;
  return weight(b) > weight(a) ? b : a;
}

function weight(required: readonly (readonly string[])[]): number {
  return Math.min(...required.map((words) => words.join("").length));
}
