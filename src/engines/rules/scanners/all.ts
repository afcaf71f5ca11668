/** Every scanner; a new one is added here. */

import type { Detector } from "../detector.ts";
import { commentedOutCode } from "./commented-out-code.ts";
import { conflictMarkers } from "./conflict-markers.ts";
import { debugPrints } from "./debug-print.ts";
import { dependencies } from "./dependencies.ts";
import { dockerfiles } from "./dockerfile.ts";
import { duplicateKeys } from "./duplicate-keys.ts";
import { githubActions } from "./github-actions.ts";
import { hiddenCharacters } from "./hidden-characters.ts";
import { iamPolicies } from "./iam-policies.ts";
import { kubernetes } from "./kubernetes.ts";
import { plainHttpRequests } from "./plain-http.ts";
import { secrets } from "./secrets.ts";
import { silencedChecks } from "./silenced-checks.ts";
import { sqlFiles } from "./sql.ts";
import { workLeftOpenNotes } from "./work-left-open.ts";

export const scanners: readonly Detector[] = [
  commentedOutCode,
  conflictMarkers,
  debugPrints,
  dependencies,
  dockerfiles,
  duplicateKeys,
  githubActions,
  hiddenCharacters,
  iamPolicies,
  kubernetes,
  plainHttpRequests,
  secrets,
  silencedChecks,
  sqlFiles,
  workLeftOpenNotes,
];
