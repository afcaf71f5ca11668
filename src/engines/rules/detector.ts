/** What finds faults: pattern rules, scanners, diff checks and taint all look at one changed file in this way. */
import type { Finding, Rule } from "./rule.ts";
import type { SourceFile } from "./source-file.ts";

export interface Detector {
  /** Every rule that `find` may report. */
  readonly rules: readonly Rule[];
  /** Cheap, by path and language: whether `find` has anything to say about such a file. */
  appliesTo(file: SourceFile): boolean;
  /**
   * May report any line of the head side; the engine keeps what sits on added ones (or is `about: "removed"`), drops
   * doubles and honors ignore comments. Must take time linear in the file's length: no regular expression with
   * nested or overlapping repetition. What it throws loses its findings of this file and is logged.
   */
  find(file: SourceFile): Iterable<Finding>;
  /**
   * Lines that it understood whole: what it says about a weakness there, or that it says nothing, is better than what
   * a pattern says of the same.
   */
  judged?(file: SourceFile): readonly Judged[];
}

export interface Judged {
  cwe: number;
  line: number;
}
