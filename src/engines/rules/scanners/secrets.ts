/** Credentials in added lines. What is found is never shown again: messages name its kind and its first characters. */

import type { Detector } from "../detector.ts";
import { type Finding, findingAt } from "../rule.ts";
import type { SourceFile } from "../source-file.ts";
import { looksInvented } from "./placeholder.ts";
import { secretPlaces } from "./secret-places.ts";
import * as rules from "./secret-rules.ts";
import { type SecretShape, secretShapes } from "./secret-shapes.ts";

export const secrets: Detector = {
  rules: Object.values(rules),
  appliesTo: () => true,
  find,
};

/** A name that holds a credential, then a quoted value; the name may end in what it holds, not in what describes it. */
const assignment =
  /(?<name>[A-Za-z_][\w.-]{0,60}?)["']?\s{0,4}(?::|=|:=|=>)\s{0,4}(?:[a-z]{1,2})?(["'`])(?<secret>[^"'`\s$<>{}]{8,200})\2/gi;
const credentialName =
  /(?:^|[_.-]|(?<=[a-z]))(?:pass(?:word|wd|phrase)?|pwd|secret(?:_?-?key(?:_?base)?)?|(?:api|auth|access|account|private|encryption|signing|master)_?-?key|(?:api|auth|access|bearer|bot|deploy|refresh)_?-?token|client_?-?secret)$/i;
/** In each of those names. */
const anyCredentialName = /pass|pwd|secret|key|token/i;
/** `define('DB_PASSWORD', '…')`, as PHP has it. */
const definition =
  /\bdefine\(\s{0,4}(["'])(?<name>\w{1,80})\1\s{0,4},\s{0,4}(["'])(?<secret>[^"'\s]{8,200})\3/g;
/** Where values stand without quotes: `.env`, properties, YAML and the like. */
const settingsFile =
  /(^|\/)\.(?:env|npmrc|pypirc|flaskenv|s3cfg|my\.cnf)(?:\.[\w-]+)?$|\.(?:env|properties|ini|cfg|conf|ya?ml|tfvars|toml)$/i;
/** Files whose values are to be replaced by whoever copies them. */
const exampleFile = /example|sample|template|dist$|default|schema|\btest\b|(^|\/)docs?\//i;
const bareAssignment =
  /^\s*(?:export\s+|-\s+)?(?:\/\/[^\s=]{1,200}:)?(?<name>[A-Za-z_][\w.-]{0,80})\s{0,4}[=:]\s{0,4}(?<secret>[^\s"'`<>{}()[\]$#*!&|%][^\s"'`<>{}()[\]$]{7,200})\s*(?:#.*)?$/;
/** The same inside of a message: `PASSWORD=…` in backticks or between other words. */
const shownAssignment =
  /(?<![\w.-])(?<name>[A-Za-z_][\w.-]{0,80}?)\s{0,4}[=:]\s{0,4}(?<secret>(?=[^\s`"']{0,199}\d)[^\s"'`<>{}()[\]$,;]{8,200})/g;
const privateKeyHeader = /-----BEGIN (?:[A-Z]+ ){0,2}PRIVATE KEY(?: BLOCK)?-----/;
const documentation = /\.(?:md|mdx|rst|adoc)$/i;
/** Longer lines are data or minified code; names and values there mean nothing. */
const lineLengthMax = 4_000;

function* find(file: SourceFile): Generator<Finding> {
  // Most shapes are nowhere in a file, which one search tells.
  const sought = isShown(file.path) ? secretShapes : [...secretShapes, ...secretPlaces];
  const shapes = sought.filter(({ pattern }) => file.text.search(pattern) >= 0);
  for (const { line, text } of file.addedLines()) {
    if (text.length > lineLengthMax) continue;
    if (/api_?key/i.test(text) && isForBrowsers(file, line)) continue;
    const issued = issuedSecret(text, shapes, file.isTest);
    if (issued !== null) {
      yield findingAt(rules.committedSecret, line, issued);
      continue;
    }
    if (file.isTest) continue;
    const isKey = privateKeyHeader.test(text) && !documentation.test(file.path);
    if (isKey && keyBodyFollows(file, line)) yield findingAt(rules.privateKey, line);
    const written = writtenCredential(text, settingsFile.test(file.path) && !exampleFile.test(file.path));
    if (written !== null) yield findingAt(rules.hardcodedCredential, line, written);
  }
}

/** Where credentials stand to show how they look. */
function isShown(path: string): boolean {
  return documentation.test(path) || exampleFile.test(path);
}

/** `text` with every credential in it cut to its first characters; for anything that leaves us. */
export function maskSecrets(text: string): string {
  let masked = text;
  for (const { pattern } of [...secretShapes, ...secretPlaces]) {
    masked = masked.replace(pattern, (match, ...rest) => {
      const groups = rest.at(-1) as Record<string, string | undefined>;
      const secret = groups.key ?? groups.secret ?? match;
      return match.replace(secret, mask(secret));
    });
  }
  for (const pattern of [assignment, definition, shownAssignment]) {
    masked = masked.replace(pattern, (match, ...rest) => {
      const { name = "", secret = "" } = rest.at(-1) as Record<string, string | undefined>;
      return credentialName.test(name) ? match.replace(secret, mask(secret)) : match;
    });
  }
  return masked.replace(/(-----BEGIN [A-Z ]*PRIVATE KEY[A-Z ]*-----)[\s\S]*?(-----END|$)/g, "$1…$2");
}

/** What stands beside the keys of Algolia's search and of Firebase in every page that uses them. */
const besideBrowserKey = /\b(?:indexName|docsearch|authDomain|messagingSenderId)\b/i;

function isForBrowsers({ lines }: SourceFile, line: number): boolean {
  return lines.slice(Math.max(0, line - 7), line + 6).some((near) => besideBrowserKey.test(near));
}

function issuedSecret(
  text: string,
  shapes: readonly SecretShape[],
  isTest: boolean,
): { kind: string; masked: string } | null {
  for (const { kind, pattern, checksum, plausible } of shapes) {
    for (const match of text.matchAll(pattern)) {
      const secret = match.groups?.key ?? match.groups?.secret ?? match[0];
      if (plausible?.(secret) === false) continue;
      const real = checksum?.(secret) ?? (!isTest && !looksInvented(secret));
      if (real) return { kind, masked: mask(secret) };
    }
  }
  return null;
}

function writtenCredential(text: string, bare: boolean): { name: string; masked: string } | null {
  if (!anyCredentialName.test(text)) return null;
  const unquoted = bare ? bareAssignment.exec(text) : null;
  const found = [...text.matchAll(assignment), ...text.matchAll(definition)];
  for (const match of unquoted === null ? found : [...found, unquoted]) {
    const { name = "", secret = "" } = match.groups ?? {};
    if (credentialName.test(name) && isHardToGuess(secret) && !looksInvented(secret)) {
      return { name, masked: mask(secret) };
    }
  }
  return null;
}

/** Letters and digits mixed, no path, address or sentence: what a person or a generator makes as a secret. */
function isHardToGuess(value: string): boolean {
  if (isRandom(value)) return true;
  if (/^[A-Za-z]+\d{0,3}$|^[\d.:-]+$|[/\\][\w-]+[/\\]|:\/\/|^[\w-]+\.[\w.-]+$|[()[\];,]|\w\|\w/.test(value))
    return false;
  const words = /^[A-Za-z]+\d{0,3}(?:[-_]\d{0,3}[A-Za-z]*\d{0,3})+$/.test(value);
  return !words && /\d/.test(value) && /[A-Za-z]/.test(value);
}

/** Long, and of so many kinds of characters that no person wrote it. */
function isRandom(value: string): boolean {
  const count = (kind: RegExp) => value.match(kind)?.length ?? 0;
  const mixed = count(/\d/g) >= 4 && count(/[a-z]/g) >= 4 && (count(/[A-Z]/g) >= 4 || count(/[^\w]/g) >= 4);
  return value.length >= 32 && mixed && !/:\/\/|^[/.]|\w\|\w|[/\\:][\w-]+[/\\:]|\s/.test(value);
}

function keyBodyFollows(file: SourceFile, line: number): boolean {
  const sameLine = /PRIVATE KEY(?: BLOCK)?-----(?:\\n|\s)+[A-Za-z0-9+/=]{20,}/.test(
    file.lines[line - 1] ?? "",
  );
  const body = file.lines.slice(line, line + 6).some((next) => /^\s*["']?[A-Za-z0-9+/=]{40,}/.test(next));
  return sameLine || body;
}

function mask(secret: string): string {
  return `${secret.slice(0, Math.min(4, Math.floor(secret.length / 3)))}…`;
}
