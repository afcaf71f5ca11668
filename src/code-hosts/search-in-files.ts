/** A search of files that are at hand, by the same rules as a code host's: for reviews that have no repository. */
import { type FoundLine, foundLineBytesMax, requireWords } from "../domain/search.ts";

export function searchInFiles(
  files: Readonly<Record<string, string | Uint8Array>>,
  words: readonly string[],
): FoundLine[] {
  requireWords(words);
  return Object.keys(files)
    .sort()
    .flatMap((path) => linesOf(files[path] ?? "").map((text, index) => ({ path, line: index + 1, text })))
    .filter(({ text }) => words.some((word) => holdsWord(text, word)));
}

function linesOf(content: string | Uint8Array): string[] {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  if (bytes.subarray(0, binaryWithin).includes(0)) return [];
  const lines = new TextDecoder().decode(bytes).split("\n");
  return lines.map((line) => (Buffer.byteLength(line) > foundLineBytesMax ? "" : line.replace(/\r$/, "")));
}

/** Git takes a file for binary that has a zero byte this early. */
const binaryWithin = 8_000;

function holdsWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    if (!isWordPart(text[at - 1]) && !isWordPart(text[at + word.length])) return true;
  }
  return false;
}

function isWordPart(character: string | undefined): boolean {
  return character !== undefined && /\w/.test(character);
}
