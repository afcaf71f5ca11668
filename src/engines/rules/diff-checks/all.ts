/** Checks that only a reader of both sides can make; a new one is added here. */
import type { Detector } from "../detector.ts";
import { copiedBlocks } from "./copied-block.ts";
import { copySlips } from "./copy-slip.ts";
import { copyleftDependencies } from "./copyleft-dependency.ts";
import { droppedInUses } from "./dropped-in-use.ts";
import { leftOverNames } from "./left-over-name.ts";
import { licenceHeaders } from "./licence-header.ts";
import { loosenedDependencies } from "./loosened-dependency.ts";
import { migrationPairs } from "./migration-pair.ts";
import { outgrownFunctions } from "./outgrown-function.ts";
import type { PullRequestCheck } from "./pull-request-check.ts";
import { reformattedFiles } from "./reformatted-file.ts";
import { skippedTests } from "./removed-assertion.ts";
import { removedCode } from "./removed-code.ts";
import { removedNames } from "./removed-name.ts";
import { removedRoutes } from "./removed-route.ts";
import { staleCallers } from "./stale-caller.ts";
import { staleLockFiles } from "./stale-lock-file.ts";
import { untestedChanges } from "./untested-change.ts";
import { weakenedWorkflows } from "./weakened-workflow.ts";

/** Of one file, both of its sides at hand. */
export const diffChecks: readonly Detector[] = [
  copySlips,
  loosenedDependencies,
  skippedTests,
  licenceHeaders,
  outgrownFunctions,
  reformattedFiles,
];

/** Of all changed files together. */
export const pullRequestChecks: readonly PullRequestCheck[] = [
  copiedBlocks,
  migrationPairs,
  staleCallers,
  removedNames,
  droppedInUses,
  leftOverNames,
  removedRoutes,
  removedCode,
  staleLockFiles,
  copyleftDependencies,
  untestedChanges,
  weakenedWorkflows,
];
