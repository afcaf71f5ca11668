/** Taint analysis as a detector: one per model and the adapters of its languages. */
import type { Detector } from "../detector.ts";
import type { Language } from "../languages.ts";
import { type Finding, findingAt } from "../rule.ts";
import type { SourceFile } from "../source-file.ts";
import { type Flow, Interpreter } from "./interpreter.ts";
import { type Model, readModel } from "./model.ts";
import { type PlainNode, plainTree } from "./plain-tree.ts";
import type { Statement } from "./syntax.ts";

/** Larger files are generated, or too much for what a review waits. */
const charactersMax = 400_000;
const stepsShown = 3;

/** `translate` makes of a language's tree what the interpreter runs. */
export function taintDetector(
  modelName: string,
  translate: (root: PlainNode) => readonly Statement[],
): Detector {
  const model = readModel(modelName);
  const spoken: ReadonlySet<Language | null> = new Set(model.languages);
  return {
    rules: model.rules,
    appliesTo: (file) =>
      spoken.has(file.language) &&
      !file.isTest &&
      file.text.length <= charactersMax &&
      model.words.test(file.text),
    find: (file) => findFlows(file, model, translate),
  };
}

function* findFlows(
  file: SourceFile,
  model: Model,
  translate: (root: PlainNode) => readonly Statement[],
): Generator<Finding> {
  if (file.tree === null) return;
  const program = translate(plainTree(file.tree, file.text));
  for (const flow of new Interpreter(model).run(program)) {
    const line = addedLineOf(flow, file);
    if (line !== null) yield findingAt(flow.sink.rule, line, words(flow, line));
  }
}

/** The sink's line where it was added, else the last one on the way there that was. */
function addedLineOf({ taint, line }: Flow, file: SourceFile): number | null {
  const path = [taint.line, ...taint.steps.map((step) => step.line), line];
  return path.findLast((one) => file.added.has(one)) ?? null;
}

function words({ sink, taint, line }: Flow, at: number): Record<string, string> {
  const what = `${taint.what.charAt(0).toUpperCase()}${taint.what.slice(1)}`;
  const which = taint.key === null ? what : `${what} \`${shown(taint.key)}\``;
  const lines = new Set([taint.line, line]);
  const between = taint.steps.filter((step) => !lines.has(step.line)).slice(-stepsShown);
  const steps = between.map((step) => `\`${shown(step.name)}\` (line ${step.line})`);
  return {
    SOURCE: `${which} (line ${taint.line})`,
    SINK: at === line ? sink.noun : `${sink.noun.replace(/^this /, "the ")} on line ${line}`,
    STEPS: steps.length === 0 ? "" : ` through ${enumerated(steps)}`,
  };
}

function enumerated(parts: readonly string[]): string {
  return parts.length === 1 ? (parts[0] ?? "") : `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}`;
}

function shown(name: string): string {
  const line = name.replace(/\s+/g, " ").replaceAll("`", "'");
  return line.length <= 40 ? line : `${line.slice(0, 39)}…`;
}
