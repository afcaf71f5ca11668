/**
 * Text written by strangers, made safe for a terminal: control characters (but newline and tab) and characters that change the
 * direction of text are shown as their code, so that nobody's pull request moves the reader's cursor.
 */
export function printable(text: string): string {
  return text.replace(
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g,
    (character) => `\\u{${character.charCodeAt(0).toString(16)}}`,
  );
}
