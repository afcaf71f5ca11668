/** One value that stands where another one stood, all around it unchanged. */
import type { ChangeBlock, Segment } from "./change-blocks.ts";
import type { Removal } from "./removal.ts";
import { type Token, textOf } from "./tokens.ts";

export interface Exchange {
  /** What stands before the value, on its line. */
  lead: readonly Token[];
  before: string;
  after: string;
  line: number;
}

/** One token for one other, at the same place behind the same tokens. */
export function exchangeOf({ block, deleted }: Removal): Exchange | null {
  const [old] = deleted;
  const segment = block.deleted.find(({ tokens }) => tokens === deleted);
  if (old === undefined || segment === undefined || deleted.length !== 1) return null;
  const now = block.inserted.find((candidate) => stands(block, segment, candidate));
  const [value] = now?.tokens ?? [];
  if (value === undefined || now?.tokens.length !== 1) return null;
  const lead = block.before.slice(0, segment.start).filter(({ line }) => line === old.line);
  return { lead, before: old.text, after: value.text, line: old.line };
}

function stands({ before, after }: ChangeBlock, old: Segment, now: Segment): boolean {
  const lead = (tokens: readonly Token[], start: number) =>
    textOf(tokens.slice(Math.max(0, start - 2), start));
  return lead(before, old.start) === lead(after, now.start);
}

export function isTrue(text: string): boolean {
  return /^["']?(?:true|on|yes|enabled|strict)["']?$/i.test(text);
}

export function isFalse(text: string): boolean {
  return /^["']?(?:false|off|no|disabled|none)["']?$/i.test(text);
}
