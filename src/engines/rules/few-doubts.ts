/** A reviewer who asks many questions is not read: of the doubtful findings the best are asked, the rest only mentioned. */
import { type CandidateComment, severityRank } from "../../domain/comment.ts";
import { diffChecks, pullRequestChecks } from "./diff-checks/all.ts";

/** Questions asked inline in one pull request. */
const doubtsMax = 2;

/** Rules in the order of their detectors, which list the one that is right most often first. */
const doubtful: readonly string[] = [...pullRequestChecks, ...diffChecks].flatMap((check) =>
  check.rules.flatMap((rule) => (rule.doubtful === true ? [rule.id] : [])),
);

/** Closer than this, two questions are about one change. */
const linesOfOneChange = 4;

/**
 * The candidates in the same order. Of doubtful ones about one change only the best is kept; of those left, all but the
 * best are for the summary, and so is what the pull request's title announces.
 */
export function withFewDoubts(candidates: readonly CandidateComment[], title: string): CandidateComment[] {
  return thinned(announcesRemoval.test(title) ? candidates.map(asMention) : candidates);
}

/** Who says that something goes need not be asked whether it was meant to. */
const announcesRemoval = /\b(?:remov|drop|delet|revert|unused|redundant|obsolete|unnecessary|no longer)/i;

function asMention(candidate: CandidateComment): CandidateComment {
  const isAsked = candidate.about === "removed" && doubtful.includes(candidate.rule);
  return isAsked ? { ...candidate, placement: "summary" } : candidate;
}

function thinned(candidates: readonly CandidateComment[]): CandidateComment[] {
  const kept: CandidateComment[] = [];
  const best = candidates
    .filter(({ rule, placement }) => placement === "inline" && doubtful.includes(rule))
    .sort((a, b) => severityRank(a.severity) - severityRank(b.severity) || rankOf(a) - rankOf(b));
  for (const candidate of best) {
    if (!kept.some((other) => isSameChange(other, candidate))) kept.push(candidate);
  }
  const asked = kept.slice(0, doubtsMax);
  return candidates
    .filter((candidate) => !best.includes(candidate) || kept.includes(candidate))
    .map((candidate) =>
      doubtful.includes(candidate.rule) && !asked.includes(candidate)
        ? { ...candidate, placement: "summary" }
        : candidate,
    );
}

function isSameChange(a: CandidateComment, b: CandidateComment): boolean {
  return a.path === b.path && Math.abs(a.line - b.line) < linesOfOneChange;
}

function rankOf({ rule }: CandidateComment): number {
  return doubtful.indexOf(rule);
}
