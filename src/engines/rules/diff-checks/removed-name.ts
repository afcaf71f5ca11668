/** A function, class or value that is gone while somebody in the repository still imports or calls it. */
import { type Finding, findingAt } from "../rule.ts";
import type { SourceFile } from "../source-file.ts";
import { callsIn } from "../uses/calls.ts";
import { isDistinctive } from "../uses/common-names.ts";
import { definesName } from "../uses/defining-lines.ts";
import { definitionsIn } from "../uses/definitions.ts";
import { endingsBeside } from "../uses/endings.ts";
import { hasWord } from "../uses/has-word.ts";
import { importStyleOf, importsName } from "../uses/imports.ts";
import { isCode } from "../uses/only-one.ts";
import { reaches } from "../uses/reach.ts";
import type { CodeText, RepositoryAtHead } from "../uses/repository-at-head.ts";
import type { Definition } from "../uses/signature.ts";
import type { ChangedText } from "../uses/touched-names.ts";
import { placesText } from "./places.ts";
import type { PullRequestCheck } from "./pull-request-check.ts";
import { removedLinesOf } from "./removed-lines.ts";
import { removedButUsed } from "./removed-name-rule.ts";

export const removedNames: PullRequestCheck = {
  rules: [removedButUsed],
  wants: () => [],
  asks: (files) =>
    files.flatMap((file) =>
      namesGone(file)
        .filter(isDistinctive)
        .map((word) => ({ word, readIn: endingsBeside(file.diff.path) })),
    ),
  *find({ files, repository }) {
    for (const file of files) {
      if (file.isTest || !file.whole) continue;
      for (const finding of findingsOf(file, files, repository)) yield { file, finding };
    }
  },
};

/** Of what a module offers, and of what its classes can do. */
const definitions = {
  script:
    /^export\s+(?:async\s+|abstract\s+|declare\s+)*(?:function\*?|const|let|class|interface|type|enum)\s+([\w$]{2,})/,
  python: /^(?:async\s+)?(?:def|class)\s+([A-Za-z]\w+)/,
};
const functions = /^\s*(?:async\s+)?def\s+([A-Za-z_]\w+)|^func\s+(?:\([^()]*\)\s*)?(\w+)/;

/** What another file may offer under the name all the same. */
const offersAnything = /^export\s*\*|\bimport\s*\*|\b__getattr__\b|\bglobals\(\)/m;

function namesGone({ diff, head }: ChangedText): string[] {
  const removed = diff.hunks.flatMap((hunk) =>
    hunk.lines.flatMap((line) => (line.kind === "removed" ? [line.text] : [])),
  );
  const left = new Set((head ?? "").split("\n").map(definedBy));
  const gone = removed.map(definedBy).filter((name) => name !== null && !left.has(name));
  return [...new Set(gone)].filter((name) => name !== null);
}

function definedBy(text: string): string | null {
  const line = text.slice(0, 300);
  const found = definitions.script.exec(line) ?? definitions.python.exec(line) ?? functions.exec(line);
  return found?.[1] ?? found?.[2] ?? null;
}

function* findingsOf(
  file: SourceFile,
  files: readonly SourceFile[],
  repository: RepositoryAtHead | null,
): Generator<Finding> {
  if (offersAnything.test(file.text)) return;
  const gone = new Set(namesGone({ diff: file.diff, base: file.baseText, head: file.text }));
  if (gone.size === 0) return;
  for (const { text, oldLine, at } of removedLinesOf(file)) {
    const name = definedBy(text);
    if (name === null || !gone.has(name)) continue;
    const users: readonly CodeText[] = [...files, ...(repository?.filesWith(name) ?? [])];
    const imported = importedBy(file, users, name, text);
    const places = imported.length > 0 ? imported : calledBy(file, users, name, oldLine, repository);
    if (places.length === 0) continue;
    const values = {
      name,
      places: placesText(places),
      use: `${imported.length > 0 ? "import" : "call"}${places.length === 1 ? "s" : ""}`,
    };
    yield { ...findingAt(removedButUsed, at, values), about: "removed" };
  }
}

interface Place {
  path: string;
  line: number;
}

/** The import fails where the name is looked up in the module itself, and the module does not even mention it. */
function importedBy(file: SourceFile, users: readonly CodeText[], name: string, text: string): Place[] {
  const style = importStyleOf(file.language);
  if (style === null || definitions[style].exec(text)?.[1] !== name || hasWord(file.text, name)) return [];
  return users.flatMap((user) => {
    if (
      user.path === file.path ||
      importStyleOf(user.language) !== style ||
      !importsName(user, file.path, name)
    )
      return [];
    // Who catches it is prepared for it.
    if (style === "python" && /\bImportError\b|\bTYPE_CHECKING\b/.test(user.text)) return [];
    return [{ path: user.path, line: lineOf(user.text, name) }];
  });
}

function lineOf(text: string, name: string): number {
  return 1 + text.split("\n").findIndex((line) => hasWord(line, name));
}

/** Calls of what nothing in the repository is called any more. */
function calledBy(
  file: SourceFile,
  users: readonly CodeText[],
  name: string,
  oldLine: number,
  repository: RepositoryAtHead | null,
): Place[] {
  const { language, baseTree } = file;
  if (language !== "python" && language !== "go") return [];
  if (baseTree === null || repository === null || isDefinedAnywhere(name, repository)) return [];
  const definition = [...definitionsIn(baseTree, language, [name]).values()].find(
    (one) => one.name === name && one.line === oldLine,
  );
  if (definition === undefined) return [];
  const callee = { definition: noLongerThere(definition), file, isOnlyOne: true };
  return users.flatMap((user) => {
    if (user.language !== language || !user.text.includes(name)) return [];
    const calls = [...callsIn(user, name)].filter((call) => reaches(user, call, callee));
    return calls.map(({ line }) => ({ path: user.path, line }));
  });
}

/** Its lines on the base side mean nothing on the head side. */
function noLongerThere(definition: Definition): Definition {
  return { ...definition, line: 0, lastLine: 0 };
}

function isDefinedAnywhere(name: string, repository: RepositoryAtHead): boolean {
  const lines = repository.linesWith(name);
  return (
    lines === null ||
    lines.some(({ path, text }) => isCode(path) && (definesName(text, name) || listsName(text, name)))
  );
}

/** In a group of constants or imports, or in quotes: it may come from there. */
function listsName(text: string, name: string): boolean {
  return new RegExp(`^\\s*${name}\\s*,?\\s*$|["'\`]${name}["'\`]|\\b(?:import|as)\\b.*\\b${name}\\b`).test(
    text,
  );
}
