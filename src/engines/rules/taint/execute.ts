/** Statements: the environment flows through them, splits at branches and joins behind them. */
import { asked, sinkOfAssignment } from "./assign.ts";
import type { Environment } from "./environment.ts";
import { leave } from "./frames.ts";
import { demanded, refined } from "./guards.ts";
import type { Interpreter } from "./interpreter.ts";
import { aroundBody, joinWays, runEach, runLoop } from "./loops.ts";
import type { Expression, Statement, SwitchCase } from "./syntax.ts";
import { typed } from "./typed.ts";
import { allTaints, join, named, never, through, truth, unknown, type Value, withCleared } from "./value.ts";

/** Whether what follows can be reached. */
export function executeAll(
  statements: readonly Statement[],
  environment: Environment,
  run: Interpreter,
): boolean {
  for (const [at, statement] of statements.entries()) {
    if (execute(statement, environment, run)) continue;
    run.reach.skip(statements.slice(at + 1));
    return false;
  }
  return true;
}

function execute(statement: Statement, environment: Environment, run: Interpreter): boolean {
  run.step();
  switch (statement.kind) {
    case "run": {
      if (run.evaluate(statement.value, environment) === never) return false;
      demanded(statement.value, environment, run);
      return true;
    }
    case "declare":
      declare(statement, environment, run);
      return true;
    case "if":
      return branch(statement, environment, run);
    case "loop":
      return runLoop(statement, environment, run);
    case "each":
      return runEach(statement, environment, run);
    case "switch":
      return choose(statement, environment, run);
    case "try":
      return attempt(statement, environment, run);
    case "return":
      giveBack(statement, environment, run);
      return false;
    case "throw":
      if (statement.value !== null) run.evaluate(statement.value, environment);
      return false;
    case "break":
      run.frame.loops.at(-1)?.breaks.push(environment.clone());
      return false;
    case "continue":
      run.frame.loops.at(-1)?.continues.push(environment.clone());
      return false;
    case "block":
      return executeAll(statement.body, environment, run);
    case "import":
      environment.set(statement.name, named(statement.path));
      return true;
    case "function":
      define(statement, environment, run);
      return true;
    case "fields":
      run.fields.set(statement.name, statement.types);
      return true;
    case "class":
      defineClass(statement, environment, run);
      return true;
  }
}

function declare(
  statement: Statement & { kind: "declare" },
  environment: Environment,
  run: Interpreter,
): void {
  const { name, type, line } = statement;
  const value = typed(statement.value === null ? unknown : run.evaluate(statement.value, environment), type);
  sinkOfAssignment([`${name}=`], value, line, environment, run);
  environment.forgetParts(name);
  environment.set(name, asked(through(value, name, line), statement.value));
}

function define(
  statement: Statement & { kind: "function" },
  environment: Environment,
  run: Interpreter,
): void {
  const closure = { code: statement.code, environment };
  environment.set(statement.code.name, { ...unknown, closure });
  run.queue(closure);
}

/** The methods know each other and the fields; `Class.method` finds them from outside. */
function defineClass(
  statement: Statement & { kind: "class" },
  environment: Environment,
  run: Interpreter,
): void {
  const inside = environment.clone();
  const self = named(statement.name);
  for (const name of ["this", "self", "cls", "$this", "static"]) inside.set(name, self);
  environment.set(statement.name, self);
  for (const member of statement.body) {
    if (member.kind !== "function") execute(member, inside, run);
  }
  for (const member of statement.body) {
    if (member.kind !== "function") continue;
    const closure = { code: member.code, environment: inside };
    inside.set(member.code.name, { ...unknown, closure });
    const path = `${statement.name}.${member.code.name}`;
    run.methods.set(path, [...(run.methods.get(path) ?? []), closure]);
    run.queue(closure);
  }
}

function branch(statement: Statement & { kind: "if" }, environment: Environment, run: Interpreter): boolean {
  const decided = truth(run.evaluate(statement.test, environment));
  if (decided !== null) {
    refined(statement.test, decided, environment, run);
    run.reach.skip(decided ? statement.alternative : statement.consequence);
    return executeAll(decided ? statement.consequence : statement.alternative, environment, run);
  }
  const otherwise = environment.clone();
  refined(statement.test, true, environment, run);
  refined(statement.test, false, otherwise, run);
  const reached = executeAll(statement.consequence, environment, run);
  const reachedOtherwise = executeAll(statement.alternative, otherwise, run);
  return merge(environment, reached, otherwise, reachedOtherwise);
}

function merge(into: Environment, reached: boolean, other: Environment, reachedOther: boolean): boolean {
  if (reached && reachedOther) into.join(other);
  else if (reachedOther) into.become(other);
  return reached || reachedOther;
}

function choose(
  statement: Statement & { kind: "switch" },
  environment: Environment,
  run: Interpreter,
): boolean {
  const subject = run.evaluate(statement.subject, environment);
  const { cases } = statement;
  const starts = possibleCases(subject, cases, environment, run);
  const ways: Environment[] = [];
  for (const start of starts) {
    const inside = environment.clone();
    const isConstant = cases[start]?.tests?.every((test) => test.kind === "constant") === true;
    if (isConstant) inside.check(allTaints(subject), ["*"]);
    const around = aroundBody(run, () => executeFrom(cases, start, inside, run));
    ways.push(...around.breaks, ...(around.reached ? [inside] : []));
    for (const environment of around.continues) run.frame.loops.at(-1)?.continues.push(environment);
  }
  const mayMatchNone = subject.constants.length === 0 || starts.length === 0;
  if (mayMatchNone && cases.every((one) => one.tests !== null)) ways.push(environment.clone());
  return joinWays(ways, environment);
}

function possibleCases(
  subject: Value,
  cases: readonly SwitchCase[],
  environment: Environment,
  run: Interpreter,
): number[] {
  const all = cases.map((_, at) => at);
  if (subject.constants.length === 0) return all;
  const tests = cases.map((one) => one.tests?.map((test) => run.evaluate(test, environment)) ?? null);
  if (tests.some((values) => values?.some((value) => value.constants.length !== 1))) return all;
  const otherwise = cases.findIndex((one) => one.tests === null);
  const starts = subject.constants.map((wanted) => {
    const at = tests.findIndex((values) => values?.some((value) => value.constants[0] === wanted) === true);
    return at === -1 ? otherwise : at;
  });
  return [...new Set(starts.filter((at) => at !== -1))];
}

function executeFrom(
  cases: readonly SwitchCase[],
  start: number,
  inside: Environment,
  run: Interpreter,
): boolean {
  for (const one of cases.slice(start)) {
    if (!executeAll(one.body, inside, run)) return false;
    if (!one.fallsThrough) return true;
  }
  return true;
}

/** A handler may begin with anything that held in the body. */
function attempt(
  statement: Statement & { kind: "try" },
  environment: Environment,
  run: Interpreter,
): boolean {
  const before = environment.clone();
  let reached = executeAll(statement.body, environment, run);
  before.join(environment);
  const ways = statement.handlers.map((handler) => {
    const inside = before.clone();
    return { inside, reached: executeAll(handler, inside, run) };
  });
  for (const way of ways) reached = merge(environment, reached, way.inside, way.reached);
  if (!reached) {
    executeAll(statement.last, before, run);
    return false;
  }
  return executeAll(statement.last, environment, run);
}

function giveBack(
  statement: Statement & { kind: "return" },
  environment: Environment,
  run: Interpreter,
): void {
  const value = statement.value === null ? unknown : run.evaluate(statement.value, environment);
  const { frame } = run;
  const given = withCleared(value, (taint) => environment.checksOf(taint));
  frame.returns = frame.returns === null ? given : join(frame.returns, given);
  comeBack(statement.value, truth(value), environment, run);
  if (frame.pages.length === 0 || value.map !== null) return;
  const body = value.list === null ? value : (value.list[0] ?? unknown);
  const sure = { ...body, taints: body.taints.filter((taint) => taint.isSure) };
  for (const { is, sink } of frame.pages) {
    if (is === null || body.names.some((name) => is.test(name))) {
      run.report(sink, [sure], statement.line, environment);
    }
  }
}

/** The caller may ask what comes back: then it knows what made it so. */
function comeBack(
  value: Expression | null,
  answer: boolean | null,
  environment: Environment,
  run: Interpreter,
): void {
  const { left } = run.frame;
  if (value === null || answer !== null || run.frames.length === 1) leave(left, environment, answer);
  else {
    leave(left, refined(value, true, environment.clone(), run), true);
    leave(left, refined(value, false, environment.clone(), run), false);
  }
}
