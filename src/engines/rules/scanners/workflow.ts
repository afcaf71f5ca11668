/** A GitHub Actions workflow, or the steps of a composite action, as its checks look at it. */
import type { SourceFile } from "../source-file.ts";
import {
  at,
  entriesOf,
  itemsOf,
  scalarsIn,
  textOf,
  textsOf,
  type YamlScalar,
  type YamlValue,
  yamlDocuments,
} from "./yaml-values.ts";

export interface Step {
  value: YamlValue;
  id: string;
  /** `actions/checkout@v4`; empty for a step with `run`. */
  uses: string;
  /** What it runs: the `run` script, or the one given to actions/github-script. */
  script: YamlScalar | null;
}

export interface Job {
  /** Empty for a composite action. */
  name: string;
  line: number;
  value: YamlValue;
  steps: readonly Step[];
}

export interface Workflow {
  root: YamlValue;
  /** The events under `on`; empty for a composite action. */
  triggers: ReadonlySet<string>;
  jobs: readonly Job[];
}

export function isWorkflowPath(path: string): boolean {
  return /^\.(?:github|gitea|forgejo)\/workflows\/[^/]+\.ya?ml$/.test(path);
}

export function isActionPath(path: string): boolean {
  return /(^|\/)action\.ya?ml$/.test(path);
}

/** Null for what is neither a workflow nor an action, or does not parse. */
export function workflowOf(file: SourceFile): Workflow | null {
  return file.tree === null ? null : toWorkflow(yamlDocuments(file.tree)[0]);
}

/** The workflow that stood there before the change. */
export function workflowBefore(file: SourceFile): Workflow | null {
  return file.baseTree === null ? null : toWorkflow(yamlDocuments(file.baseTree)[0]);
}

function toWorkflow(root: YamlValue | undefined): Workflow | null {
  if (root === undefined) return null;
  const jobs = entriesOf(at(root, "jobs")).map(({ key, line, value }) => jobOf(key, line, value));
  const action =
    at(root, "runs", "steps") === undefined ? [] : [jobOf("", root.line, at(root, "runs") ?? root)];
  if (jobs.length + action.length === 0) return null;
  return { root, triggers: triggersOf(at(root, "on")), jobs: [...jobs, ...action] };
}

function triggersOf(on: YamlValue | undefined): ReadonlySet<string> {
  return new Set(on?.kind === "mapping" ? on.entries.map(({ key }) => key) : textsOf(on));
}

function jobOf(name: string, line: number, value: YamlValue): Job {
  return { name, line, value, steps: itemsOf(at(value, "steps")).flatMap(stepsOf) };
}

/** A step, or those that a `parallel` step starts at once. */
function stepsOf(value: YamlValue): Step[] {
  const parallel = at(value, "parallel");
  return parallel === undefined ? [stepOf(value)] : itemsOf(parallel).map(stepOf);
}

function stepOf(value: YamlValue): Step {
  const uses = textOf(at(value, "uses"));
  const script =
    at(value, "run") ?? (uses.startsWith("actions/github-script@") ? at(value, "with", "script") : undefined);
  return { value, id: textOf(at(value, "id")), uses, script: script?.kind === "scalar" ? script : null };
}

export interface Expression {
  /** Between `${{` and `}}`. */
  text: string;
  line: number;
}

/** Every `${{ … }}` in the value, and every `if`, which needs no braces. */
export function* expressionsIn(value: YamlValue | undefined): Generator<Expression> {
  if (value === undefined) return;
  for (const scalar of scalarsIn(value)) yield* expressionsOf(scalar);
}

export function* expressionsOf(scalar: YamlScalar): Generator<Expression> {
  for (const { line, text } of scalar.lines) {
    for (const match of text.matchAll(/\$\{\{([^}]{1,500})\}\}/g)) yield { text: match[1] ?? "", line };
  }
}
