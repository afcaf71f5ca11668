/** Small things about English and Markdown. Paths and messages come from strangers: nothing here trusts them. */

/** `1 file`, `3 files` */
export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

/** `a`, `a and b`, `a, b and c` */
export function list(items: readonly string[]): string {
  const last = items.at(-1) ?? "";
  return items.length < 2 ? last : `${items.slice(0, -1).join(", ")} and ${last}`;
}

const codeSpanMax = 200;

/** A path as code. What could end the code span, or hide behind it, is replaced. */
export function codeSpan(text: string): string {
  const safe = text.replace(/`/g, "'").replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, "\uFFFD");
  return `\`${safe.length > codeSpanMax ? `…${safe.slice(-codeSpanMax)}` : safe}\``;
}

const sentenceMax = 160;

/** The first sentence on one line, with its full stop; one within code ends no sentence. */
export function firstSentence(message: string): string {
  const line = message.trim().replace(/\s+/g, " ");
  const sentence = /^(?:`[^`]*`|[^`])*?[.!?](?= |$)/.exec(line)?.[0] ?? line;
  return sentence.length > sentenceMax ? `${sentence.slice(0, sentenceMax - 1)}…` : sentence;
}
