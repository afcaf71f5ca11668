/** Names in text. */

/** As a whole: next to no letter, digit, underscore or dollar sign. */
export function hasWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    if (!/[\w$]/.test(text[at - 1] ?? "") && !/[\w$]/.test(text[at + word.length] ?? "")) return true;
  }
  return false;
}
