/** Cuts changed lines into tokens, without their comments: enough to compare two sides in any language. */

export interface Token {
  text: string;
  line: number;
}

export interface NumberedLine {
  line: number;
  text: string;
}

/** Longer lines are no code that people write. */
const lineLengthMax = 1_000;

const slashComments =
  /\.(?:c|cc|cpp|cs|cxx|dart|go|h|hh|hpp|java|js|jsx|cjs|mjs|kt|kts|rs|scala|swift|tsx?|cts|mts)$/;
const bothComments = /\.(?:php|tf|hcl)$/;
const ruby = /\.(?:rb|rake|gemspec)$|(?:^|\/)(?:Gemfile|Rakefile)$/;

const token =
  /"""|'''|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`|@?[\p{L}_$][\p{L}\p{N}_$]*|\d[\w.]*|&&|\|\||[=!]==?|<=|>=|=>|->|\?\.|\?\?|::|:=|\S/gu;
const rubyToken =
  /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|@{0,2}[\p{L}_][\p{L}\p{N}_]*[?!]?|\d[\w.]*|&&|\|\||[=!]==?|<=|>=|=>|->|&\.|::|\S/gu;

/** The lines follow each other: a comment or text over several lines is seen as such. */
export function tokensOf(path: string, lines: readonly NumberedLine[]): Token[] {
  const slash = slashComments.test(path) || bothComments.test(path);
  const hash = !slashComments.test(path);
  const pattern = ruby.test(path) ? rubyToken : token;
  const tokens: Token[] = [];
  let until: string | null = null;
  for (const { line, text } of lines) {
    let rest = text.slice(0, lineLengthMax);
    if (until !== null) {
      const end = rest.indexOf(until);
      if (end < 0) continue;
      rest = rest.slice(end + until.length);
      until = null;
    }
    // The middle of a documentation comment whose start the diff does not show.
    if (slash && /^\s*\*(?:[\s/]|$)/.test(rest)) continue;
    for (const { 0: found, index } of rest.matchAll(pattern)) {
      if (isComment(rest, index, slash, hash)) break;
      if (slash && found === "/" && rest[index + 1] === "*") {
        if (rest.indexOf("*/", index) < 0) until = "*/";
        break;
      }
      if (found === '"""' || found === "'''") {
        if (rest.indexOf(found, index + 3) < 0) until = found;
        break;
      }
      tokens.push({ text: found, line });
    }
  }
  return tokens;
}

function isComment(text: string, at: number, slash: boolean, hash: boolean): boolean {
  if (slash && text[at] === "/" && text[at + 1] === "/") return true;
  return hash && text[at] === "#" && text[at + 1] !== "[";
}

export function textOf(tokens: readonly Token[]): string {
  return tokens.map(({ text }) => text).join(" ");
}

/** Whether the token says something: a name, a number, a text. */
export function isWord({ text }: Token): boolean {
  return /^[\p{L}\p{N}_$@"'`]/u.test(text);
}
