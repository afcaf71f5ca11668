/** Finds the conditions among tokens, cuts them into terms, and tells which term asks whether a value is there. */
import { isWord, type Token } from "./tokens.ts";

export interface Condition {
  line: number;
  tokens: readonly Token[];
  /** `unless` and Swift's `guard` do what follows when the condition does not hold. */
  keyword: string;
  /** What follows the condition, as far as the tokens go. */
  body: readonly Token[];
}

const keywords = new Set(["if", "elif", "elsif", "elseif", "unless", "guard"]);
const closing: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}" };

/** Conditions that stand whole in the tokens. */
export function conditionsOf(tokens: readonly Token[]): Condition[] {
  const found: Condition[] = [];
  for (const [index, { text, line }] of tokens.entries()) {
    if (!keywords.has(text) || tokens[index - 1]?.text === ".") continue;
    const end = conditionEnd(tokens, index + 1);
    if (end === null || end === index + 1) continue;
    const condition = withoutBrackets(tokens.slice(index + 1, end));
    found.push({ line, keyword: text, tokens: condition, body: tokens.slice(end) });
  }
  return found;
}

/** Where the condition that starts at `from` ends; null when it goes on past the tokens. */
function conditionEnd(tokens: readonly Token[], from: number): number | null {
  if (tokens[from]?.text === "(") {
    const close = closingBracket(tokens, from);
    if (close === null) return null;
    const next = tokens[close + 1];
    // Python and Go continue behind the bracket: `if (a) and b:`
    if (next === undefined || !/^(?:&&|\|\||and|or|[<>=!]=?|==|===|[.[+*/-])$/.test(next.text))
      return close + 1;
  }
  for (let index = from; index < tokens.length; index += 1) {
    const { text } = tokens[index] ?? { text: "" };
    if (text === ":" || text === "{" || text === "then" || text === "else") return index;
    if (text in closing) index = closingBracket(tokens, index) ?? tokens.length;
    const next = tokens[index + 1];
    if (next !== undefined && next.line !== tokens[index]?.line && !continues(tokens[index], next))
      return index + 1;
  }
  return tokens.length;
}

function continues(last: Token | undefined, next: Token): boolean {
  return (
    /^(?:&&|\|\||and|or|not|[,.+({[-])$/.test(last?.text ?? "") ||
    /^(?:&&|\|\||and|or|[.{:])$/.test(next.text)
  );
}

function closingBracket(tokens: readonly Token[], from: number): number | null {
  let depth = 0;
  for (let index = from; index < tokens.length; index += 1) {
    const text = tokens[index]?.text ?? "";
    if (text in closing) depth += 1;
    else if (text === ")" || text === "]" || text === "}") depth -= 1;
    if (depth === 0) return index;
  }
  return null;
}

function withoutBrackets(tokens: readonly Token[]): readonly Token[] {
  if (tokens[0]?.text !== "(" || closingBracket(tokens, 0) !== tokens.length - 1) return tokens;
  return withoutBrackets(tokens.slice(1, -1));
}

/** What `&&`, `||`, `and` and `or` join, brackets taken off. */
export function termsOf(condition: readonly Token[]): (readonly Token[])[] {
  const terms: Token[][] = [[]];
  let depth = 0;
  for (const token of condition) {
    if (token.text in closing) depth += 1;
    else if (/^[)\]}]$/.test(token.text)) depth -= 1;
    if (depth === 0 && /^(?:&&|\|\||and|or)$/.test(token.text)) terms.push([]);
    else terms.at(-1)?.push(token);
  }
  return terms.flatMap((term) => {
    const inner = withoutBrackets(term);
    return inner.length < term.length ? termsOf(inner) : [term];
  });
}

const name = String.raw`(?:[\p{L}_$@][\p{L}\p{N}_$?!]*(?: (?:\.|->|\?\.|&\.|::) [\p{L}_$][\p{L}\p{N}_$?!]*)*)`;
const nothing = `(?:null|undefined|None|nil|nullptr|NULL|'undefined'|"undefined")`;
const absences: readonly RegExp[] = [
  new RegExp(`^(?:typeof )?(${name}) (?:[=!]==?|is|is not) ${nothing}$`, "u"),
  new RegExp(`^${nothing} [=!]==? (${name})$`, "u"),
  new RegExp(`^(?:! |not )(${name})$`, "u"),
  new RegExp(
    `^(?:! )?(?:isset|empty|is_null|isNull|isNil|isNone|nonNull|notNull) \\( (\\$?${name}) \\)$`,
    "u",
  ),
  new RegExp(
    `^(?:! )?(${name}) \\. (?:nil\\?|present\\?|blank\\?|isPresent|is_none|is_some)(?: \\( \\))?$`,
    "u",
  ),
];

/** The same for conditions that ask the same the other way round. */
export function signatureOf(condition: readonly Token[]): string {
  return condition
    .filter(isWord)
    .map(({ text }) => text.replace(/^'(.*)'$/, '"$1"'))
    .sort()
    .join(" ");
}

/** The variables that the condition asks: `items` and `limit` of `items.size() > limit`. */
export function variablesOf(condition: readonly Token[]): string[] {
  return condition.flatMap((token, index) => {
    const [previous, next] = [condition[index - 1]?.text ?? "", condition[index + 1]?.text ?? ""];
    const isName = /^[\p{L}_$@]/u.test(token.text) && !constants.test(token.text);
    return isName && !/^(?:\.|->|\?\.|&\.|::)$/.test(previous) && next !== "(" ? [token.text] : [];
  });
}

const constants =
  /^(?:null|undefined|None|nil|nullptr|NULL|true|false|True|False|this|self|not|is|in|instanceof|typeof|new|and|or)$/;

/** The value whose absence the term asks about: `user` of `user . name == null` is `user . name`. */
export function absenceAskedFor(term: string): string | null {
  for (const form of absences) {
    const value = form.exec(term)?.[1];
    if (value !== undefined && !/^(?:this|self|true|false)$/.test(value)) return value;
  }
  return null;
}

/** Whether the body leaves the function or the loop before anything else. */
export function leavesEarly(body: readonly Token[]): boolean {
  const first = body.find((token) => isWord(token));
  return (
    first !== undefined &&
    /^(?:return|throw|raise|continue|break|panic|abort|die|exit|next)$/.test(first.text)
  );
}
