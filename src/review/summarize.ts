/**
 * The summary, as a reviewer would open: what changed where, what deserves a look first, how much there is to say,
 * and what was not read and why. Simple Markdown, the same for the same review.
 */
import { isAtLeast, type ReviewComment, severities } from "../domain/comment.ts";
import type { Diff, DiffFile } from "../domain/diff.ts";
import type { ReviewOptions } from "../domain/review.ts";
import type { FileCoverage } from "../domain/review-engine.ts";
import { isTestPath } from "../domain/test-path.ts";
import type { ChosenComments } from "./choose-comments.ts";
import type { LeftOutFile } from "./select-files.ts";
import type { UnusualFile } from "./unusual-files.ts";
import { codeSpan, count, firstSentence, list } from "./wording.ts";

export interface SummaryInput extends ChosenComments {
  diff: Diff;
  options: ReviewOptions;
  leftOut: readonly LeftOutFile[];
  unusual: readonly UnusualFile[];
  coverage: readonly FileCoverage[];
  problems: readonly string[];
}

export function summarize(input: SummaryInput): string {
  if (input.diff.files.length === 0) return "Nothing changed: the head has nothing that the base lacks.";
  return [
    describeChanges(input.diff.files),
    describeFirstLook(input),
    describeComments(input),
    describeUnusual(input.unusual),
    describeMentioned(input.mentioned),
    describeUnread(input),
    describePartlyRead(input.coverage),
    input.problems.length === 0 ? "" : bullets("Note", input.problems),
  ]
    .filter((paragraph) => paragraph !== "")
    .join("\n\n");
}

const areasNamed = 4;

function describeChanges(files: readonly DiffFile[]): string {
  const sum = (of: (file: DiffFile) => number) => files.reduce((total, file) => total + of(file), 0);
  const size = `(+${sum((file) => file.additions)} −${sum((file) => file.deletions)})`;
  const [only] = files;
  if (files.length === 1 && only !== undefined) return `1 file changed ${size}: ${codeSpan(only.path)}.`;

  const areas = [...areasOf(files)].sort(
    ([nameA, a], [nameB, b]) => b.length - a.length || (nameA < nameB ? -1 : 1),
  );
  const named = areas.slice(0, areasNamed).map(([name, ofArea]) => `${ofArea.length} in ${name}`);
  const elsewhere = areas.slice(areasNamed).reduce((total, [, ofArea]) => total + ofArea.length, 0);
  if (elsewhere > 0) named.push(`${elsewhere} elsewhere`);
  return `${files.length} files changed ${size}: ${list(named)}.`;
}

const foldersMin = 2;
const foldersMax = 6;

/** By the two outermost folders, or by as many more as it takes to tell the files apart. */
function areasOf(files: readonly DiffFile[]): Map<string, DiffFile[]> {
  for (let folders = foldersMin; folders < foldersMax; folders += 1) {
    const areas = Map.groupBy(files, (file) => areaOf(file, folders));
    if (areas.size > 1) return areas;
  }
  return Map.groupBy(files, (file) => areaOf(file, foldersMax));
}

function areaOf({ path }: DiffFile, count: number): string {
  const folders = path.split("/").slice(0, -1).slice(0, count);
  return folders.length === 0 ? "the top folder" : codeSpan(folders.join("/"));
}

const placesNamed = 3;

function describeFirstLook({ comments, coverage, diff }: SummaryInput): string {
  if (comments.length > 0) {
    const [gravest] = comments;
    const places = comments
      .filter(({ severity }) => isAtLeast(severity, "high") || severity === gravest?.severity)
      .slice(0, placesNamed)
      .map((comment) => `${placeOf(comment)} (${comment.severity}): ${firstSentence(comment.message)}`);
    return bullets("Look first at", places);
  }
  const read = new Set(coverage.filter((entry) => entry.read !== "not").map((entry) => entry.path));
  const readFiles = diff.files.filter((file) => read.has(file.path));
  const [largest] = readFiles.sort(
    (a, b) =>
      Number(isBeside(a)) - Number(isBeside(b)) || b.additions + b.deletions - a.additions - a.deletions,
  );
  if (largest === undefined || readFiles.length === 1) return "";
  return `The largest change is ${codeSpan(largest.path)} (+${largest.additions} −${largest.deletions}).`;
}

/** Tests and prose follow the change that matters. */
function isBeside({ path }: DiffFile): boolean {
  return isTestPath(path) || /\.(?:md|mdx|rst|txt|adoc)$|(?:^|\/)(?:changelog|changes|news)$/i.test(path);
}

function placeOf(comment: ReviewComment): string {
  return codeSpan(`${comment.path}:${comment.line}`);
}

function describeComments({ comments, heldBack, coverage, options }: SummaryInput): string {
  if (coverage.every((entry) => entry.read === "not")) return "No file was read, so there are no comments.";
  if (comments.length === 0) return `No comments${describeScope(options)}.`;
  const said = `${count(comments.length, "comment")}: ${countBySeverity(comments)}.`;
  if (heldBack.length === 0) return said;
  return `${said} A review has at most ${comments.length}; ${heldBack.length} more were left out: ${countBySeverity(heldBack)}.`;
}

function describeScope({ focusAreas, severityThreshold }: ReviewOptions): string {
  const areas = focusAreas.length === 0 ? "" : ` on ${list(focusAreas)}`;
  return `${areas} of severity ${severityThreshold}${severityThreshold === "critical" ? "" : " or above"}`;
}

function countBySeverity(comments: readonly ReviewComment[]): string {
  const counts = severities.flatMap((severity) => {
    const number = comments.filter((comment) => comment.severity === severity).length;
    return number === 0 ? [] : [`${number} ${severity}`];
  });
  return list(counts);
}

function describeUnusual(unusual: readonly UnusualFile[]): string {
  if (unusual.length === 0) return "";
  return bullets(
    "Out of the ordinary",
    groupByReason(unusual.map(({ path, what }) => ({ path, reason: what }))),
  );
}

const mentionsMax = 8;

/** One line a rule: the gravest place is told, the others are named. */
function describeMentioned(mentioned: readonly ReviewComment[]): string {
  if (mentioned.length === 0) return "";
  const byRule = [...Map.groupBy(mentioned, ({ rule }) => rule).values()];
  const said = byRule.slice(0, mentionsMax).map(describeAlike);
  const more = byRule.slice(mentionsMax).reduce((total, ofRule) => total + ofRule.length, 0);
  return bullets("Worth knowing", more > 0 ? [...said, `and ${more} more`] : said);
}

function describeAlike([first, ...others]: readonly ReviewComment[]): string {
  if (first === undefined) return "";
  const told = `${placeOf(first)}: ${firstSentence(first.message)}`;
  const places = others.slice(0, placesNamed).map(placeOf);
  const more = others.length - places.length;
  if (more > 0) places.push(count(more, "more place"));
  return places.length === 0 ? told : `${told} Likewise ${list(places)}.`;
}

const pathsNamed = 5;

function describeUnread({ leftOut, coverage }: SummaryInput): string {
  const unread = [
    ...leftOut,
    ...coverage.flatMap(({ path, read, reason }) =>
      read === "not" ? [{ path, reason: reason ?? "no engine read it" }] : [],
    ),
  ];
  if (unread.length === 0) return "";
  return bullets(`Not read (${count(unread.length, "file")})`, groupByReason(unread));
}

function describePartlyRead(coverage: readonly FileCoverage[]): string {
  const partly = coverage.flatMap(({ path, read, reason }) =>
    read === "partly" ? [{ path, reason: reason ?? "not to its end" }] : [],
  );
  return partly.length === 0 ? "" : bullets("Read in part", groupByReason(partly));
}

function groupByReason(files: readonly LeftOutFile[]): string[] {
  return [...Map.groupBy(files, (file) => file.reason)].map(([reason, ofReason]) => {
    const paths = ofReason.slice(0, pathsNamed).map((file) => codeSpan(file.path));
    const more = ofReason.length - paths.length;
    return `${reason}: ${list(more > 0 ? [...paths, `${more} more`] : paths)}`;
  });
}

function bullets(title: string, items: readonly string[]): string {
  return [`${title}:`, ...items.map((item) => `- ${item}`)].join("\n");
}
