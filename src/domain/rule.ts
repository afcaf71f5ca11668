/** Rules as people see them, and those of an organization as they are kept. */
import type { Category, Severity } from "./comment.ts";
import type { SettingStore } from "./store.ts";

/** A rule before it is read: a file of YAML (docs/rules.md). */
export interface RuleFile {
  path: string;
  text: string;
}

/** One that an organization added. */
export interface OwnRule extends RuleFile {
  id: string;
}

export interface RuleExample {
  path: string;
  /** Null when the pull request adds the file. */
  before: string | null;
  after: string;
}

export interface RuleDescription {
  /** `js/eval`: comments name it, and ignore comments. */
  id: string;
  title: string;
  /** Whose texts it reads: languages, and kinds of files that are in none (`dockerfile`, `any`). */
  languages: string[];
  category: Category;
  severity: Severity;
  cwe: number | null;
  message: string;
  why: string;
  advice: string;
  placement: "inline" | "summary";
  bad: RuleExample[];
  ok: RuleExample[];
}

/** What the engine knows about rules without a pull request. */
export interface RuleBook {
  /** Sorted by id. */
  builtIn(): Promise<readonly RuleDescription[]>;
  /** The rule, or what is wrong with the file, with rule and line. */
  read(file: RuleFile): RuleDescription | { problem: string };
  /**
   * Reads the rule, compiles it in each of its languages and runs its examples. Answers what is wrong, with rule and
   * line; nothing when all is well.
   */
  check(file: RuleFile): Promise<readonly string[]>;
}

const settingName = (organizationId: string) => `rules/${organizationId}`;

/** The rules that hold for all of an organization's repositories, in the order in which they were added. */
export async function organizationRules(
  settings: SettingStore,
  organizationId: string,
): Promise<readonly OwnRule[]> {
  const stored = await settings.get(settingName(organizationId));
  return Array.isArray(stored) ? stored.filter(isOwnRule) : [];
}

export async function setOrganizationRules(
  settings: SettingStore,
  organizationId: string,
  rules: readonly OwnRule[],
): Promise<void> {
  await settings.put(settingName(organizationId), rules);
}

function isOwnRule(value: unknown): value is OwnRule {
  return (
    typeof value === "object" &&
    value !== null &&
    ["id", "path", "text"].every((key) => typeof Reflect.get(value, key) === "string")
  );
}
