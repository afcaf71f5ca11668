/** Every scanner; a new one is added here. */

import type { Detector } from "../detector.ts";
import { conflictMarkers } from "./conflict-markers.ts";
import { dependencies } from "./dependencies.ts";
import { dockerfiles } from "./dockerfile.ts";
import { duplicateKeys } from "./duplicate-keys.ts";
import { githubActions } from "./github-actions.ts";
import { hiddenCharacters } from "./hidden-characters.ts";
import { iamPolicies } from "./iam-policies.ts";
import { kubernetes } from "./kubernetes.ts";
import { secrets } from "./secrets.ts";
import { sqlFiles } from "./sql.ts";

export const scanners: readonly Detector[] = [
  conflictMarkers,
  dependencies,
  dockerfiles,
  duplicateKeys,
  githubActions,
  hiddenCharacters,
  iamPolicies,
  kubernetes,
  secrets,
  sqlFiles,
];
