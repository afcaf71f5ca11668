/** Loops: run until nothing new is learned; all ways out join behind them. */
import { assign } from "./assign.ts";
import type { Environment } from "./environment.ts";
import { refined } from "./guards.ts";
import type { Interpreter } from "./interpreter.ts";
import type { Statement } from "./syntax.ts";
import { derived, joinAll, truth, type Value } from "./value.ts";

/** A loop is run until it brings nothing new, at most so often. */
const roundsMax = 4;

export function runLoop(
  statement: Statement & { kind: "loop" },
  environment: Environment,
  run: Interpreter,
): boolean {
  const { test, body, update } = statement;
  return repeat(environment, (inside) => {
    const decided = test === null ? true : truth(run.evaluate(test, inside));
    const after = inside.clone();
    if (test !== null) {
      refined(test, true, inside, run);
      refined(test, false, after, run);
    }
    const around = aroundBody(run, () => decided !== false && run.execute(body, inside));
    joinReached(inside, around);
    if (around.reached) around.reached = run.execute(update, inside);
    return { ...around, after: decided === true ? null : after };
  });
}

export function runEach(
  statement: Statement & { kind: "each" },
  environment: Environment,
  run: Interpreter,
): boolean {
  const of = run.evaluate(statement.of, environment);
  const element = of.list !== null && of.list.length > 0 ? joinAll(of.list) : { ...derived(of), names: [] };
  const items: Value =
    element.names.length > 0 ? element : { ...element, names: of.names.map((name) => `${name}[]`) };
  return repeat(environment, (inside) => {
    const after = inside.clone();
    assign(statement.target, items, statement.line, inside, run);
    const around = aroundBody(run, () => run.execute(statement.body, inside));
    joinReached(inside, around);
    return { ...around, after };
  });
}

interface Round {
  /** Whether the end of the body can be reached. */
  reached: boolean;
  breaks: readonly Environment[];
  continues: readonly Environment[];
}

export function aroundBody(run: Interpreter, body: () => boolean): Round {
  const loops = { breaks: [] as Environment[], continues: [] as Environment[] };
  run.frame.loops.push(loops);
  const reached = body();
  run.frame.loops.pop();
  return { reached, ...loops };
}

function joinReached(inside: Environment, round: Round): void {
  for (const environment of round.continues) {
    if (round.reached) inside.join(environment);
    else inside.become(environment);
    round.reached = true;
  }
}

/** Runs rounds until one brings nothing new. The environment afterwards is that of all ways out. */
function repeat(
  environment: Environment,
  round: (inside: Environment) => Round & { after: Environment | null },
): boolean {
  const ways: Environment[] = [];
  const start = environment.clone();
  for (let count = 0; count < roundsMax; count += 1) {
    const inside = start.clone();
    const { reached, breaks, after } = round(inside);
    ways.push(...breaks, ...(after === null ? [] : [after]));
    if (!reached || !start.join(inside)) break;
  }
  return joinWays(ways, environment);
}

/** The environment becomes all of them; false when there is none. */
export function joinWays(ways: readonly Environment[], environment: Environment): boolean {
  const [first, ...others] = ways;
  if (first === undefined) return false;
  environment.become(first);
  for (const other of others) environment.join(other);
  return true;
}
