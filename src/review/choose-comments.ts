/** Of what is true, says what was asked for, once, the gravest first, and not too much of it. */
import { type Category, isAtLeast, type ReviewComment, severityRank } from "../domain/comment.ts";
import type { ReviewOptions } from "../domain/review.ts";
import type { VerifiedComment } from "./verify-comments.ts";

export interface ChosenComments {
  comments: readonly ReviewComment[];
  /** Mentioned in the summary only. */
  mentioned: readonly ReviewComment[];
  /** Left out because there were more than `max`. */
  heldBack: readonly ReviewComment[];
}

export function chooseComments(
  verified: readonly VerifiedComment[],
  options: ReviewOptions,
  max: number,
): ChosenComments {
  const wanted = verified
    .filter((comment) => isFocus(comment.category, options.focusAreas))
    .filter((comment) => isAtLeast(comment.severity, options.severityThreshold))
    .sort(byWeight);
  const [inline, mentioned] = [withoutRepeats(wanted, "inline"), withoutRepeats(wanted, "summary")];
  return { comments: inline.slice(0, max), mentioned, heldBack: inline.slice(max) };
}

function isFocus(category: Category, areas: readonly Category[]): boolean {
  return areas.length === 0 ? category !== "style" : areas.includes(category);
}

/** The gravest first; of equally grave ones of a place, the one that offers a suggestion. */
function byWeight(a: ReviewComment, b: ReviewComment): number {
  return (
    severityRank(a.severity) - severityRank(b.severity) ||
    compare(a.path, b.path) ||
    a.line - b.line ||
    Number(a.suggestion === null) - Number(b.suggestion === null) ||
    compare(a.rule, b.rule)
  );
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Two engines that see the same thing on a line say it once. */
function withoutRepeats(
  comments: readonly VerifiedComment[],
  placement: VerifiedComment["placement"],
): ReviewComment[] {
  const places = new Set<string>();
  return comments.flatMap(({ placement: own, ...comment }) => {
    const place = `${comment.path}\0${comment.line}\0${comment.category}`;
    if (own !== placement || places.has(place)) return [];
    places.add(place);
    return [comment];
  });
}
