/**
 * Finds `(a+)+`, `(\w+,?)*` and their like: a group that is repeated and whose content is one repeated piece beside
 * pieces that may be absent. Then the same text divides into rounds in exponentially many ways, which a backtracking
 * matcher tries when what comes behind does not match.
 */

interface Piece {
  /** Characters, as written: `a`, `[a-z]`, `\w`; null for a group. */
  text: string;
  group: readonly Piece[] | null;
  repeats: boolean;
  mayBeAbsent: boolean;
}

/** The part of the pattern as written; null where there is none, or the pattern is not understood. */
export function repeatedTwice(pattern: string): string | null {
  const reader = new Reader(pattern);
  const pieces = reader.sequence();
  return pieces === null ? null : doubledIn(pieces);
}

function doubledIn(pieces: readonly Piece[]): string | null {
  for (const [at, piece] of pieces.entries()) {
    if (piece.group === null) continue;
    const inner = doubledIn(piece.group);
    if (inner !== null) return inner;
    // At the very end nothing can fail, so the first way is taken.
    const mayFail = pieces.slice(at + 1).some((next) => !next.mayBeAbsent);
    if (piece.repeats && mayFail && isDivisible(piece.group)) return piece.text;
  }
  return null;
}

function isDivisible(pieces: readonly Piece[]): boolean {
  const needed = pieces.filter((piece) => !piece.mayBeAbsent);
  const repeated = pieces.filter((piece) => piece.repeats && piece.group === null);
  const [only] = repeated;
  return repeated.length === 1 && only !== undefined && needed.every((piece) => piece === only);
}

/** Reads a pattern from left to right, once. What it does not know (alternatives, look-around) makes it give up. */
class Reader {
  private at = 0;
  constructor(private readonly pattern: string) {}

  /** Up to the end or the closing parenthesis; null when not understood. */
  sequence(): Piece[] | null {
    const pieces: Piece[] = [];
    while (this.at < this.pattern.length && this.pattern[this.at] !== ")") {
      const piece = this.piece();
      if (piece === null) return null;
      pieces.push(piece);
    }
    return pieces;
  }

  private piece(): Piece | null {
    const from = this.at;
    const atom = this.atom();
    if (atom === null) return null;
    const quantifier =
      /^(?:[*+?]|\{\d*,?\d*\})[?+]?/.exec(this.pattern.slice(this.at, this.at + 12))?.[0] ?? "";
    this.at += quantifier.length;
    return {
      text: this.pattern.slice(from, this.at),
      group: atom.group,
      repeats:
        /^(?:[*+]|\{\d+,\})/.test(quantifier) && !quantifier.endsWith("++") && !quantifier.endsWith("*+"),
      mayBeAbsent: /^(?:[*?]|\{0?,)/.test(quantifier),
    };
  }

  private atom(): { group: Piece[] | null } | null {
    const next = this.pattern[this.at];
    if (next === "|") return null;
    if (next === "[") return this.set();
    if (next === "(") return this.group();
    this.at += next === "\\" ? 2 : 1;
    return { group: null };
  }

  private set(): { group: null } | null {
    for (let at = this.at + 1; at < this.pattern.length; at += 1) {
      if (this.pattern[at] === "\\") at += 1;
      else if (this.pattern[at] === "]" && at > this.at + 1) {
        this.at = at + 1;
        return { group: null };
      }
    }
    return null;
  }

  private group(): { group: Piece[] } | null {
    const opening = /^\((?:\?:|\?<\w+>|\?P<\w+>)?(?!\?)/.exec(this.pattern.slice(this.at, this.at + 60))?.[0];
    if (opening === undefined) return null;
    this.at += opening.length;
    const group = this.sequence();
    if (group === null || this.pattern[this.at] !== ")") return null;
    this.at += 1;
    return { group };
  }
}
