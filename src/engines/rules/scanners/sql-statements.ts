/** SQL as statements, by a tokenizer that knows the strings, names and comments of the common dialects. */

export interface Statement {
  /**
   * One space between tokens, no comments, no `;`; strings are `'…'`, quoted names keep their quotes but no spaces.
   * So one regular expression reads `ALTER TABLE "a" ADD COLUMN b int` however it was laid out.
   */
  text: string;
  /** The line of the file on which the character at `offset` of `text` stands. */
  lineAt(offset: number): number;
  /** Runs only when the migration is taken back. */
  takesBack: boolean;
}

interface Token {
  text: string;
  line: number;
}

/** Longer statements are data. */
const tokensMax = 4_000;

export function* statementsOf(sql: string): Generator<Statement> {
  let tokens: Token[] = [];
  let takesBack = false;
  for (const token of tokensOf(sql)) {
    if (token.text.startsWith("--")) takesBack = directionAfter(token.text) ?? takesBack;
    else if (token.text !== ";") tokens.push(token);
    else {
      if (tokens.length > 0 && tokens.length < tokensMax) yield toStatement(tokens, takesBack);
      tokens = [];
    }
  }
  if (tokens.length > 0 && tokens.length < tokensMax) yield toStatement(tokens, takesBack);
}

/** The comments by which goose, dbmate, sql-migrate, node-pg-migrate and others tell the two directions apart. */
function directionAfter(comment: string): boolean | null {
  if (
    /^--\s*(?:migrate:down|\+\s*(?:goose|migrate|micrate)\s+down|@?undo\b|down\s+migration|rollback\b)/i.test(
      comment,
    )
  )
    return true;
  return /^--\s*(?:migrate:up|\+\s*(?:goose|migrate|micrate)\s+up|up\s+migration)/i.test(comment)
    ? false
    : null;
}

/** In this order: the first that fits at a place is the token. */
const token = new RegExp(
  [
    "(?<comment>--[^\\n]*)",
    "(?<skipped>/\\*(?:[^*]|\\*(?!/))*(?:\\*/|$)|#(?![>\\-])[^\\n]*|\\s+)",
    "(?<string>[eEnNxXbB]?'(?:[^'\\\\]|''|\\\\[\\s\\S])*(?:'|$))",
    "(?<tag>\\$(?:[A-Za-z_]\\w*)?\\$)",
    '(?<name>"[^"\\n]*"|`[^`\\n]*`|\\[[A-Za-z_][^\\]\\n]*\\])',
    "(?<word>[\\p{L}_@][\\p{L}\\p{N}_@$#]*|\\d[\\w.]*)",
    "(?<operator>:=|::|<>|!=|<=|>=|=>|\\|\\||[\\s\\S])",
  ].join("|"),
  "uy",
);

function* tokensOf(sql: string): Generator<Token> {
  let line = 1;
  token.lastIndex = 0;
  for (let match = token.exec(sql); match !== null; match = token.exec(sql)) {
    const { skipped, string, tag, name } = match.groups ?? {};
    let end = token.lastIndex;
    if (tag !== undefined) {
      const closing = sql.indexOf(tag, end);
      end = closing < 0 ? sql.length : closing + tag.length;
    }
    if (string !== undefined || tag !== undefined) yield { text: "'…'", line };
    else if (name !== undefined) yield { text: name.replace(/\s/g, "_"), line };
    else if (skipped === undefined) yield { text: match[0], line };
    line += countLines(sql, match.index, end);
    token.lastIndex = end;
    if (end >= sql.length) return;
  }
}

function countLines(text: string, from: number, to: number): number {
  let lines = 0;
  for (let index = from; index < to; index += 1) if (text.charCodeAt(index) === 0x0a) lines += 1;
  return lines;
}

/** `a . b` and `count ( *` are written together: `a.b`, `count(*`. */
function toStatement(tokens: readonly Token[], takesBack: boolean): Statement {
  const starts: { offset: number; line: number }[] = [];
  let text = "";
  let previous = "";
  for (const { text: part, line } of tokens) {
    const joined =
      text === "" ||
      part === "." ||
      previous === "." ||
      part === "," ||
      part === "(" ||
      previous === "(" ||
      part === ")";
    if (!joined) text += " ";
    starts.push({ offset: text.length, line });
    text += part;
    previous = part;
  }
  const lineAt = (offset: number) => starts.findLast((start) => start.offset <= offset)?.line ?? 1;
  return { text, lineAt, takesBack };
}

/** A table's or column's bare name: `"public"."Users"` → `users`. */
export function bareName(name: string): string {
  return (name.split(".").at(-1) ?? "").replace(/["`[\]]/g, "").toLowerCase();
}
