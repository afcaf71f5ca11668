/** Where one detector has understood a line whole, a pattern's guess about the same weakness there is left out. */
import type { CandidateComment } from "../../domain/comment.ts";
import type { Judged } from "./detector.ts";
import type { Finding } from "./rule.ts";

/** CWE numbers that are about the same flaw. */
const sameFlaw: readonly ReadonlySet<number>[] = [
  new Set([74, 77, 78]),
  new Set([74, 89, 564]),
  new Set([74, 79, 80, 116]),
  new Set([74, 94, 95, 1336]),
  new Set([22, 23, 36, 73, 74, 98]),
  new Set([74, 601]),
  new Set([74, 918]),
  new Set([330, 338]),
];

export function withoutBetterJudged(guesses: readonly Finding[], judged: readonly Judged[]): Finding[] {
  return guesses.filter(({ rule, line, startLine }) => {
    const { cwe } = rule;
    return (
      cwe === null || !judged.some((one) => isSameFlaw(cwe, one.cwe) && one.line === (startLine ?? line))
    );
  });
}

/** Where a rule names the setting itself, that a protection was switched off there needs no saying as well. */
export function withoutGeneral(candidates: readonly CandidateComment[]): CandidateComment[] {
  return candidates.filter(
    (one) =>
      one.rule !== "any/protection-switched-off" ||
      !candidates.some(
        (other) =>
          other.category === "security" &&
          other.rule !== one.rule &&
          other.path === one.path &&
          (other.startLine ?? other.line) === one.line,
      ),
  );
}

function isSameFlaw(a: number, b: number): boolean {
  return a === b || sameFlaw.some((group) => group.has(a) && group.has(b));
}
