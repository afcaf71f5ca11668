/** Checks that only a reader of both sides can make; a new one is added here. */
import type { Detector } from "../detector.ts";
import { copySlips } from "./copy-slip.ts";
import { droppedInUses } from "./dropped-in-use.ts";
import { leftOverNames } from "./left-over-name.ts";
import { loosenedDependencies } from "./loosened-dependency.ts";
import { migrationPairs } from "./migration-pair.ts";
import type { PullRequestCheck } from "./pull-request-check.ts";
import { skippedTests } from "./removed-assertion.ts";
import { removedCode } from "./removed-code.ts";
import { removedNames } from "./removed-name.ts";
import { removedRoutes } from "./removed-route.ts";
import { staleCallers } from "./stale-caller.ts";
import { staleLockFiles } from "./stale-lock-file.ts";

/** Of one file, both of its sides at hand. */
export const diffChecks: readonly Detector[] = [copySlips, loosenedDependencies, skippedTests];

/** Of all changed files together. */
export const pullRequestChecks: readonly PullRequestCheck[] = [
  migrationPairs,
  staleCallers,
  removedNames,
  droppedInUses,
  leftOverNames,
  removedRoutes,
  removedCode,
  staleLockFiles,
];
