/** A function that takes other arguments than before, while somebody in the repository still gives the old ones. */
import { type Finding, findingAt } from "../rule.ts";
import type { SourceFile } from "../source-file.ts";
import { callsIn } from "../uses/calls.ts";
import { isDistinctive } from "../uses/common-names.ts";
import { definitionsIn } from "../uses/definitions.ts";
import { endingsBeside } from "../uses/endings.ts";
import { isDefinedElsewhere } from "../uses/only-one.ts";
import { reaches } from "../uses/reach.ts";
import type { CodeText, RepositoryAtHead } from "../uses/repository-at-head.ts";
import { brokenBy, type Definition } from "../uses/signature.ts";
import { touchedNames } from "../uses/touched-names.ts";
import { placesText } from "./places.ts";
import type { PullRequestCheck } from "./pull-request-check.ts";
import { staleCaller } from "./stale-caller-rule.ts";

export const staleCallers: PullRequestCheck = {
  rules: [staleCaller],
  wants: () => [],
  asks: (files) =>
    files.flatMap((file) =>
      touchedNames(file)
        .filter(isDistinctive)
        .map((word) => ({ word, readIn: endingsBeside(file.diff.path) })),
    ),
  *find({ files, repository }) {
    for (const file of files) {
      if (file.isTest) continue;
      for (const finding of changedSignatures(file, files, repository)) yield { file, finding };
    }
  },
};

function* changedSignatures(
  file: SourceFile,
  files: readonly SourceFile[],
  repository: RepositoryAtHead | null,
): Generator<Finding> {
  const names = touchedNames({ diff: file.diff, base: file.baseText, head: file.text });
  // Spares the parsing of all other files.
  if (names.length === 0) return;
  const { language, tree, baseTree } = file;
  if (language === null || tree === null || baseTree === null) return;
  const before = definitionsIn(baseTree, language, names);
  for (const [key, now] of definitionsIn(tree, language, names)) {
    const previous = before.get(key);
    const line = firstAdded(file, now);
    if (previous === undefined || line === null || isSame(previous, now)) continue;
    const stale = staleCalls(file, { previous, now }, files, repository);
    const [first] = stale;
    if (first === undefined) continue;
    const calls = stale.length === 1 ? "calls" : "call";
    const values = { name: now.name, change: first.change, places: placesText(stale), calls };
    yield findingAt(staleCaller, line, values);
  }
}

function firstAdded({ added }: SourceFile, { line, lastLine }: Definition): number | null {
  for (let at = line; at <= lastLine; at += 1) if (added.has(at)) return at;
  return null;
}

function isSame(before: Definition, now: Definition): boolean {
  return JSON.stringify(before.parameters) === JSON.stringify(now.parameters);
}

interface StaleCall {
  path: string;
  line: number;
  change: string;
}

function staleCalls(
  file: SourceFile,
  { previous, now }: { previous: Definition; now: Definition },
  files: readonly SourceFile[],
  repository: RepositoryAtHead | null,
): StaleCall[] {
  const { name } = now;
  const users: CodeText[] = [...files, ...(repository?.filesWith(name) ?? [])];
  const callee = { definition: now, file, isOnlyOne: !isDefinedElsewhere(now, file, repository) };
  const found: StaleCall[] = [];
  for (const user of users) {
    if (user.language === null || !user.text.includes(name)) continue;
    const added = files.find((changed) => changed === user)?.added;
    for (const call of callsIn(user, name)) {
      const change = brokenBy(
        user.language,
        { before: previous.parameters, now: now.parameters },
        call,
        (line) => added?.has(line) === true,
      );
      if (change !== null && reaches(user, call, callee))
        found.push({ path: user.path, line: call.line, change });
    }
  }
  return found;
}
