/** Functions that are being run, and what is known where they come back. */
import type { Environment } from "./environment.ts";
import type { Page } from "./model.ts";
import type { Expression, FunctionCode, Statement } from "./syntax.ts";
import type { Value } from "./value.ts";

export interface Frame {
  code: FunctionCode | null;
  returns: Value | null;
  /** What is known of the ways that come back from it. */
  left: Ways;
  /** Where `break` and `continue` of the loops around lead, innermost last. */
  loops: { breaks: Environment[]; continues: Environment[] }[];
  /** What it returns is sent in these ways. */
  pages: readonly Page[];
}

/** What was checked where a function comes back, and where its answer is yes or no; null = it never is. */
export interface Ways {
  all: Environment | null;
  yes: Environment | null;
  no: Environment | null;
}

export function newFrame(code: FunctionCode, pages: readonly Page[]): Frame {
  return { code, returns: null, left: { all: null, yes: null, no: null }, loops: [], pages };
}

/** One more way that comes back; `answer` null = it may be either. */
export function leave(left: Ways, environment: Environment, answer: boolean | null = null): void {
  left.all = together(left.all, environment);
  if (answer !== false) left.yes = together(left.yes, environment);
  if (answer !== true) left.no = together(left.no, environment);
}

function together(known: Environment | null, environment: Environment): Environment {
  if (known === null) return environment.clone();
  known.joinChecks(environment);
  return known;
}

/** A method that does nothing but throw is there to be overridden. */
export function isLeftOpen({ body }: FunctionCode, site: Expression): boolean {
  const isMethod = site.kind === "call" && site.callee.kind === "member";
  return isMethod && body.every((statement) => statement.kind === "throw" || isConstant(statement));
}

function isConstant(statement: Statement): boolean {
  return statement.kind === "run" && statement.value.kind === "constant";
}
