/** Gathers the rules that are not built in: those of the organization, and those that the repository keeps for itself. */

import type { ReviewEngineInput } from "../domain/review-engine.ts";
import { organizationRules, type RuleFile } from "../domain/rule.ts";
import type { SettingStore } from "../domain/store.ts";

/** On the base side: a pull request cannot switch off or change the rules it is reviewed by. */
export const repositoryRulesFolder = ".plumbline/rules";

const repositoryRulesMax = 200;
const ruleBytesMax = 64 * 1024;

/** The organization's come first: of two rules with one id the first stays. `settings` null = a review without a server. */
export function ownRules(
  settings: SettingStore | null,
): (input: ReviewEngineInput) => Promise<readonly RuleFile[]> {
  return async (input) => {
    const ofOrganization =
      settings === null || input.organizationId === null
        ? []
        : await organizationRules(settings, input.organizationId);
    return [...ofOrganization, ...(await repositoryRules(input))];
  };
}

async function repositoryRules({ listFiles, readFile, signal }: ReviewEngineInput): Promise<RuleFile[]> {
  const paths = (await listFiles(repositoryRulesFolder, "base")).filter((path) => /\.ya?ml$/.test(path));
  const rules: RuleFile[] = [];
  for (const path of paths.slice(0, repositoryRulesMax)) {
    signal.throwIfAborted();
    const bytes = await readFile(path, "base");
    if (bytes === null || bytes.byteLength > ruleBytesMax) continue;
    rules.push({ path, text: new TextDecoder().decode(bytes) });
  }
  return rules;
}
