/** Checks that the code makes of input: `if (!allowed.contains(id)) return;` leaves `id` harmless below. */
import { only } from "./collections.ts";
import type { Environment } from "./environment.ts";
import type { Interpreter } from "./interpreter.ts";
import type { Constant, Expression } from "./syntax.ts";
import { allTaints, type Value } from "./value.ts";

/** A variable may stand for what it was computed by, and that for another. */
const depthMax = 4;

/** The environment, changed by what is known where `test` came out as `outcome`. */
export function refined(
  test: Expression,
  outcome: boolean,
  environment: Environment,
  run: Interpreter,
  depth = 0,
): Environment {
  if (test.kind === "operation") refineOperation(test, outcome, environment, run, depth);
  else if (test.kind === "call") refineCall(test, outcome, environment, run);
  else if (test.kind === "assign") refined(test.value, outcome, environment, run, depth);
  else if (test.kind === "index" && outcome)
    refineMembership(test.index, test.object, true, environment, run);
  else if (test.kind === "name" && depth < depthMax) {
    const asked = environment.get(test.name)?.test ?? null;
    if (asked !== null) refined(asked, outcome, environment, run, depth + 1);
  }
  if (!outcome) refineAbsent(test, environment, run);
  return environment;
}

const demands = /^_?(assert|ensure|require|check|verify|validate|guard)(?!sum)/i;

/** A call that stands alone and by its name throws unless its arguments are right: `checkArgument(NAMES.contains(x))`. */
export function demanded(expression: Expression, environment: Environment, run: Interpreter): void {
  if (expression.kind !== "call") return;
  const { callee, args } = expression;
  const name = callee.kind === "member" || callee.kind === "name" ? callee.name : "";
  if (
    !demands.test(name) &&
    !(callee.kind === "member" && /^(assert|preconditions|validate)$/i.test(textOf(callee.object)))
  )
    return;
  for (const { value } of args) {
    if (value.kind === "name" || value.kind === "member") {
      environment.check(allTaints(run.evaluate(value, environment)), ["*"]);
    } else refined(value, true, environment, run);
  }
}

function textOf(expression: Expression): string {
  return expression.kind === "name" ? expression.name : "";
}

function refineOperation(
  test: Expression & { kind: "operation" },
  outcome: boolean,
  environment: Environment,
  run: Interpreter,
  depth: number,
): void {
  const [left, right] = test.operands;
  if (left === undefined) return;
  if (test.operator === "not") refined(left, !outcome, environment, run, depth);
  else if (test.operator === "and" || test.operator === "or") {
    if (outcome === (test.operator === "and")) {
      for (const operand of test.operands) refined(operand, outcome, environment, run, depth);
    } else refineAny(test.operands, outcome, environment, run, depth);
  } else if (right === undefined) return;
  else if (test.operator === "==" || test.operator === "!=") {
    const equal = outcome === (test.operator === "==");
    if (equal) refineEqual(left, right, environment, run);
    refineCompared(left, right, equal, environment, run);
  } else if (/^[<>]/.test(test.operator)) {
    refineSigned(left, test.operator, right, outcome, environment, run);
  } else if (test.operator === "in") refineMembership(left, right, outcome, environment, run);
}

/** One of them came out so, which one is not known: what all of them would tell. */
function refineAny(
  operands: readonly Expression[],
  outcome: boolean,
  environment: Environment,
  run: Interpreter,
  depth: number,
): void {
  const [first, ...others] = operands.map((one) => refined(one, outcome, environment.clone(), run, depth));
  if (first === undefined) return;
  for (const other of others) first.joinChecks(other);
  environment.adoptChecks(first);
}

/** Equal to a constant: then it is that constant. Equal to what holds no input: then it holds none either. */
function refineEqual(left: Expression, right: Expression, environment: Environment, run: Interpreter): void {
  const [a, b] = [run.evaluate(left, environment), run.evaluate(right, environment)];
  if (isFixed(b)) environment.check(subject(left, a, environment, run), ["*"]);
  if (isFixed(a)) environment.check(subject(right, b, environment, run), ["*"]);
}

/** `path.indexOf("..") == -1`, `re.match(x) is None`, `err == nil` and the like, by what was asked. */
function refineCompared(
  left: Expression,
  right: Expression,
  equal: boolean,
  environment: Environment,
  run: Interpreter,
): void {
  const answer = only(run.evaluate(right, environment));
  const asked = left.kind === "name" ? (environment.get(left.name)?.test ?? null) : left;
  if (asked === null || answer === undefined) return;
  if (asked.kind === "call" && asksPosition.test(nameOf(asked))) {
    refinePosition(asked, answer, equal, environment, run);
    return;
  }
  const isNothing = answer === -1 || answer === null || answer === false || answer === 0 || answer === "";
  const isError = left.kind === "name" && /^err/i.test(left.name);
  const means = isNothing !== isError ? !equal : equal;
  if (asked.kind === "call" || asked.kind === "index") refined(asked, means, environment, run, depthMax);
  if (isNothing && equal) refineAbsent(left, environment, run);
}

/** `path.indexOf("..") !== -1`, `strpos($path, "..") === false`, `path.indexOf(root) === 0` */
function refinePosition(
  asked: Expression & { kind: "call" },
  answer: Constant,
  equal: boolean,
  environment: Environment,
  run: Interpreter,
): void {
  const receiver = asked.callee.kind === "member" ? asked.callee.object : null;
  const [first, second] = asked.args.map((arg) => arg.value);
  const [hay, needle] = receiver === null ? [first, second] : [receiver, first];
  if (hay === undefined || needle === undefined) return;
  if (answer === -1 || answer === false) refineMembership(needle, hay, !equal, environment, run);
  else if (answer === 0 && equal)
    environment.check(subject(hay, run.evaluate(hay, environment), environment, run), startsSafely);
}

/** `allowed.indexOf(x) >= 0`, `> -1`, `< 0` */
function refineSigned(
  left: Expression,
  operator: string,
  right: Expression,
  outcome: boolean,
  environment: Environment,
  run: Interpreter,
): void {
  if (left.kind !== "call" || !asksPosition.test(nameOf(left))) return;
  const found = `${operator} ${only(run.evaluate(right, environment))}`;
  if (found === ">= 0" || found === "> -1") refinePosition(left, -1, !outcome, environment, run);
  else if (found === "< 0") refinePosition(left, -1, outcome, environment, run);
}

/** `if (!url.host)`: it leads nowhere but here. */
function refineAbsent(test: Expression, environment: Environment, run: Interpreter): void {
  const part = test.kind === "call" ? test.callee : test;
  if (
    part.kind !== "member" ||
    !(addressParts.test(part.name) || /^(IsAbs|isAbsolute|is_absolute)$/.test(part.name))
  )
    return;
  environment.check(allTaints(run.evaluate(part.object, environment)), ["open-redirect", "ssrf"]);
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

function nameOf({ callee }: Expression & { kind: "call" }): string {
  return callee.kind === "member" || callee.kind === "name" ? callee.name : "";
}

const asksPosition = /^(indexOf|lastIndexOf|search|strpos|stripos|mb_strpos)$/;
const asksMembership =
  /^(contains|includes|has|containsKey|in_array|inArray|isMember|Contains|__contains__)$/;
/** `isset($allowed[$name])`, `!empty($allowed[$name])` */
const asksEntry = /^(isset|empty|is_array|is_object|is_callable)$/;
const asksStart =
  /^(startsWith|startswith|starts_with|str_starts_with|HasPrefix|is_relative_to|isRelativeTo)$/;
const asksEqual = /^(equals|equalsIgnoreCase|contentEquals|EqualFold|localeCompare|compare_digest)$/;
const asksShape =
  /^(matches|fullmatch|match|test|exec|preg_match|MatchString|isdigit|isDigit|isnumeric|isNumeric|is_numeric|ctype_\w+|isalnum|isalpha|isidentifier|isinstance|is_int|isInteger|isUUID|filter_var|isNaN)$/;
const asksValid =
  /valid|allow|permit|whitelist|safe|authori[sz]ed|trusted|sanit|check|verify|legal|inside|within/i;

/** `isModule(name)`: one of the program's own; what is a text, a list or a file may still be any. */
const asksKind =
  /^is_?(?!(set|empty|null|nil|blank|string|text|str|array|list|object|scalar|callable|iterable|undefined|defined|present|file|dir|directory|readable|writable|writeable|executable|link|absolute|ajax|post|get)$)[a-z]\w*$/i;

function refineCall(
  test: Expression & { kind: "call" },
  outcome: boolean,
  environment: Environment,
  run: Interpreter,
): void {
  const { callee } = test;
  const name = nameOf(test);
  const receiver = callee.kind === "member" ? callee.object : null;
  const args = test.args.map((arg) => arg.value);
  const value = (one: Expression) => run.evaluate(one, environment);
  const check = (one: Expression, kinds: readonly string[]) =>
    environment.check(subject(one, value(one), environment, run), kinds);
  const answer = run.answers.get(test);
  const known = outcome ? answer?.yes : answer?.no;
  if (known !== undefined && known !== null) environment.adoptChecks(known);
  if (asksEntry.test(name) && outcome === (name !== "empty")) {
    for (const one of args) {
      if (one.kind === "index") refineMembership(one.index, one.object, true, environment, run);
    }
  }
  if (asksMembership.test(name)) refineContains(receiver, args, outcome, environment, run);
  if (!outcome || asksMembership.test(name)) return;
  // What a file is called is no markup.
  if (/^(is_file|is_dir|file_exists|is_readable)$/.test(name)) {
    for (const one of args) check(one, ["xss"]);
  } else if (asksEqual.test(name)) {
    const [a, b] = receiver === null ? args : [receiver, args[0]];
    if (a !== undefined && b !== undefined) refineEqual(a, b, environment, run);
  } else if (asksStart.test(name)) {
    const subjectOf = receiver !== null && allTaints(value(receiver)).length > 0 ? receiver : args[0];
    if (subjectOf !== undefined) check(subjectOf, startsSafely);
  } else if (asksShape.test(name)) {
    for (const one of [...args, ...(receiver === null ? [] : [receiver])]) check(one, ["*"]);
  } else if (asksValid.test(name) || asksKind.test(name)) {
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
  return value.constants.length > 0 || (allTaints(value).length === 0 && value.names.length > 0);
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
