/** What exactly a run of changed lines took away and put in, token by token. */
import type { Hunk } from "../../../domain/diff.ts";
import { type NumberedLine, type Token, textOf, tokensOf } from "./tokens.ts";

/** Changed lines with no unchanged one between them. */
export interface ChangeBlock {
  hunk: Hunk;
  /** The tokens of the removed and of the added lines. */
  before: readonly Token[];
  after: readonly Token[];
  deleted: readonly Segment[];
  inserted: readonly Segment[];
}

/** Tokens next to each other that the other side does not have there. */
export interface Segment {
  /** Where it starts among its side's tokens. */
  start: number;
  tokens: readonly Token[];
}

/** Larger blocks were rewritten, not edited: comparing them says nothing. */
const tokensMax = 600;

export function changeBlocks(path: string, hunk: Hunk): ChangeBlock[] {
  const blocks: ChangeBlock[] = [];
  let removed: NumberedLine[] = [];
  let added: NumberedLine[] = [];
  const close = () => {
    if (removed.length > 0 || added.length > 0) {
      const before = tokensOf(path, removed);
      const after = tokensOf(path, added);
      if (before.length <= tokensMax && after.length <= tokensMax)
        blocks.push({ hunk, before, after, ...compare(before, after) });
    }
    removed = [];
    added = [];
  };
  for (const line of hunk.lines) {
    if (line.kind === "context") close();
    else if (line.kind === "removed") removed.push({ line: line.oldLine, text: line.text });
    else added.push({ line: line.newLine, text: line.text });
  }
  close();
  return blocks;
}

function compare(before: readonly Token[], after: readonly Token[]) {
  const kept = keptTokens(before, after);
  const lineStarts = before.map((token, index) => token.line !== before[index - 1]?.line);
  const deleted = gaps(before, new Set(kept.map(([old]) => old))).map((segment) =>
    fromLineStart(before, segment, lineStarts),
  );
  return { deleted, inserted: gaps(after, new Set(kept.map(([, now]) => now))) };
}

/** Pairs of places: of whole lines first, which may only be indented anew, then of the tokens between those. */
function keptTokens(before: readonly Token[], after: readonly Token[]): [number, number][] {
  const [oldLines, newLines] = [linesOf(before), linesOf(after)];
  const pairs: [number, number][] = [];
  let [old, now] = [0, 0];
  const between = (oldEnd: number, nowEnd: number) => {
    const texts = [before.slice(old, oldEnd), after.slice(now, nowEnd)].map((some) =>
      some.map(({ text }) => text),
    );
    for (const [a, b] of longestCommon(texts[0] ?? [], texts[1] ?? [])) pairs.push([old + a, now + b]);
  };
  const same = longestCommon(
    oldLines.map(({ text }) => text),
    newLines.map(({ text }) => text),
  );
  for (const [a, b] of same) {
    const [oldLine, newLine] = [oldLines[a], newLines[b]];
    if (oldLine === undefined || newLine === undefined) continue;
    between(oldLine.start, newLine.start);
    for (let index = 0; index < oldLine.size; index += 1)
      pairs.push([oldLine.start + index, newLine.start + index]);
    [old, now] = [oldLine.start + oldLine.size, newLine.start + newLine.size];
  }
  between(before.length, after.length);
  return pairs;
}

/** Each line's text with a blank between tokens, and which tokens it has. */
function linesOf(tokens: readonly Token[]): { start: number; size: number; text: string }[] {
  const lines: { start: number; size: number; text: string }[] = [];
  let start = 0;
  for (let end = 1; end <= tokens.length; end += 1) {
    if (end < tokens.length && tokens[end]?.line === tokens[start]?.line) continue;
    lines.push({ start, size: end - start, text: textOf(tokens.slice(start, end)) });
    start = end;
  }
  return lines;
}

/** Pairs of places where the two hold the same, in order, as many as there can be. */
function longestCommon(before: readonly string[], after: readonly string[]): [number, number][] {
  const width = after.length + 1;
  const lengths = new Uint16Array((before.length + 1) * width);
  const at = (old: number, now: number) => lengths[old * width + now] ?? 0;
  for (let old = before.length - 1; old >= 0; old -= 1) {
    for (let now = after.length - 1; now >= 0; now -= 1) {
      lengths[old * width + now] =
        before[old] === after[now] ? at(old + 1, now + 1) + 1 : Math.max(at(old + 1, now), at(old, now + 1));
    }
  }
  const pairs: [number, number][] = [];
  let [old, now] = [0, 0];
  while (old < before.length && now < after.length) {
    if (before[old] === after[now]) pairs.push([old++, now++]);
    else if (at(old + 1, now) >= at(old, now + 1)) old += 1;
    else now += 1;
  }
  return pairs;
}

function gaps(tokens: readonly Token[], kept: ReadonlySet<number>): Segment[] {
  const segments: Segment[] = [];
  let start = 0;
  for (let index = 0; index <= tokens.length; index += 1) {
    if (index < tokens.length && !kept.has(index)) continue;
    if (index > start) segments.push({ start, tokens: tokens.slice(start, index) });
    start = index + 1;
  }
  return segments;
}

/** `; if (a) return` reads as `if (a) return;`: of equal ways to cut, the one that starts a line. */
function fromLineStart(all: readonly Token[], segment: Segment, lineStarts: readonly boolean[]): Segment {
  const size = segment.tokens.length;
  for (let start = segment.start; start >= 0; start -= 1) {
    if (lineStarts[start]) return { start, tokens: all.slice(start, start + size) };
    if (all[start - 1]?.text !== all[start + size - 1]?.text) break;
  }
  return segment;
}
