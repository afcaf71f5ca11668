/** Workflows that do not run, or run when they should not. */
import { type Finding, findingAt } from "../rule.ts";
import type { SourceFile } from "../source-file.ts";
import { expressionsIn, type Job, type Workflow } from "./workflow.ts";
import * as rules from "./workflow-bug-rules.ts";
import { at, entryAt, scalarsIn, textOf, textsOf, type YamlValue } from "./yaml-values.ts";

export function* findWorkflowBugs(file: SourceFile, workflow: Workflow): Generator<Finding> {
  const names = new Set(workflow.jobs.map((job) => job.name));
  for (const job of workflow.jobs) {
    yield* findConditions(job.value);
    for (const step of job.steps) yield* findConditions(step.value);
    yield* findNeeds(job, names);
    yield* findReferences(job, workflow);
  }
  yield* onceEach(
    file,
    workflow.jobs.flatMap((job) => [...findRetired(job)]),
  );
}

/** The same action or image is named once, however many jobs use it: it is replaced everywhere at a time. */
function* onceEach({ added }: SourceFile, findings: readonly Finding[]): Generator<Finding> {
  const said = new Set<string>();
  for (const finding of findings) {
    const what = `${finding.rule.id} ${Object.values(finding.values).join(" ")}`;
    if (!added.has(finding.line) || said.has(what)) continue;
    said.add(what);
    yield finding;
  }
}

function* findConditions(holder: YamlValue): Generator<Finding> {
  const entry = entryAt(holder, "if");
  const condition = entry?.value;
  if (entry === undefined || condition?.kind !== "scalar" || !condition.text.includes("${{")) return;
  const outside = condition.text.replace(/\$\{\{[^}]{0,2000}\}\}/g, "");
  if (outside.trim() !== "" || condition.endsInNewline)
    yield findingAt(rules.alwaysTrue, condition.lines[0]?.line ?? entry.line);
}

function* findNeeds(job: Job, names: ReadonlySet<string>): Generator<Finding> {
  const needs = at(job.value, "needs");
  if (needs === undefined) return;
  for (const need of scalarsIn(needs)) {
    if (need.type === "string" && need.text !== "" && !names.has(need.text))
      yield findingAt(rules.unknownNeed, need.line, { name: need.text });
  }
}

/** `steps.x` and `needs.x` in expressions; ids do not tell capitals from small letters. */
function* findReferences(job: Job, { jobs }: Workflow): Generator<Finding> {
  const ids = new Set(job.steps.map((step) => step.id.toLowerCase()));
  const needed = new Set(textsOf(at(job.value, "needs")).map((name) => name.toLowerCase()));
  const known = new Set(jobs.map(({ name }) => name.toLowerCase()));
  for (const { text, line } of [...expressionsIn(job.value), ...conditions(job)]) {
    for (const [, kind, name = ""] of text.matchAll(
      /(?<![\w.'])(steps|needs)\.([\w-]+)\.(?:outputs|outcome|conclusion|result)\b/g,
    )) {
      const id = name.toLowerCase();
      if (kind === "steps" && !ids.has(id)) yield findingAt(rules.unknownStep, line, { name });
      if (kind === "needs" && known.has(id) && !needed.has(id))
        yield findingAt(rules.unneededJob, line, { name });
    }
  }
}

function* conditions(job: Job): Generator<{ text: string; line: number }> {
  for (const holder of [job.value, ...job.steps.map((step) => step.value)]) {
    const condition = at(holder, "if");
    if (condition?.kind === "scalar" && !condition.text.includes("${{")) yield* condition.lines;
  }
}

const retiredActions =
  /^(actions\/(?:upload-artifact|download-artifact|cache(?:\/(?:save|restore))?))@v([123])(?:\.[\d.]+)?$/;
const retiredImages = /^(?:ubuntu-(?:16|18|20)\.04|macos-(?:10\.15|11|12|13)|windows-(?:2016|2019))$/;
const disabledCommands: Readonly<Record<string, string>> = {
  "set-env": "$GITHUB_ENV",
  "add-path": "$GITHUB_PATH",
};

function* findRetired(job: Job): Generator<Finding> {
  const runsOn = at(job.value, "runs-on");
  const image = textOf(runsOn);
  if (runsOn !== undefined && retiredImages.test(image))
    yield findingAt(rules.retiredRunner, runsOn.line, { image });
  for (const { uses, value, script } of job.steps) {
    const [action, name, version] = retiredActions.exec(uses) ?? [];
    const line = at(value, "uses")?.line ?? value.line;
    // actions/cache@v3 was given a working successor under the same tag.
    if (action !== undefined && !(name?.includes("cache") && version === "3"))
      yield findingAt(rules.retiredAction, line, { action, name: name ?? "" });
    for (const part of script?.lines ?? []) {
      const command = /["'\s]::(set-env|add-path)\b/.exec(part.text)?.[1];
      if (command !== undefined)
        yield findingAt(rules.disabledCommand, part.line, { command, file: disabledCommands[command] ?? "" });
    }
  }
}
