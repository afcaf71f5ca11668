/** What is known of a function's parameters before anyone calls it: frameworks fill some of them from the request. */
import type { Interpreter } from "./interpreter.ts";
import type { FunctionCode, Parameter } from "./syntax.ts";
import { typed } from "./typed.ts";
import { named, type Value } from "./value.ts";

export function parameterValues(code: FunctionCode, run: Interpreter): [string, Value][] {
  return code.parameters.map((parameter) => [parameter.name, valueOfParameter(parameter, code, run)]);
}

function valueOfParameter(parameter: Parameter, code: FunctionCode, run: Interpreter): Value {
  const names = [...conventional(parameter, code, run), `?${parameter.name}`];
  const source = run.model.parameters.find(
    ({ marks, of, named: name, typed: type, declared }) =>
      (declared !== true || run.fields.has(parameter.type ?? "")) &&
      matches(marks, parameter.marks.map((mark) => mark.text).join(" ")) &&
      matches(of, code.marks.map((mark) => mark.text).join(" ")) &&
      matches(name, parameter.name) &&
      matches(type, parameter.type ?? ""),
  );
  const value = named(...names);
  if (source === undefined) return typed(value, parameter.type);
  const taint = run.taint(
    { ...source, reaches: run.model.input.difference(new Set(source.without)), isNumber: false },
    parameter,
    parameter.name,
  );
  return typed({ ...value, taints: [taint] }, parameter.type);
}

function matches(pattern: string | undefined, text: string): boolean {
  return pattern === undefined || new RegExp(pattern).test(text);
}

/** What parameters of such a name are by habit: `(req, res)`. */
function conventional(parameter: Parameter, code: FunctionCode, run: Interpreter): string[] {
  if (parameter.type !== null) return [];
  return run.model.conventions
    .filter(
      ({ named: name, beside, of }) =>
        new RegExp(name).test(parameter.name) &&
        (of === undefined ||
          [code.name, ...code.marks.map((mark) => mark.name)].some((one) => matches(of, one))) &&
        (beside === undefined ||
          code.parameters.some((other) => other !== parameter && new RegExp(beside).test(other.name))),
    )
    .map(({ is }) => is);
}
