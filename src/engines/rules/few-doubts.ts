/** A reviewer who asks many questions is not read: of the doubtful findings the best are asked, the rest only mentioned. */
import { type CandidateComment, severityRank } from "../../domain/comment.ts";
import { diffChecks, pullRequestChecks } from "./diff-checks/all.ts";

/** Questions asked inline in one pull request. */
const doubtsMax = 2;

/** Rules in the order of their detectors, which list the one that is right most often first. */
const doubtful: readonly string[] = [...pullRequestChecks, ...diffChecks].flatMap((check) =>
  check.rules.flatMap((rule) => (rule.doubtful === true ? [rule.id] : [])),
);

/** The same candidates in the same order; all doubtful ones but the best are for the summary. */
export function withFewDoubts(candidates: readonly CandidateComment[]): CandidateComment[] {
  const asked = candidates
    .filter(({ rule, placement }) => placement === "inline" && doubtful.includes(rule))
    .sort((a, b) => severityRank(a.severity) - severityRank(b.severity) || rankOf(a) - rankOf(b))
    .slice(0, doubtsMax);
  return candidates.map((candidate) =>
    doubtful.includes(candidate.rule) && !asked.includes(candidate)
      ? { ...candidate, placement: "summary" }
      : candidate,
  );
}

function rankOf({ rule }: CandidateComment): number {
  return doubtful.indexOf(rule);
}
