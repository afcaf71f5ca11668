/** A check of all changed files together: a manifest without its lock file, a signature without its callers. */
import type { DiffFile } from "../../../domain/diff.ts";
import type { Finding, Rule } from "../rule.ts";
import type { SourceFile } from "../source-file.ts";
import type { RepositoryAtHead } from "../uses/repository-at-head.ts";
import type { Question } from "../uses/search-repository.ts";
import type { ChangedText } from "../uses/touched-names.ts";

export interface PullRequestCheck {
  readonly rules: readonly Rule[];
  /** Files beside the changed ones that `find` wants to see on the head side; what is not there is left out. */
  wants(files: readonly DiffFile[]): readonly string[];
  /** Words to look for in the whole repository at head; the most telling first, for only so many are looked for. */
  asks?(files: readonly ChangedText[]): readonly Question[];
  find(change: PullRequestChange): Iterable<{ file: SourceFile; finding: Finding }>;
}

export interface PullRequestChange {
  /** Every changed text file that was not deleted, with its syntax. */
  files: readonly SourceFile[];
  /** Every changed file, deleted and binary ones too. */
  diffs: readonly DiffFile[];
  /** What `wants` asked for: text by path. */
  others: ReadonlyMap<string, string>;
  /** Where the words stand that `asks` named; null when it could not be searched. */
  repository: RepositoryAtHead | null;
}
