/** A workflow that checks less than before, or that hands secrets to what strangers start. */
import { type Hunk, nearestHeadLine } from "../../../domain/diff.ts";
import { type Finding, findingAt } from "../rule.ts";
import {
  isWorkflowPath,
  type Job,
  type Step,
  type Workflow,
  workflowBefore,
  workflowOf,
} from "../scanners/workflow.ts";
import { at, entryAt, textOf } from "../scanners/yaml-values.ts";
import type { SourceFile } from "../source-file.ts";
import type { PullRequestChange, PullRequestCheck } from "./pull-request-check.ts";
import { checkRemoved, failureIgnored, secretForStrangers } from "./weakened-workflow-rules.ts";

export const weakenedWorkflows: PullRequestCheck = {
  rules: [secretForStrangers, checkRemoved, failureIgnored],
  wants: () => [],
  *find({ files }: PullRequestChange) {
    const workflows = files.filter(({ path }) => isWorkflowPath(path));
    const added = workflows.flatMap((file) => [...file.addedLines()].map(({ text }) => text)).join("\n");
    for (const file of workflows) {
      const [now, before] = [workflowOf(file), workflowBefore(file)];
      if (now === null || before === null) continue;
      for (const finding of weakened(file, now, before, added)) yield { file, finding };
    }
  },
};

function* weakened(file: SourceFile, now: Workflow, before: Workflow, added: string): Generator<Finding> {
  yield* exposedSecrets(file, now, before);
  yield* ignoredFailures(now, before);
  yield* removedChecks(file, now, before, added);
}

/** Events that people without rights can cause, and that come with the repository's secrets. */
const strangersEvents = ["pull_request_target", "issue_comment", "workflow_run"] as const;

function* exposedSecrets(file: SourceFile, now: Workflow, before: Workflow): Generator<Finding> {
  const trigger = strangersEvents.find((event) => now.triggers.has(event));
  if (trigger === undefined) return;
  const wasOpen = before.triggers.has(trigger);
  const known = wasOpen ? secretsIn(file.baseText ?? "") : new Set<string>();
  for (const [index, text] of file.lines.entries()) {
    const secret = [...secretsIn(text)].find((name) => !known.has(name));
    if (secret === undefined || (wasOpen && !file.added.has(index + 1))) continue;
    const line = wasOpen ? index + 1 : (entryAt(at(now.root, "on"), trigger)?.line ?? index + 1);
    yield findingAt(secretForStrangers, line, { secret, trigger });
    return;
  }
}

/** Not the token of the run, which has rights of its own. */
function secretsIn(text: string): Set<string> {
  const names = [...text.matchAll(/\bsecrets\.(\w+)/g)].map(([, name = ""]) => name);
  return new Set(names.filter((name) => name !== "GITHUB_TOKEN"));
}

function* ignoredFailures(now: Workflow, before: Workflow): Generator<Finding> {
  const known = new Map(partsOf(before).map((part) => [part.name, part]));
  for (const { name, holder } of partsOf(now)) {
    const entry = entryAt(holder.value, "continue-on-error");
    const old = known.get(name);
    if (textOf(entry?.value) !== "true" || old === undefined) continue;
    if (entryAt(old.holder.value, "continue-on-error") === undefined)
      yield findingAt(failureIgnored, entry?.line ?? 0, { name });
  }
}

const checking =
  /\b(?:tests?|lint\w*|check\w*|audit|scan\w*|codeql|trivy|semgrep|typecheck|tsc|pytest|tox|jest|vitest|eslint|biome|ruff|mypy|clippy|golangci-lint|phpstan|psalm|rubocop|brakeman|shellcheck|hadolint|gitleaks|coverage|verify|vet)\b/i;

/** A job speaks for its steps; what another workflow does now has only moved. */
function* removedChecks(
  file: SourceFile,
  now: Workflow,
  before: Workflow,
  added: string,
): Generator<Finding> {
  const kept = new Set(partsOf(now).map(({ name }) => name));
  const keptDeeds = new Set(now.jobs.flatMap((job) => job.steps.map(deedOf)));
  for (const { name, line, deeds } of partsOf(before)) {
    const checks = deeds.filter((deed) => checking.test(deed));
    if (kept.has(name) || checks.length === 0) continue;
    if (checks.some((deed) => keptDeeds.has(deed) || added.includes(firstWords(deed)))) continue;
    const beside = besideRemoved(file.diff.hunks, line);
    if (beside === null) continue;
    yield { ...findingAt(checkRemoved, beside, { name }), about: "removed" };
    return;
  }
}

function besideRemoved(hunks: readonly Hunk[], oldLine: number): number | null {
  for (const hunk of hunks) {
    const line = nearestHeadLine(hunk, oldLine);
    if (line !== null) return line;
  }
  return null;
}

interface Part {
  /** How people call it: a job's key, a step's name or what it does. */
  name: string;
  line: number;
  holder: Job | Step;
  deeds: readonly string[];
}

function partsOf({ jobs }: Workflow): Part[] {
  return jobs.flatMap((job) => [
    { name: job.name, line: job.line, holder: job, deeds: job.steps.map(deedOf) },
    ...job.steps.map((step) => ({
      name: textOf(at(step.value, "name")) || firstWords(deedOf(step)),
      line: step.value.line,
      holder: step,
      deeds: [deedOf(step)],
    })),
  ]);
}

function deedOf({ uses, script }: Step): string {
  return uses === "" ? (script?.text.trim() ?? "") : uses.replace(/@.*$/, "");
}

/** Enough to know it by: the first line, without its arguments. */
function firstWords(deed: string): string {
  return (deed.split("\n")[0] ?? "").split(" ").slice(0, 3).join(" ");
}
