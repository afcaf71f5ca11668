/** Where a workflow takes text or code from people who are not trusted with the repository. */
import { type Finding, findingAt } from "../rule.ts";
import { type Expression, expressionsOf, type Job, type Step, type Workflow } from "./workflow.ts";
import { scriptInjection, untrustedCheckout } from "./workflow-security-rules.ts";
import { at, textOf, textsOf, type YamlValue } from "./yaml-values.ts";

/** Contexts whose text an outsider chooses freely. */
const outsidersText =
  /\bgithub\.(?:head_ref\b|event\.(?:(?:issue|pull_request|discussion)\.(?:title|body)\b|(?:comment|review|review_comment)\.body\b|pull_request\.head\.(?:ref|label|repo\.default_branch)\b|pages(?:\.\*|\[\d+\])\.page_name\b|(?:commits(?:\.\*|\[\d+\])|head_commit)\.(?:message|author\.(?:email|name))\b|workflow_run\.(?:head_branch|display_title|head_commit\.(?:message|author\.(?:email|name)))\b))/;
/** Parts of an expression that give true or false, whatever the text. */
const truths =
  /\b(?:contains|startsWith|endsWith|hashFiles)\([^()]{0,300}\)|[\w.[\]*']{1,100}\s{0,3}(?:==|!=)\s{0,3}[\w.[\]*']{1,100}|[\w.]{1,100}\s{0,3}&&/g;

export function* findUntrustedText({ script }: Step): Generator<Finding> {
  if (script === null) return;
  for (const { text, line } of expressionsOf(script)) {
    const expression = outsidersText.exec(text.replace(truths, ""))?.[0];
    if (expression !== undefined) yield findingAt(scriptInjection, line, { expression });
  }
}

const riskyTriggers = ["pull_request_target", "workflow_run", "issue_comment"] as const;
const strangersCode =
  /github\.(?:head_ref|event\.(?:pull_request\.(?:head\.(?:sha|ref)|merge_commit_sha)|workflow_run\.head_(?:sha|branch)))|refs\/pull\/\$\{\{/;
const fetchesStrangersCode =
  /\bgit\s+(?:fetch|pull)\b.{1,200}\bpull\/\$\{\{\s{0,3}github\.event\.(?:number|pull_request\.number|issue\.number)\s{0,3}\}\}\/(?:head|merge)|\bgh\s+pr\s+checkout\b/;
/** Conditions that let only people or code of the repository itself through. */
const gate =
  /head\.repo\.full_name\s*==|head_repository\.full_name\s*==|head\.repo\.fork\b|author_association|github\.actor\s*==|user\.login\s*==|label/;

export function* findUntrustedCheckouts({ triggers, jobs, root }: Workflow): Generator<Finding> {
  const trigger = riskyTriggers.find((name) => triggers.has(name));
  if (trigger === undefined || onlyWhenLabeled(root, trigger)) return;
  for (const job of jobs) {
    if (gate.test(textOf(at(job.value, "if"))) || at(job.value, "environment") !== undefined) continue;
    for (const [index, step] of job.steps.entries()) {
      const ref = checkedOut(step);
      if (ref === null || gate.test(textOf(at(step.value, "if"))) || !runsCode(job, index)) continue;
      yield findingAt(untrustedCheckout, ref.line, { trigger });
    }
  }
}

/** Labels are set by people of the repository, who look first. */
function onlyWhenLabeled(root: YamlValue, trigger: string): boolean {
  const types = textsOf(at(root, "on", trigger, "types"));
  return types.length > 0 && types.every((type) => type === "labeled");
}

function checkedOut(step: Step): Expression | null {
  const fetched = step.script?.lines.find(({ text }) => fetchesStrangersCode.test(text));
  if (fetched !== undefined) return fetched;
  const ref = at(step.value, "with", "ref");
  if (!step.uses.startsWith("actions/checkout@") || ref === undefined || !strangersCode.test(textOf(ref)))
    return null;
  return { text: textOf(ref), line: ref.line };
}

/** Whether this step or a later one builds, tests or runs what was checked out. */
function runsCode(job: Job, index: number): boolean {
  return job.steps
    .slice(index)
    .some(({ uses, script }) => uses.startsWith("./") || (script !== null && runsIt.test(script.text)));
}

const runsIt =
  /\b(?:npm|pnpm|yarn|bun|npx|make|cmake|gradlew?|mvnw?|pip|poetry|uv|tox|pytest|python3?|node|deno|cargo|go|bundle|rake|ruby|composer|php|dotnet|docker|bazel|sbt|nix|just|task)\b|(?:^|\s)\.\/\S/m;
