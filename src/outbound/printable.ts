/** Text from a stranger that a person may read in a terminal, a log or a page. */

/**
 * The bytes as text, with what would not show as itself (control characters, directional marks, bytes that are not UTF-8)
 * written out, `\u0007`; line ends and tabs stay. At most `charactersMax` UTF-16 units.
 */
export function printable(bytes: Uint8Array, charactersMax: number): string {
  const text = new TextDecoder().decode(bytes).replace(invisible, written);
  return text.slice(0, charactersMax).replace(/[\ud800-\udbff]$/, "");
}

/** Control characters but tab and line ends, format characters, surrogates without a partner, line separators. */
const invisible = /(?![\t\n\r])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

function written(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return code > 0xffff ? `\\u{${code.toString(16)}}` : `\\u${code.toString(16).padStart(4, "0")}`;
}
