/** What the checks of removed code look at: one run of tokens that a change took away, and what surrounds it. */
import type { Hunk } from "../../../domain/diff.ts";
import type { Rule } from "../rule.ts";
import type { SourceFile } from "../source-file.ts";
import type { ChangeBlock } from "./change-blocks.ts";
import type { Token } from "./tokens.ts";

export interface Removal {
  file: SourceFile;
  hunk: Hunk;
  block: ChangeBlock;
  deleted: readonly Token[];
  /** The token before the run on the base side, within the block. */
  previous: Token | null;
  next: Token | null;
  /** Words that the same block put in: none when it only took away. */
  insertedInBlock: number;
  insertedInHunk: number;
  /** The lines that the hunk added, as text with a blank between tokens and at the ends. */
  addedText: string;
  /** The head side of the hunk, context and all, as text likewise. */
  headText: string;
}

export interface Removed {
  rule: Rule;
  /** The base-side line that went. */
  oldLine: number;
  values: Readonly<Record<string, string>>;
  /** Tokens that, among the lines added anywhere in the pull request, show that the code only moved. */
  movedWith: readonly Token[];
}

export interface RemovalCheck {
  readonly rules: readonly Rule[];
  find(removal: Removal): Removed | null;
}

/** A value of a message: short, as people write it. */
export function shown(text: string): string {
  const tight = text
    .replace(/ ?([.()[\],;]|->|\?\.|::) ?/g, "$1")
    .replace(/,/g, ", ")
    .replace(/! (?=\S)/g, "!")
    .replaceAll("`", "'");
  return tight.length > 60 ? `${tight.slice(0, 59)}…` : tight;
}
