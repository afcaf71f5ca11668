/** A scanner reads text that no grammar describes, or describes badly: secrets, characters, line formats. */
import type { Finding, Rule } from "../rule.ts";
import type { SourceFile } from "../source-file.ts";

export interface Scanner {
  /** Every rule that `scan` may report. */
  readonly rules: readonly Rule[];
  /** Cheap, by path: whether `scan` has anything to say about such a file. */
  appliesTo(file: SourceFile): boolean;
  /**
   * May report any line; the engine keeps what sits on added ones. Must be linear in the file's length: regular
   * expressions without nested or overlapping repetition.
   */
  scan(file: SourceFile): Iterable<Finding>;
}
