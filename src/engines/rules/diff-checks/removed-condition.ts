/** A guard that went while what it guarded stays, and a condition that lost one of its terms. */
import { changed, type Rule } from "../rule.ts";
import {
  absenceAskedFor,
  type Condition,
  conditionsOf,
  leavesEarly,
  termsOf,
  variablesOf,
} from "./conditions.ts";
import { type Removal, type RemovalCheck, type Removed, shown } from "./removal.ts";
import { isWord, type Token, textOf } from "./tokens.ts";

const nullGuardRemoved: Rule = {
  id: "any/null-guard-removed",
  title: "check for a missing value removed",
  category: "bug",
  severity: "medium",
  cwe: 476,
  message:
    "`{condition}` is no longer checked, but `{value}` is still used here: can it no longer be missing?",
  why: "When it can, this now fails, or goes on with a value that the check kept out.",
  advice: "Restore the check, or say in the pull request why the value is always there.",
  placement: "inline",
  doubtful: true,
  bad: [
    changed(
      "src/cart.ts",
      "function total(cart) {\n  if (cart == null) {\n    return 0;\n  }\n  return cart.items.length;\n}\n",
      "function total(cart) {\n  return cart.items.length;\n}\n",
    ),
    changed(
      "shop/cart.py",
      "def total(cart):\n    if cart is None:\n        return 0\n    return len(cart.items)\n",
      "def total(cart):\n    return len(cart.items)\n",
    ),
    changed(
      "src/Cart.java",
      "class Cart {\n  int total(User user) {\n    if (user != null) {\n      user.touch();\n    }\n    return 1;\n  }\n}\n",
      "class Cart {\n  int total(User user) {\n    user.touch();\n    return 1;\n  }\n}\n",
    ),
    changed(
      "cart.go",
      "package cart\n\nfunc total(c *Cart) int {\n\tif c == nil {\n\t\treturn 0\n\t}\n\treturn c.total\n}\n",
      "package cart\n\nfunc total(c *Cart) int {\n\treturn c.total\n}\n",
    ),
  ],
  ok: [
    // moved
    changed(
      "src/cart.ts",
      "function total(cart) {\n  if (cart == null) {\n    return 0;\n  }\n  return cart.items.length;\n}\nfunction show() {\n  a();\n}\n",
      "function total(cart) {\n  return cart.items.length;\n}\nfunction show() {\n  if (cart == null) {\n    return 0;\n  }\n  a();\n}\n",
    ),
    // asked twice
    changed(
      "src/cart.ts",
      "function total(cart) {\n  if (cart == null) {\n    return 0;\n  }\n  count();\n  if (cart == null) {\n    return 0;\n  }\n  return cart.items.length;\n}\n",
      "function total(cart) {\n  if (cart == null) {\n    return 0;\n  }\n  count();\n  return cart.items.length;\n}\n",
    ),
    // the function went altogether
    changed(
      "src/cart.ts",
      "function total(cart) {\n  if (cart == null) {\n    return 0;\n  }\n  return cart.items.length;\n}\nfunction show(cart) {\n  cart.show();\n}\n",
      "function show(cart) {\n  cart.show();\n}\n",
    ),
    // the value is no longer used
    changed(
      "shop/cart.py",
      "def total(cart, n):\n    if cart is None:\n        return 0\n    return n\n",
      "def total(n):\n    return n\n",
    ),
    // another way to check
    changed(
      "src/cart.ts",
      "function total(cart) {\n  if (cart == null) {\n    return 0;\n  }\n  return cart.items.length;\n}\n",
      "function total(cart) {\n  return cart?.items.length ?? 0;\n}\n",
    ),
    changed(
      "test/cart.test.ts",
      "function total(cart) {\n  if (cart == null) {\n    return 0;\n  }\n  return cart.items.length;\n}\n",
      "function total(cart) {\n  return cart.items.length;\n}\n",
    ),
  ],
};

const guardRemoved: Rule = {
  id: "any/guard-removed",
  title: "check before going on removed",
  category: "bug",
  severity: "low",
  cwe: null,
  message: "The code no longer stops where `{condition}`: is what follows right in that case, too?",
  why: "The check kept that case from what comes after it, and nothing in this pull request takes its place.",
  advice: "Restore the check, or say in the pull request why the case cannot happen any more.",
  // In ordinary pull requests another form of the check had taken its place each time.
  placement: "summary",
  bad: [
    changed(
      "src/sum.py",
      "def mean(values):\n    if len(values) < 1:\n        return 0\n    return sum(values) / len(values)\n",
      "def mean(values):\n    return sum(values) / len(values)\n",
    ),
  ],
  ok: [
    changed(
      "src/sum.py",
      "def mean(values):\n    if len(values) < 1:\n        return 0\n    return sum(values) / len(values)\n",
      "def mean(values):\n    check(values)\n    return sum(values) / len(values)\n",
    ),
  ],
};

const termDropped: Rule = {
  id: "any/condition-term-dropped",
  title: "term of a condition dropped",
  category: "bug",
  severity: "medium",
  cwe: null,
  message: "The condition no longer asks for `{term}`: is that meant for every case that it kept apart?",
  why: "Cases that the term told apart are now treated alike.",
  advice: "Restore the term, or add a test that shows the case it stood for.",
  // In ordinary pull requests it was meant each time: not worth a line.
  placement: "summary",
  bad: [
    changed("src/a.js", "if (open && user.active) {\n  go();\n}\n", "if (open) {\n  go();\n}\n"),
    changed("src/a.py", "if ready and not closed:\n    go()\n", "if ready:\n    go()\n"),
    changed(
      "src/A.java",
      "class A {\n  boolean a() {\n    return x > 0 || y == null || z;\n  }\n}\n",
      "class A {\n  boolean a() {\n    return x > 0 || z;\n  }\n}\n",
    ),
  ],
  ok: [
    changed(
      "src/a.js",
      "if (open && user.active) {\n  go();\n}\n",
      "if (open) {\n  if (user.active) {\n    go();\n  }\n}\n",
    ),
    changed("src/a.js", "if (open && user.active) {\n  go();\n}\n", "if (canGo(user)) {\n  go();\n}\n"),
    changed("src/a.js", "const name = given || 'Ann';\n", "const name = given;\n"),
  ],
};

/** More new words around it: a rewrite, in which the guard may live on in another form. */
const insertedInHunkMax = 20;

export const removedConditions: RemovalCheck = {
  rules: [nullGuardRemoved, termDropped, guardRemoved],
  find: (removal) => droppedTerm(removal) ?? lostGuard(removal),
};

function droppedTerm({ deleted, block, previous, next, insertedInBlock }: Removal): Removed | null {
  if (insertedInBlock > 0 || deleted.some(({ text }) => statementWords.test(text))) return null;
  const run = trimBrackets(deleted);
  const [first, last] = [run[0], run.at(-1)];
  const leads = isOperator(first);
  const trails = isOperator(last);
  if (first === undefined || leads === trails) return null;
  const term = leads ? run.slice(1) : run.slice(0, -1);
  if (!term.some(isWord) || !inCondition(block.before, term) || previous?.text === next?.text) return null;
  const text = textOf(term);
  return { rule: termDropped, oldLine: first.line, values: { term: shown(text) }, movedWith: term };
}

const statementWords = /^(?:if|elif|else|elsif|unless|for|while|return|def|function|=>|;|=)$/;

/** `a || "default"` is no condition: what is dropped must stand in one. */
function inCondition(before: readonly Token[], term: readonly Token[]): boolean {
  const at = before.indexOf(term[0] ?? before[0] ?? { text: "", line: 0 });
  return before
    .slice(0, at)
    .some(({ text }) => /^(?:if|elif|elsif|unless|while|return|when|assert|until)$/.test(text));
}

function isOperator(token: Token | undefined): boolean {
  return token !== undefined && /^(?:&&|\|\||and|or)$/.test(token.text);
}

function trimBrackets(tokens: readonly Token[]): readonly Token[] {
  const isBracket = (token: Token | undefined) => token !== undefined && /^[()]$/.test(token.text);
  let [from, to] = [0, tokens.length];
  while (to > from && isBracket(tokens[to - 1]) && isBalanced(tokens.slice(from, to)) < 0) to -= 1;
  while (from < to && isBracket(tokens[from]) && isBalanced(tokens.slice(from, to)) > 0) from += 1;
  return tokens.slice(from, to);
}

/** Opening brackets less closing ones. */
function isBalanced(tokens: readonly Token[]): number {
  return tokens.reduce((sum, { text }) => sum + Number(text === "(") - Number(text === ")"), 0);
}

function lostGuard(removal: Removal): Removed | null {
  if (removal.insertedInBlock > 0 || removal.insertedInHunk > insertedInHunkMax) return null;
  const condition = conditionsOf(removal.deleted)[0];
  if (condition === undefined || isStillAsked(removal, condition)) return null;
  return lostNullGuard(removal, condition) ?? lostOtherGuard(removal, condition);
}

/** Lines around the change in which a reader would see the same check. */
const linesInView = 12;

/** Nearby, once more: the change took away a repetition. */
function isStillAsked({ file, hunk }: Removal, { tokens }: Condition): boolean {
  const [from, to] = [hunk.newStart - 1 - linesInView, hunk.newStart + hunk.newLines + linesInView];
  const tight = (text: string) => text.replace(/\s/g, "");
  const [view, asked] = [tight(file.lines.slice(Math.max(0, from), to).join("")), tight(textOf(tokens))];
  return [`if(${asked})`, `if${asked}:`, `if${asked}{`].some((check) => view.includes(check));
}

function lostNullGuard({ headText, addedText }: Removal, condition: Condition): Removed | null {
  for (const term of termsOf(condition.tokens)) {
    const value = absenceAskedFor(textOf(term));
    if (value === null || !isUsed(headText, value) || isSetAnew(addedText, value)) continue;
    const values = { condition: shown(textOf(condition.tokens)), value: shown(value) };
    return { rule: nullGuardRemoved, oldLine: condition.line, values, movedWith: term };
  }
  return null;
}

/** The value itself, not a longer name that starts like it. */
function isUsed(headText: string, value: string): boolean {
  return headText.includes(` ${value} `);
}

/** It comes from elsewhere now. */
function isSetAnew(addedText: string, value: string): boolean {
  return [" =", " :=", " :"].some((sign) => addedText.includes(` ${value}${sign} `));
}

function lostOtherGuard({ headText }: Removal, condition: Condition): Removed | null {
  const { line, tokens } = condition;
  if (!leavesEarly(condition.body)) return null;
  if (!variablesOf(tokens).some((name) => isUsed(headText, name))) return null;
  return {
    rule: guardRemoved,
    oldLine: line,
    values: { condition: shown(textOf(tokens)) },
    movedWith: tokens,
  };
}
