/** Checks that the code makes of input: `if (!allowed.contains(id)) return;` leaves `id` harmless below. */
import { only } from "./collections.ts";
import type { Environment } from "./environment.ts";
import type { Interpreter } from "./interpreter.ts";
import type { Expression } from "./syntax.ts";
import { allTaints, type Value } from "./value.ts";

/** The environment, changed by what is known where `test` came out as `outcome`. */
export function refined(
  test: Expression,
  outcome: boolean,
  environment: Environment,
  run: Interpreter,
): Environment {
  if (test.kind === "operation") refineOperation(test, outcome, environment, run);
  else if (test.kind === "call") refineCall(test, outcome, environment, run);
  else if (test.kind === "assign") refined(test.value, outcome, environment, run);
  return environment;
}

function refineOperation(
  test: Expression & { kind: "operation" },
  outcome: boolean,
  environment: Environment,
  run: Interpreter,
): void {
  const [left, right] = test.operands;
  if (left === undefined) return;
  if (test.operator === "not") refined(left, !outcome, environment, run);
  else if (test.operator === "and" || test.operator === "or") {
    if (outcome === (test.operator === "and")) {
      for (const operand of test.operands) refined(operand, outcome, environment, run);
    }
  } else if (right === undefined) return;
  else if (test.operator === "==" || test.operator === "!=") {
    if (outcome === (test.operator === "==")) refineEqual(left, right, environment, run);
    refineCompared(left, right, outcome === (test.operator === "=="), environment, run);
  } else if (test.operator === "in") refineMembership(left, right, outcome, environment, run);
}

/** Equal to a constant: then it is that constant. */
function refineEqual(left: Expression, right: Expression, environment: Environment, run: Interpreter): void {
  const [a, b] = [run.evaluate(left, environment), run.evaluate(right, environment)];
  if (isFixed(b)) environment.check(subject(left, a, environment, run), ["*"]);
  if (isFixed(a)) environment.check(subject(right, b, environment, run), ["*"]);
}

/** `path.indexOf("..") == -1`, `re.match(x) is None` and the like, by what was asked. */
function refineCompared(
  left: Expression,
  right: Expression,
  equal: boolean,
  environment: Environment,
  run: Interpreter,
): void {
  const answer = only(run.evaluate(right, environment));
  if (left.kind !== "call" || answer === undefined) return;
  const means = answer === -1 || answer === null || answer === false || answer === 0 ? !equal : equal;
  refineCall(left, means, environment, run);
}

/** `x in allowed`; `".." in x` */
function refineMembership(
  needle: Expression,
  hay: Expression,
  outcome: boolean,
  environment: Environment,
  run: Interpreter,
): void {
  const [searched, within] = [run.evaluate(needle, environment), run.evaluate(hay, environment)];
  if (outcome && allTaints(within).length === 0) {
    environment.check(subject(needle, searched, environment, run), ["*"]);
  }
  if (!outcome) environment.check(allTaints(within), withoutCharacters(only(searched)));
}

/** Kinds that need the characters which the text turned out not to have. */
export function withoutCharacters(searched: unknown): string[] {
  if (typeof searched !== "string") return [];
  if (/^(\.\.|\/|\\|\.\.\/|\.\.\\)$/.test(searched)) return ["path-traversal"];
  if (searched === "'" || searched === '"') {
    return ["sql-injection", "xpath-injection", "code-injection", "ldap-injection"];
  }
  if (searched === "<") return ["xss"];
  if (searched === "(" || searched === "*") return ["ldap-injection"];
  if (searched === ";") return ["command-injection"];
  return searched === "://" || searched === "//" ? ["open-redirect", "ssrf"] : [];
}

const asksMembership =
  /^(contains|includes|has|containsKey|in_array|inArray|isMember|Contains|__contains__)$/;
const asksStart =
  /^(startsWith|startswith|starts_with|str_starts_with|HasPrefix|is_relative_to|isRelativeTo)$/;
const asksEqual = /^(equals|equalsIgnoreCase|contentEquals|EqualFold|localeCompare|compare_digest)$/;
const asksShape =
  /^(matches|fullmatch|match|test|preg_match|MatchString|isdigit|isDigit|isnumeric|isNumeric|is_numeric|ctype_\w+|isalnum|isalpha|isidentifier|isinstance|is_int|isInteger|isUUID|filter_var|isNaN)$/;
const asksValid = /valid|allow|permit|whitelist|safe|authori[sz]ed|trusted|sanit|check|verify|legal/i;

function refineCall(
  test: Expression & { kind: "call" },
  outcome: boolean,
  environment: Environment,
  run: Interpreter,
): void {
  const { callee } = test;
  const name = callee.kind === "member" ? callee.name : callee.kind === "name" ? callee.name : "";
  const receiver = callee.kind === "member" ? callee.object : null;
  const args = test.args.map((arg) => arg.value);
  const value = (one: Expression) => run.evaluate(one, environment);
  const check = (one: Expression, kinds: readonly string[]) =>
    environment.check(subject(one, value(one), environment, run), kinds);
  if (asksMembership.test(name)) refineContains(receiver, args, outcome, environment, run);
  if (!outcome || asksMembership.test(name)) return;
  if (asksEqual.test(name)) {
    const [a, b] = receiver === null ? args : [receiver, args[0]];
    if (a !== undefined && b !== undefined) refineEqual(a, b, environment, run);
  } else if (asksStart.test(name)) {
    const subjectOf = receiver !== null && allTaints(value(receiver)).length > 0 ? receiver : args[0];
    if (subjectOf !== undefined) check(subjectOf, startsSafely);
  } else if (asksShape.test(name)) {
    for (const one of [...args, ...(receiver === null ? [] : [receiver])]) check(one, ["*"]);
  } else if (asksValid.test(name)) {
    for (const one of args) check(one, ["*"]);
  }
}

const startsSafely = ["path-traversal", "open-redirect", "ssrf", "command-injection"];

function refineContains(
  receiver: Expression | null,
  args: readonly Expression[],
  outcome: boolean,
  environment: Environment,
  run: Interpreter,
): void {
  const [first, second] = args;
  if (first === undefined) return;
  // `in_array(x, allowed)`, `strings.Contains(x, "..")` take both as arguments.
  const [a, b] = receiver === null || second !== undefined ? [first, second] : [receiver, first];
  if (b === undefined) return;
  refineMembership(b, a, outcome, environment, run);
  if (second !== undefined) refineMembership(a, b, outcome, environment, run);
}

function isFixed(value: Value): boolean {
  return (
    value.constants.length > 0 ||
    (value.taints.length === 0 && value.names.some((name) => /^[A-Z]/.test(name)))
  );
}

const addressParts = /^(netloc|hostname|host|Host|getHost|getAuthority|origin|domain)$/;

/** The input that a check of the expression speaks about: of an address's host, the whole address. */
function subject(expression: Expression, value: Value, environment: Environment, run: Interpreter) {
  const part = expression.kind === "call" ? expression.callee : expression;
  if (part.kind === "member" && addressParts.test(part.name)) {
    return allTaints(run.evaluate(part.object, environment));
  }
  return allTaints(value);
}
