/** Looking for words in a whole repository, as `git grep` does: who else uses a name. */

export interface FoundLine {
  path: string;
  /** From 1. */
  line: number;
  text: string;
}

/** More words than this are not looked for at once. */
export const searchedWordsMax = 64;

/** A longer line was written by a program, and is left out. Bytes. */
export const foundLineBytesMax = 1_000;

/**
 * The lines of the repository's text files on that side that hold one of the words as a whole, sorted by path and line:
 * a letter (a–z), digit or underscore right before or after makes it another word. Null when there is no way to search.
 */
export type Search = (
  words: readonly string[],
  side: "base" | "head",
) => Promise<readonly FoundLine[] | null>;

/** Throws for what no line can hold as a word, and for too many: that is a mistake of the caller. */
export function requireWords(words: readonly string[]): void {
  if (words.length > searchedWordsMax) throw new Error(`more than ${searchedWordsMax} words to search for`);
  const wrong = words.find((word) => word === "" || /[\n\r\0]/.test(word));
  if (wrong !== undefined) throw new Error(`not a word to search for: ${JSON.stringify(wrong)}`);
}
