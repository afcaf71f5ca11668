/** Checks over syntax trees that a pattern cannot express: they count, compare or resolve. A new one is added here. */
import type { Detector } from "../detector.ts";
import { formatArguments } from "./format-arguments.ts";
import { heldLocks } from "./held-locks.ts";
import { repeatedKeys } from "./repeated-keys.ts";
import { slowExpressions } from "./slow-expressions.ts";
import { sqlInVariables } from "./sql-in-variable.ts";
import { undefinedCalls } from "./undefined-calls.ts";
import { undefinedNames } from "./undefined-names.ts";

export const treeChecks: readonly Detector[] = [
  formatArguments,
  heldLocks,
  repeatedKeys,
  slowExpressions,
  sqlInVariables,
  undefinedCalls,
  undefinedNames,
];
