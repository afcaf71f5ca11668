/** Where pull requests are on a plain Git server: `refs/pull/7/head`, or by the pattern that an admin gave. */

import { AppError } from "../../domain/errors.ts";
import { pullRequestNumberMax } from "../../domain/pull-request.ts";

export const defaultHeadPattern = "refs/pull/{number}/head";

/**
 * A pattern holds `{number}`; for Gerrit (`refs/changes/{last_two}/{number}/{latest}`) also the number's last two
 * digits, and the patch set, of which the highest counts.
 */
export interface HeadPattern {
  /** For `git ls-remote`: the reference itself, or a glob over its patch sets. */
  glob(number: number): string;
  /** For `git ls-remote`: every pull request. */
  globOfAll: string;
  /** The pull requests among references and their object ids, ascending by number. */
  find(references: ReadonlyMap<string, string>): PullRequestHead[];
}

export interface PullRequestHead {
  number: number;
  reference: string;
  id: string;
}

/** Throws AppError `validation_failed`. */
export function parseHeadPattern(pattern: string): HeadPattern {
  checkReference("head_ref", pattern.replaceAll(/\{(?:number|last_two|latest)\}/g, "1"));
  if (!pattern.startsWith("refs/")) throw invalid("head_ref", "must start with refs/");
  if (!pattern.includes("{number}")) throw invalid("head_ref", "must contain {number}");

  const fill = (number: string, lastTwo: string) =>
    pattern.replaceAll("{number}", number).replaceAll("{last_two}", lastTwo).replaceAll("{latest}", "*");
  const glob = (number: number) => fill(String(number), lastTwoDigits(number));
  const expression = patternExpression(pattern);

  return {
    glob,
    globOfAll: fill("*", "*"),
    find(references) {
      const latest = new Map<number, PullRequestHead & { patchSet: number }>();
      for (const [reference, id] of references) {
        const { number: digits, lastTwo, patchSet = "0" } = expression.exec(reference)?.groups ?? {};
        const number = Number(digits);
        if (digits === undefined || number > pullRequestNumberMax) continue;
        if (lastTwo !== undefined && lastTwo !== lastTwoDigits(number)) continue;
        const known = latest.get(number);
        if (known !== undefined && known.patchSet >= Number(patchSet)) continue;
        latest.set(number, { number, reference, id, patchSet: Number(patchSet) });
      }
      return [...latest.values()].sort((a, b) => a.number - b.number);
    },
  };
}

/** `main` is `refs/heads/main`. Throws AppError `validation_failed`. */
export function parseBaseReference(text: string): string {
  checkReference("base_ref", text);
  return text.startsWith("refs/") ? text : `refs/heads/${text}`;
}

/** The rules of `git check-ref-format`, and no leading `-`. */
function checkReference(setting: string, reference: string): void {
  const wrong =
    reference === "" ||
    /[\s\p{Cc}~^:?*[\\]|\.\.|@\{|\/\/|^[-/]|[/.]$|(?:^|\/)\.|\.lock(?:\/|$)/u.test(reference) ||
    reference === "@";
  if (wrong) throw invalid(setting, "is not a valid Git reference");
}

function invalid(setting: string, problem: string): AppError {
  const message = `The git host's ${setting} ${problem}.`;
  return new AppError("validation_failed", message, {
    fields: [{ path: `/settings/${setting}`, code: "invalid", message }],
  });
}

function lastTwoDigits(number: number): string {
  return String(number % 100).padStart(2, "0");
}

function patternExpression(pattern: string): RegExp {
  const seen = new Set<string>();
  const source = pattern.split(/(\{(?:number|last_two|latest)\})/).map((part) => {
    const [group, digits] = placeholders[part] ?? [];
    if (group === undefined || digits === undefined) return RegExp.escape(part);
    if (seen.has(group)) return `\\k<${group}>`;
    seen.add(group);
    return `(?<${group}>${digits})`;
  });
  return new RegExp(`^${source.join("")}$`);
}

const placeholders: Readonly<Record<string, readonly [group: string, digits: string]>> = {
  "{number}": ["number", "[1-9][0-9]*"],
  "{last_two}": ["lastTwo", "[0-9]{2}"],
  "{latest}": ["patchSet", "[0-9]+"],
};
