/**
 * Texts that a regular expression of Rust's dialect cannot match without. What is not understood counts as saying
 * nothing, so that no match is ever missed.
 */
import { nothingKnown, type Words } from "./words.ts";

/** Shorter texts are nearly everywhere. */
const lengthMin = 3;

export function wordsOfRegex(regex: string): Words {
  const reader = new Reader(regex);
  const words = alternatives(reader);
  return reader.isAtEnd ? words : nothingKnown;
}

function alternatives(reader: Reader): Words {
  const any = [sequence(reader)];
  while (reader.take(/\|/y) !== null) any.push(sequence(reader));
  return { any };
}

/** Ends at `|`, `)`, the end, or what it does not understand. */
function sequence(reader: Reader): Words {
  const all: Words[] = [];
  let run = "";
  const endRun = () => {
    if (run.length >= lengthMin) all.push(run);
    run = "";
  };
  for (let item = itemOf(reader); item !== null; item = itemOf(reader)) {
    const quantifier = reader.take(/[*+?]\??|\{\d+(?:,\d*)?\}\??/y);
    const occurs = quantifier === null || /^(?:\+|\{0*[1-9])/.test(quantifier);
    if (occurs && typeof item === "string") run += item;
    if (typeof item !== "string" || quantifier !== null) endRun();
    if (occurs && typeof item !== "string") all.push(item);
  }
  endRun();
  return { all };
}

/** A letter that stands for itself, or what is required of anything else. */
function itemOf(reader: Reader): Words | null {
  if (reader.take(/\((?:\?:|\?P?<\w+>|(?!\?))/y) !== null) {
    const words = alternatives(reader);
    return reader.take(/\)/y) === null ? null : words;
  }
  if (saysNothing.some((expression) => reader.take(expression) !== null)) return nothingKnown;
  const escaped = reader.take(/\\[^\w\s]/y);
  return escaped?.slice(1) ?? reader.take(/[^\\()[\]{}|*+?.^$]/y);
}

/** Places and kinds of letters, flags that do not change what a letter stands for, and classes. */
const saysNothing: readonly RegExp[] = [
  /[.^$]/y,
  /\\[wWdDsSbBAznrtfv]/y,
  /\\[pP](?:\{\w+\}|\w)/y,
  /\(\?[sm]+\)/y,
  /\[\^?\]?(?:\\.|[^\]\\[])*\]/y,
];

class Reader {
  private readonly text: string;
  private at = 0;

  constructor(text: string) {
    this.text = text;
  }

  get isAtEnd(): boolean {
    return this.at === this.text.length;
  }

  /** What the sticky expression matches here, and moves behind it. */
  take(expression: RegExp): string | null {
    expression.lastIndex = this.at;
    const found = expression.exec(this.text)?.[0] ?? null;
    if (found !== null) this.at += found.length;
    return found;
  }
}
