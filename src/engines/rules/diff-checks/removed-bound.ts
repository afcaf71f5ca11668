/** A timeout, limit or number of attempts that a call or a setting no longer has. */
import { changed, type Rule } from "../rule.ts";
import { type RemovalCheck, shown } from "./removal.ts";
import { type Token, textOf } from "./tokens.ts";

const boundRemoved: Rule = {
  id: "any/bound-removed",
  title: "timeout or limit removed",
  category: "error_handling",
  severity: "low",
  cwe: 770,
  message: "`{bound}` went: what bounds this now?",
  why: "Without a bound, a slow or greedy other side holds on to this one for as long as it likes.",
  advice: "Restore it, or say in the pull request where the bound is now.",
  placement: "summary",
  bad: [
    changed("shop/a.py", "get(url, timeout=5)\n", "get(url)\n"),
    changed("src/a.ts", "connect({\n  host,\n  maxRetries: 3,\n});\n", "connect({\n  host,\n});\n"),
  ],
  ok: [
    changed("shop/a.py", "get(url, timeout=5)\n", "get(url, timeout=config.timeout)\n"),
    changed("shop/a.py", "get(url, timeout=5)\nsave()\n", "save()\n"),
    changed("shop/a.py", "def get(url, timeout=5):\n    go(url)\n", "def get(url):\n    go(url)\n"),
  ],
};

const bound =
  /^(?:\w*timeout(?:_?(?:ms|millis|secs?|seconds))?|(?:max_?)?(?:retries|attempts)|max_?(?:size|length|bytes|connections|redirects|depth|concurrency))$/i;

export const removedBounds: RemovalCheck = {
  rules: [boundRemoved],
  find({ deleted, block, previous, insertedInHunk }) {
    const given = deleted.filter(({ text }) => text !== ",");
    const [name, sign, ...value] = given;
    if (name === undefined || insertedInHunk > 0 || !bound.test(name.text)) return null;
    if (!/^[=:]$/.test(sign?.text ?? "") || value.length === 0 || value.length > valueTokensMax) return null;
    const isOneOfSeveral = given.length < deleted.length || previous?.text === "(";
    if (!isOneOfSeveral || block.before.some((token) => token.line === name.line && defines(token)))
      return null;
    return {
      rule: boundRemoved,
      oldLine: name.line,
      values: { bound: shown(textOf(given)) },
      movedWith: [name],
    };
  },
};

/** More is no plain value. */
const valueTokensMax = 5;

/** A parameter that went is its callers' business. */
function defines({ text }: Token): boolean {
  return /^(?:def|func|function|fn|fun|class|interface|type)$/.test(text);
}
