/**
 * What must stand in the text for a rule to match, read off its patterns and regular expressions. Compiling a rule costs
 * far more than looking for a word, so ast-grep is asked only about nodes whose text has what the rule needs.
 */
import type { Language } from "../languages.ts";
import { describePattern } from "../parser/ast-grep.ts";
import type { Matcher } from "./pattern-rule.ts";
import { wordsOfRegex } from "./regex-words.ts";
import { nothingKnown, type Words } from "./words.ts";

/** Throws what ast-grep throws at an invalid pattern. */
export function requiredWords(language: Language, matcher: Matcher): Words {
  return wordsOf(matcher.rule, { language, matcher, depth: 0 });
}

interface Place {
  language: Language;
  matcher: Matcher;
  depth: number;
}

/** Utilities that use each other are followed no deeper than this. */
const depthMax = 12;

function wordsOf(rule: unknown, place: Place): Words {
  const { matcher, depth } = place;
  if (typeof rule !== "object" || rule === null || depth > depthMax) return nothingKnown;
  const deeper = (part: unknown) => wordsOf(part, { ...place, depth: depth + 1 });
  const all: Words[] = [];
  for (const [key, value] of Object.entries(rule)) {
    if (key === "pattern") all.push(wordsOfPattern(value, place));
    else if (key === "regex") all.push(wordsOfRegex(String(value)));
    else if (key === "matches") all.push(deeper(matcher.utils?.[String(value)]));
    else if (key === "has") all.push(deeper(value));
    else if (outward.has(key)) all.push({ around: deeper(value) });
    else if (key === "all" && Array.isArray(value)) all.push(...value.map(deeper));
    else if (key === "any" && Array.isArray(value)) all.push({ any: value.map(deeper) });
  }
  return { all };
}

const outward: ReadonlySet<string> = new Set(["inside", "follows", "precedes"]);

function wordsOfPattern(pattern: unknown, place: Place): Words {
  if (typeof pattern === "string") return wordsOfCode(pattern, undefined, place);
  if (typeof pattern !== "object" || pattern === null || !("context" in pattern)) return nothingKnown;
  // Others than the usual strictness let a name differ.
  if ("strictness" in pattern) return nothingKnown;
  const selector = "selector" in pattern ? String(pattern.selector) : undefined;
  return wordsOfCode(String(pattern.context), selector, place);
}

/** Its names, and what the constraints of its variables require of their text. */
function wordsOfCode(code: string, selector: string | undefined, place: Place): Words {
  const { words, variables } = describePattern(place.language, code, selector);
  const constrained = variables.map((name) => place.matcher.constraints?.[name]);
  const deeper = { ...place, depth: place.depth + 1 };
  return { all: [...words, ...constrained.map((constraint) => wordsOf(constraint, deeper))] };
}
