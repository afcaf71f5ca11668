/** Characters that make code read differently from what it does ("Trojan Source", CVE-2021-42574 and -42694). */

import type { Detector } from "../detector.ts";
import { type Finding, findingAt, type Rule } from "../rule.ts";
import type { SourceFile } from "../source-file.ts";
import { isInText } from "./in-text.ts";

const bidirectional: Rule = {
  id: "any/bidirectional-control",
  title: "bidirectional control character",
  category: "security",
  severity: "high",
  cwe: 1007,
  message: "This line contains the invisible bidirectional control character {character}.",
  why: "It makes an editor show the code in another order than the one that runs, so a reviewer approves something else.",
  advice: "Delete the character, or write it as an escape where the program needs it.",
  placement: "inline",
  bad: [
    {
      path: "src/access.js",
      before: null,
      after: 'if (level !== "user\u202e \u2066// admin\u2069 \u2066") {\n}\n',
    },
  ],
  ok: [
    { path: "src/access.js", before: null, after: 'const rtl = "\\u202e";\n' },
    { path: "locales/he.json", before: null, after: '{ "hello": "שלום \u200f!" }\n' },
    { path: "locales/ar.json", before: null, after: '{ "call": "اتصل \u202d12345-6\u202c" }\n' },
  ],
};

const invisible: Rule = {
  id: "any/invisible-character",
  title: "invisible character in code",
  category: "security",
  severity: "medium",
  cwe: 1007,
  message: "This line contains the invisible character {character} inside a word.",
  why: "Two names that look the same are then different to the compiler and to every search.",
  advice: "Delete the character.",
  placement: "inline",
  bad: [{ path: "src/access.py", before: null, after: "is_ad\u200bmin = True\n" }],
  ok: [
    { path: "src/emoji.py", before: null, after: 'family = "👨\u200d👩\u200d👧"\n' },
    { path: "locales/nl.json", before: null, after: '{ "nodes": "beheer\u00adnodes" }\n' },
    { path: "README.md", before: null, after: "می\u200cخواهم\n" },
  ],
};

const homoglyph: Rule = {
  id: "any/homoglyph",
  title: "look-alike letter in a name",
  category: "security",
  severity: "high",
  cwe: 1007,
  message: "The name `{name}` mixes Latin letters with look-alikes from another alphabet ({character}).",
  why: "It reads like an existing name but is another one, which is how a backdoor hides in review.",
  advice: "Type the name again in one alphabet.",
  placement: "inline",
  bad: [
    { path: "src/auth.js", before: null, after: "function is\u0410dmin(user) {}\n" },
    { path: "src/auth.lua", before: null, after: "local is\u0410dmin = false\n" },
  ],
  ok: [
    { path: "src/auth.js", before: null, after: "const \u0438\u043c\u044f = 1;\n" },
    {
      path: "src/auth.js",
      before: null,
      after: '// the \u0410dmin of the \u0421ity\nconst s = "\u0410dmin";\n',
    },
    { path: "src/auth.py", before: null, after: 'def a():\n    """\n    The \u0441hord of a.\n    """\n' },
    {
      path: "src/auth.lua",
      before: null,
      after: "-- the \u0410dmin of the \u0421ity\nlocal s = '\u0410dmin'\n",
    },
    { path: "src/auth.sql", before: null, after: "/*\n the \u0410dmin\n*/\nSELECT 1;\n" },
    { path: "docs/auth.txt", before: null, after: "the \u0410dmin of the \u0421ity\n" },
    { path: "src/auth.js", before: null, after: "const get\u0418\u043c\u044f\u0422\u0430\u043a = 1;\n" },
    { path: "src/physics.py", before: null, after: "\u0394T = \u03c3_x * \u03bcs\n" },
  ],
};

export const hiddenCharacters: Detector = {
  rules: [bidirectional, invisible, homoglyph],
  appliesTo: () => true,
  find,
};

/** Code in languages that are not parsed. */
const otherCode =
  /\.(?:lua|nim|sql|p[lm]|ex|exs|erl|hrl|clj[cs]?|scala|swift|dart|hs|ml|fs|groovy|gradle|mm?|zig|v|sol|vb|ps1|bat|proto|graphql|vue|svelte)$/i;
const bidirectionalControl = /[\u202a-\u202e\u2066-\u2069]/u;
const invisibleInWord = /[A-Za-z0-9_]([\u200b-\u200d\u2060\u00ad\ufeff\u3164\u115f])[A-Za-z0-9_]/u;
const latinName = /[\p{L}_$][\p{L}\p{N}_$]*/gu;
/** Cyrillic and Greek letters that look like Latin ones in common fonts. */
const lookAlike = /[АВЕЅІЈКМНОРСТХаеорсухіјѕԁԛԝΑΒΕΖΗΙΚΜΝΟΡΤΥΧο]/u;
const lookAlikes = new RegExp(lookAlike, "gu");

function* find(file: SourceFile): Generator<Finding> {
  for (const { line, text } of file.addedLines()) {
    if (!mayHide(text)) continue;
    const control = file.isTest || isWriting(file, text) ? null : bidirectionalControl.exec(text);
    if (control !== null) yield findingAt(bidirectional, line, { character: codePoint(control[0]) });
    if (file.language === null && !otherCode.test(file.path)) continue;
    const hidden = invisibleInWord.exec(isData(file) ? keyOf(text) : text)?.[1];
    if (hidden !== undefined) yield findingAt(invisible, line, { character: codePoint(hidden) });
    for (const { name, character, column } of lookAlikeNames(text, file.language === null)) {
      if (isInText(file, line, column)) continue;
      yield findingAt(homoglyph, line, { name, character: codePoint(character) });
      break;
    }
  }
}

/** Right-to-left writing in a file of data, such as a translation: there the characters do what they are for. */
function isWriting(file: SourceFile, text: string): boolean {
  return (file.language === null || isData(file)) && /[\p{Script=Arabic}\p{Script=Hebrew}]/u.test(text);
}

function isData({ language }: SourceFile): boolean {
  return language === "json" || language === "yaml";
}

/** What stands before the colon: values are texts for people, and may be hyphenated. */
function keyOf(text: string): string {
  return text.slice(0, Math.max(0, text.indexOf(":")));
}

function mayHide(text: string): boolean {
  return /[^\x20-\x7e\t]/.test(text);
}

/**
 * Names outside of the line's strings and comments that mix Latin letters with look-alikes. A name with a letter that
 * looks like no Latin one is openly in two languages, and deceives nobody.
 */
function* lookAlikeNames(
  text: string,
  anyComment: boolean,
): Generator<{ name: string; character: string; column: number }> {
  const textOrComment = anyComment
    ? /(["'`]).*?\1|(?:\/\/|#|\/?\*|--|%|;|\bREM\b).*$/g
    : /(["'`]).*?\1|(?:\/\/|#|\/?\*).*$/g;
  const code = text.replace(textOrComment, (part) => " ".repeat(part.length));
  for (const { 0: name, index } of code.matchAll(latinName)) {
    const foreign = name.replace(/[\p{Script=Latin}\p{N}_$]/gu, "");
    if (foreign === "" || foreign === name || !/[A-Za-z]/.test(name)) continue;
    const character = lookAlike.exec(foreign)?.[0];
    if (character !== undefined && foreign.replace(lookAlikes, "") === "")
      yield { name, character, column: index };
  }
}

function codePoint(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}
