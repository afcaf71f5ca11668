/** Taint analysis as a detector: one per model and the adapters of its languages. */
import type { Detector, Judged } from "../detector.ts";
import type { Language } from "../languages.ts";
import type { PlainNode } from "../parser/plain-tree.ts";
import { type Finding, findingAt } from "../rule.ts";
import type { SourceFile } from "../source-file.ts";
import { type Flow, Interpreter } from "./interpreter.ts";
import { type Model, readModel } from "./model.ts";
import type { Statement } from "./syntax.ts";
import { identity } from "./value.ts";
import { words } from "./words.ts";

type Translate = (root: PlainNode) => readonly Statement[];

/** `translate` makes of a language's tree what the interpreter runs. */
export function taintDetector(modelName: string, translate: Translate): Detector {
  const model = readModel(modelName);
  const spoken: ReadonlySet<Language | null> = new Set(model.languages);
  const results = new WeakMap<SourceFile, Interpreter>();
  const resultOf = (file: SourceFile) => {
    const known = results.get(file) ?? interpret(file, model, translate);
    results.set(file, known);
    return known;
  };
  return {
    rules: model.rules,
    appliesTo: (file) => spoken.has(file.language) && !file.isTest && model.words.test(file.text),
    find: (file) => findings(resultOf(file), file),
    judged: (file) => judged(resultOf(file), model),
  };
}

function interpret(file: SourceFile, model: Model, translate: Translate): Interpreter {
  const interpreter = new Interpreter(model);
  if (file.code !== null) interpreter.run(translate(file.code));
  return interpreter;
}

function* findings(interpreter: Interpreter, file: SourceFile): Generator<Finding> {
  const flows = [...interpreter.flows.values()];
  const worse = new Set(flows.filter(({ sink }) => sink.kind !== "xss").map(({ taint }) => identity(taint)));
  // The comment about what else the input does asks for its check; another one about its echo would be noise.
  const told = flows.filter(({ sink, taint }) => sink.kind !== "xss" || !worse.has(identity(taint)));
  const together = Map.groupBy(told, ({ sink, taint }) => `${sink.rule.id} ${identity(taint)}`);
  for (const same of together.values()) {
    const flow =
      same.find(({ line }) => file.added.has(line)) ?? same.find((one) => addedLineOf(one, file) !== null);
    const line = flow === undefined ? null : addedLineOf(flow, file);
    if (flow === undefined || line === null) continue;
    const others = same.filter((one) => one !== flow).map((one) => one.line);
    yield findingAt(flow.sink.rule, line, words(flow, line, others));
  }
}

/** Sinks that were understood: what gets there is reported, or is known to be harmless, or nothing gets there. */
function judged(interpreter: Interpreter, model: Model): Judged[] {
  const harmless = [...interpreter.harmless.values()].filter((one) => one !== null);
  const seen = [...interpreter.flows.values(), ...harmless];
  const dead = [...interpreter.reach.deadLines()].flatMap((line) =>
    model.rules.map((rule) => ({ cwe: rule.cwe ?? 0, line })),
  );
  return [...seen.map(({ sink, line }) => ({ cwe: sink.rule.cwe ?? 0, line })), ...dead];
}

/** The sink's line where it was added, else the last one on the way there that was. */
function addedLineOf({ taint, line }: Flow, file: SourceFile): number | null {
  const path = [taint.line, ...taint.steps.map((step) => step.line), line];
  return path.findLast((one) => file.added.has(one)) ?? null;
}
