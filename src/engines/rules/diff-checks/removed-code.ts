/** Goes through what a pull request took away and asks every check of removed code; what only moved is not removed. */
import { type Hunk, nearestHeadLine } from "../../../domain/diff.ts";
import type { Language } from "../languages.ts";
import { type Finding, findingAt } from "../rule.ts";
import type { SourceFile } from "../source-file.ts";
import { type ChangeBlock, changeBlocks } from "./change-blocks.ts";
import { changedValues } from "./changed-value.ts";
import { conditionsOf, signatureOf } from "./conditions.ts";
import { isFocused, lessSure } from "./extent.ts";
import { flippedComparisons } from "./flipped-comparison.ts";
import { flippedDefaults } from "./flipped-default.ts";
import { isProse, wentWithItsFunction } from "./functions.ts";
import { loweredThresholds } from "./lowered-threshold.ts";
import type { PullRequestChange, PullRequestCheck } from "./pull-request-check.ts";
import type { Removal, RemovalCheck, Removed } from "./removal.ts";
import { removedAssertions } from "./removed-assertion.ts";
import { removedAwaits } from "./removed-await.ts";
import { removedBounds } from "./removed-bound.ts";
import { removedCalls } from "./removed-call.ts";
import { removedConditions } from "./removed-condition.ts";
import { removedHandling } from "./removed-handling.ts";
import { isWord, type Token, textOf, tokensOf } from "./tokens.ts";

/** Of settings, only their values can be judged. */
const checksOfSettings: readonly RemovalCheck[] = [changedValues, loweredThresholds, flippedDefaults];
const checks: readonly RemovalCheck[] = [
  removedConditions,
  removedHandling,
  removedAwaits,
  removedCalls,
  removedBounds,
  flippedComparisons,
  ...checksOfSettings,
];
const checksOfTests: readonly RemovalCheck[] = [removedAssertions];

const prose = /\.(?:md|mdx|rst|txt|adoc|html?|svg|css|scss|less)$/i;
const settings: ReadonlySet<Language | null> = new Set([null, "hcl", "json", "yaml"]);

export const removedCode: PullRequestCheck = {
  rules: [...checks, ...checksOfTests].flatMap((check) => check.rules),
  wants: () => [],
  *find({ files }: PullRequestChange) {
    const added = new AddedText(files);
    const focused = isFocused(files);
    for (const file of files) {
      if (prose.test(file.path) || file.diff.deletions === 0) continue;
      for (const finding of removedFrom(file, added)) {
        yield { file, finding: focused ? finding : lessSure(finding) };
      }
    }
  },
};

/** A file that loses more is swept, not edited; to compare all of it would take too long. */
const removalsMax = 100;

function* removedFrom(file: SourceFile, added: AddedText): Generator<Finding> {
  let considered = 0;
  for (const hunk of file.diff.hunks) {
    for (const removed of removedFromHunk(file, hunk)) {
      considered += 1;
      if (considered > removalsMax) return;
      if (added.holds(removed.movedWith) || (isCode(file) && isProse(file, removed.oldLine))) continue;
      if (wentWithItsFunction(file, removed.oldLine)) continue;
      const line = nearestHeadLine(hunk, removed.oldLine);
      if (line !== null) yield { ...findingAt(removed.rule, line, removed.values), about: "removed" };
    }
  }
}

/** At most one thing of each check in a block: what follows the first is its consequence. */
function* removedFromHunk(file: SourceFile, hunk: Hunk): Generator<Removed> {
  const blocks = changeBlocks(file.path, hunk);
  const insertedInHunk = blocks.reduce((sum, block) => sum + insertedWords(block), 0);
  const shownLines = hunk.lines.flatMap((line) =>
    line.kind === "removed" ? [] : [{ ...line, line: line.newLine }],
  );
  const headText = ` ${textOf(tokensOf(file.path, shownLines))} `;
  const addedText = ` ${blocks.map((block) => textOf(block.after)).join(" ")} `;
  for (const block of blocks) {
    const removals = removalsOf(file, block, { insertedInHunk, headText, addedText });
    for (const check of checksOf(file)) {
      for (const removal of removals) {
        const removed = check.find(removal);
        if (removed === null) continue;
        yield removed;
        break;
      }
    }
  }
}

function checksOf(file: SourceFile): readonly RemovalCheck[] {
  if (file.isTest) return checksOfTests;
  return isCode(file) ? checks : checksOfSettings;
}

function isCode(file: SourceFile): boolean {
  return !settings.has(file.language);
}

function removalsOf(
  file: SourceFile,
  block: ChangeBlock,
  around: Pick<Removal, "insertedInHunk" | "headText" | "addedText">,
): Removal[] {
  return block.deleted.map(({ start, tokens }) => ({
    file,
    hunk: block.hunk,
    block,
    deleted: tokens,
    previous: block.before[start - 1] ?? null,
    next: block.before[start + tokens.length] ?? null,
    insertedInBlock: insertedWords(block),
    ...around,
  }));
}

function insertedWords({ inserted }: ChangeBlock): number {
  return inserted.flatMap(({ tokens }) => tokens.filter(isWord)).length;
}

/** All that the pull request added, as text with a blank between tokens. */
class AddedText {
  private readonly texts: readonly string[];
  /** Of the conditions, whichever way round they are written. */
  private readonly signatures: ReadonlySet<string>;

  constructor(files: readonly SourceFile[]) {
    const tokens = files.map((file) => tokensOf(file.path, [...file.addedLines()]));
    this.texts = tokens.map((some) => ` ${textOf(some)} `);
    this.signatures = new Set(tokens.flatMap(conditionsOf).map((condition) => signatureOf(condition.tokens)));
  }

  holds(moved: readonly Token[]): boolean {
    const text = ` ${textOf(moved)} `;
    if (moved.length === 0) return false;
    return this.signatures.has(signatureOf(moved)) || this.texts.some((added) => added.includes(text));
  }
}
