/** Characters that make code read differently from what it does ("Trojan Source", CVE-2021-42574 and -42694). */

import type { Detector } from "../detector.ts";
import { type Finding, findingAt, type Rule } from "../rule.ts";
import type { SourceFile } from "../source-file.ts";

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
  bad: [{ path: "src/auth.js", before: null, after: "function is\u0410dmin(user) {}\n" }],
  ok: [
    { path: "src/auth.js", before: null, after: "const \u0438\u043c\u044f = 1;\n" },
    {
      path: "src/auth.js",
      before: null,
      after: '// the \u0410dmin of the \u0421ity\nconst s = "\u0410dmin";\n',
    },
  ],
};

export const hiddenCharacters: Detector = {
  rules: [bidirectional, invisible, homoglyph],
  appliesTo: () => true,
  find,
};

const bidirectionalControl = /[\u202a-\u202e\u2066-\u2069]/u;
const invisibleInWord = /[A-Za-z0-9_]([\u200b-\u200d\u2060\u00ad\ufeff\u3164\u115f])[A-Za-z0-9_]/u;
const latinName = /[\p{L}_$][\p{L}\p{N}_$]*/gu;
/** Cyrillic and Greek letters that look like Latin ones in common fonts. */
const lookAlike = /[АВЕЅІЈКМНОРСТХаеорсухіјѕԁԛԝΑΒΕΖΗΙΚΜΝΟΡΤΥΧο]/u;

function* find(file: SourceFile): Generator<Finding> {
  for (const { line, text } of file.addedLines()) {
    if (!mayHide(text)) continue;
    const control = bidirectionalControl.exec(text);
    if (control !== null) yield findingAt(bidirectional, line, { character: codePoint(control[0]) });
    if (file.language === null) continue;
    const hidden = invisibleInWord.exec(text)?.[1];
    if (hidden !== undefined) yield findingAt(invisible, line, { character: codePoint(hidden) });
    const mixed = mixedName(text);
    if (mixed !== null) yield findingAt(homoglyph, line, mixed);
  }
}

function mayHide(text: string): boolean {
  return /[^\x20-\x7e\t]/.test(text);
}

/** The first name outside strings and comments that mixes Latin with look-alikes. */
function mixedName(text: string): { name: string; character: string } | null {
  const code = text.replace(/(["'`]).*?\1/g, '""').replace(/(\/\/|#|\/?\*).*$/, "");
  for (const [name] of code.matchAll(latinName)) {
    const character = lookAlike.exec(name)?.[0];
    if (character !== undefined && /[A-Za-z]/.test(name)) return { name, character: codePoint(character) };
  }
  return null;
}

function codePoint(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}
