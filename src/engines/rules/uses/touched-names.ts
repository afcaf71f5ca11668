/** The names of functions whose heads a change touches, told from the lines alone: what to search the repository for. */
import type { DiffFile } from "../../../domain/diff.ts";
import { type Language, languageOf } from "../languages.ts";

/** A changed file as text, before anything is parsed. */
export interface ChangedText {
  diff: DiffFile;
  base: string | null;
  head: string | null;
}

/** Parameters that are further from the name are not looked at. */
const headLinesMax = 15;

/** The name that a line declares; null when it declares no function. */
type Head = (line: string) => string | null;

const heads: Partial<Record<Language, Head>> = {
  python: byPattern(/^\s*(?:async\s+)?def\s+(\w+)/),
  javascript: scriptHead,
  typescript: scriptHead,
  tsx: scriptHead,
  go: byPattern(/^func\s+(?:\([^()]*\)\s*)?(\w+)/),
  java: typedHead,
  csharp: typedHead,
  c: typedHead,
  kotlin: byPattern(/\b(?:fun\s+(?:<[^<>]*>\s*)?(?:[\w<>?]+\.)?|class\s+)(\w+)/),
  rust: byPattern(/\bfn\s+(\w+)/),
  php: byPattern(/\bfunction\s+&?(\w+)/),
};

function byPattern(pattern: RegExp): Head {
  return (line) => pattern.exec(line)?.[1] ?? null;
}

function scriptHead(line: string): string | null {
  const named =
    /\bfunction\*?\s+([\w$]+)/.exec(line) ??
    /\b(?:const|let)\s+([\w$]+)\s*[=:].*(?:=>|\bfunction\b|\()/.exec(line);
  if (named?.[1] !== undefined) return named[1];
  const method = /^([\w$]+)\s*(?:<[^<>()]*>)?\(/.exec(line.trim().replace(modifiers, ""))?.[1];
  return method !== undefined && /[({,]\s*$/.test(line) ? method : null;
}

const modifiers = /^(?:(?:public|private|protected|static|async|override) )*/;

/** `public static int total(`, `Order(` where a block follows. */
function typedHead(line: string): string | null {
  const found = /([A-Za-z_]\w*)(?:<[^<>()]*>)?\s*\(/.exec(line);
  if (found === null) return null;
  const before = line.slice(0, found.index);
  const isTyped =
    /[\w>\]*&]\s+[*&]*$/.test(before) && !/[=.(;"]|\b(?:return|new|throw|else|await)\s*$/.test(before);
  const isConstructor = before.trim() === "" && /^[A-Z]/.test(found[1] ?? "") && /[{(,]\s*$/.test(line);
  return isTyped || isConstructor ? (found[1] ?? null) : null;
}

export function touchedNames({ diff, base }: ChangedText): string[] {
  const language = languageOf(diff.path, "");
  if (language === null || base === null) return [];
  const head = heads[language];
  if (head === undefined) return [];
  const lines = base.split("\n");
  const names = touchedLines(diff).map((line) => nameAround(lines, line, head));
  return [...new Set(names.filter((name) => name !== null))];
}

/** Lines of the base side that went, and those after which something was put in. */
export function touchedLines(diff: DiffFile): number[] {
  const touched: number[] = [];
  for (const hunk of diff.hunks) {
    let last = hunk.oldStart - 1;
    for (const line of hunk.lines) {
      if (line.kind === "added") touched.push(last);
      else last = line.oldLine;
      if (line.kind === "removed") touched.push(line.oldLine);
    }
  }
  return [...new Set(touched)];
}

/** The function whose head the line is part of: its name stands there, or further up with a parenthesis still open. */
function nameAround(lines: readonly string[], line: number, head: Head): string | null {
  let open = 0;
  for (let at = line; at >= Math.max(1, line - headLinesMax); at -= 1) {
    const text = (lines[at - 1] ?? "").slice(0, 500);
    const found = head(text);
    if (at === line && found !== null) return asCalled(found, lines, at);
    if (at < line) open += count(text, "(") - count(text, ")");
    if (open > 0) return found === null ? null : asCalled(found, lines, at);
  }
  return null;
}

function count(text: string, character: string): number {
  return text.split(character).length - 1;
}

/** A constructor is called by its class. */
function asCalled(name: string, lines: readonly string[], line: number): string | null {
  if (!/^(?:__init__|constructor|__construct)$/.test(name)) return name;
  for (let at = line; at >= 1; at -= 1) {
    const owner = /^\s*(?:export\s+)?(?:default\s+)?(?:(?:abstract|final|readonly)\s+)*class\s+(\w+)/.exec(
      lines[at - 1] ?? "",
    )?.[1];
    if (owner !== undefined) return owner;
  }
  return null;
}
