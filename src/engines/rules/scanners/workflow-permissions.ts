/** What a workflow's token may do. */
import { type Finding, findingAt } from "../rule.ts";
import type { SourceFile } from "../source-file.ts";
import { type Workflow, workflowBefore } from "./workflow.ts";
import { widenedPermission, writeAll } from "./workflow-security-rules.ts";
import { at, entriesOf, textOf } from "./yaml-values.ts";

export function* findPermissions(file: SourceFile, workflow: Workflow): Generator<Finding> {
  for (const holder of [workflow.root, ...workflow.jobs.map((job) => job.value)]) {
    const permissions = at(holder, "permissions");
    if (permissions !== undefined && textOf(permissions) === "write-all")
      yield findingAt(writeAll, permissions.line);
  }
  yield* findWidened(file, workflow);
}

/** Only of a workflow that had a list of permissions before: a first list narrows what everything had. */
function* findWidened(file: SourceFile, workflow: Workflow): Generator<Finding> {
  const before = at(workflowBefore(file)?.root, "permissions");
  if (before?.kind !== "mapping" || workflow.jobs.length < 2) return;
  for (const { key, line, value } of entriesOf(at(workflow.root, "permissions"))) {
    if (textOf(value) === "write" && textOf(at(before, key)) !== "write")
      yield findingAt(widenedPermission, line, { scope: key });
  }
}
