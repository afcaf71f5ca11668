/** What a text must contain for a rule to match: a text, all or any of several, or something around the node. */
export type Words = string | { all: readonly Words[] } | { any: readonly Words[] } | { around: Words };

export const nothingKnown: Words = { all: [] };

/** What is still to be looked for at a node, once the whole text is known; null when it can match nowhere in it. */
export function narrowed(words: Words, text: TextIndex): Words | null {
  if (typeof words === "string") return text.has(words, 0, text.length) ? words : null;
  if ("around" in words) return narrowed(words.around, text) === null ? null : nothingKnown;
  return "all" in words ? narrowedAll(words.all, text) : narrowedAny(words.any, text);
}

function narrowedAll(parts: readonly Words[], text: TextIndex): Words | null {
  const all: Words[] = [];
  for (const part of parts) {
    const left = narrowed(part, text);
    if (left === null) return null;
    if (left !== nothingKnown) all.push(left);
  }
  return all.length === 0 ? nothingKnown : { all };
}

function narrowedAny(parts: readonly Words[], text: TextIndex): Words | null {
  const any: Words[] = [];
  for (const part of parts) {
    const left = narrowed(part, text);
    if (left === nothingKnown) return nothingKnown;
    if (left !== null) any.push(left);
  }
  return any.length === 0 ? null : { any };
}

/** Whether the text from `start` to before `end` has what was narrowed to it. */
export function areIn(words: Words, text: TextIndex, start: number, end: number): boolean {
  if (typeof words === "string") return text.has(words, start, end);
  if ("around" in words) return true;
  if ("all" in words) return words.all.every((part) => areIn(part, text, start, end));
  return words.any.some((part) => areIn(part, text, start, end));
}

/** A text in which each word is looked for only once. */
export class TextIndex {
  readonly length: number;
  private readonly text: string;
  private readonly places = new Map<string, readonly number[]>();

  constructor(text: string) {
    this.text = text;
    this.length = text.length;
  }

  has(word: string, start: number, end: number): boolean {
    const places = this.placesOf(word);
    let [from, to] = [0, places.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if ((places[middle] ?? 0) < start) from = middle + 1;
      else to = middle;
    }
    const first = places[from];
    return first !== undefined && first + word.length <= end;
  }

  private placesOf(word: string): readonly number[] {
    const known = this.places.get(word);
    if (known !== undefined) return known;
    const places: number[] = [];
    for (let at = this.text.indexOf(word); at >= 0; at = this.text.indexOf(word, at + 1)) places.push(at);
    this.places.set(word, places);
    return places;
  }
}
