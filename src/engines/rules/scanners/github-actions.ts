/** Faults in GitHub Actions workflows and composite actions. */
import type { Detector } from "../detector.ts";
import { type Finding, findingAt } from "../rule.ts";
import type { SourceFile } from "../source-file.ts";
import { isActionPath, isWorkflowPath, type Step, type Workflow, workflowOf } from "./workflow.ts";
import * as bugs from "./workflow-bug-rules.ts";
import { findWorkflowBugs } from "./workflow-bugs.ts";
import { findPermissions } from "./workflow-permissions.ts";
import * as security from "./workflow-security-rules.ts";
import { findUntrustedCheckouts, findUntrustedText } from "./workflow-strangers.ts";
import { at, entriesOf, textOf, textsOf } from "./yaml-values.ts";

export const githubActions: Detector = {
  rules: [...Object.values(security), ...Object.values(bugs)],
  appliesTo: (file) => isWorkflowPath(file.path) || isActionPath(file.path),
  find,
};

function* find(file: SourceFile): Generator<Finding> {
  const workflow = workflowOf(file);
  if (workflow === null) return;
  yield* findWorkflowBugs(file, workflow);
  yield* findPermissions(file, workflow);
  yield* findUntrustedCheckouts(workflow);
  yield* findActions(file, workflow);
  yield* findSelfHosted(workflow);
  for (const step of workflow.jobs.flatMap((job) => job.steps)) {
    yield* findUntrustedText(step);
    yield* findPrintedSecrets(step);
  }
  for (const holder of [
    workflow.root,
    ...workflow.jobs.flatMap((job) => [job.value, ...job.steps.map((s) => s.value)]),
  ])
    for (const { key, line, value } of entriesOf(at(holder, "env")))
      if (key === "ACTIONS_ALLOW_UNSECURE_COMMANDS" && textOf(value) === "true")
        yield findingAt(security.unsafeCommands, line);
}

/** GitHub's own organizations: who does not trust them does not use Actions. */
const ownActions = /^(?:actions|github)\//;
const commit = /@[0-9a-f]{40}(?:[0-9a-f]{24})?$/;

/** Refuses to be named by a commit, is published on its branch alone, or names a toolchain where others name a version. */
const namedByDesign =
  /^(?:slsa-framework\/slsa-github-generator\/|google\/oss-fuzz\/|dtolnay\/rust-toolchain@)/;

/** One comment an action and file, however often it is used. */
function* findActions(file: SourceFile, { jobs }: Workflow): Generator<Finding> {
  // Whole workflows are called from one's own organization, whose branches are its own to trust.
  const uses = jobs.flatMap((job) => job.steps.map((step) => at(step.value, "uses")));
  const foreign = uses.filter(
    (value) => /^[\w.-]+\/[^@]+@/.test(textOf(value)) && !ownActions.test(textOf(value)),
  );
  const pinning = foreign.some((value) => commit.test(textOf(value)));
  const seen = new Set<string>();
  for (const value of foreign) {
    const action = textOf(value);
    if (value === undefined || commit.test(action) || namedByDesign.test(action)) continue;
    if (seen.has(action) || !file.added.has(value.line)) continue;
    seen.add(action);
    if (/@(?:main|master|develop|trunk|dev|latest|HEAD)$/.test(action))
      yield findingAt(security.unpinnedAction, value.line, { action });
    else if (pinning) yield findingAt(security.actionByTag, value.line, { action });
  }
}

function* findSelfHosted({ triggers, jobs }: Workflow): Generator<Finding> {
  if (!triggers.has("pull_request") && !triggers.has("pull_request_target")) return;
  for (const { value } of jobs) {
    const runsOn = at(value, "runs-on");
    if (runsOn !== undefined && textsOf(runsOn).includes("self-hosted"))
      yield findingAt(security.selfHostedForStrangers, runsOn.line);
  }
}

/** What changes a secret so that the log no longer masks it, with nothing after it that keeps it from the log. */
const changedInLog =
  /\b(?:echo|printf)\b[^|]*?(secrets\.\w+|toJSON\(secrets\))[^|]*\|\s*(?:base64(?!\s+(?:-d|-D|--decode))|rev|xxd|od|hexdump|sed)\b[^|>)]*$/;

function* findPrintedSecrets({ script }: Step): Generator<Finding> {
  for (const { line, text } of script?.lines ?? []) {
    if (text.length > 1_000 || /=\s*["']?(?:\$\(|`)/.test(text)) continue;
    const secret = changedInLog.exec(text)?.[1];
    if (secret !== undefined) yield findingAt(security.printedSecret, line, { secret });
  }
}
