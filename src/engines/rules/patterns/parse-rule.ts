/** Reads one rule file and says, with its line, what is wrong with it. */
import { Value } from "@sinclair/typebox/value";
import type { Category } from "../../../domain/comment.ts";
import { folderLanguages, type Language, snippetName } from "../languages.ts";
import { type Example, newFile } from "../rule.ts";
import {
  type Matcher,
  type PatternRule,
  type RuleDocument,
  type RuleProblem,
  type RuleSource,
  ruleDocument,
} from "./pattern-rule.ts";
import { type YamlLines, yamlLines } from "./yaml-lines.ts";

/** The folder a rule file lies in tells its languages where it names none: `javascript/eval.yml`. */
export function parseRule(source: RuleSource): PatternRule | RuleProblem {
  const lines = yamlLines(source.text);
  const parsed = parseYaml(source.text);
  if ("error" in parsed) return { path: source.path, line: parsed.line, rule: null, message: parsed.error };
  const document = parsed.value;
  const problem = (pointer: string, message: string): RuleProblem => ({
    path: source.path,
    line: lines.lineOf(pointer),
    rule: idOf(document),
    message,
  });
  const twice = lines.repeated[0];
  if (twice !== undefined) {
    return { ...problem("", `the key ${twice.key} is written twice`), line: twice.line };
  }
  if (!Value.Check(ruleDocument, document)) {
    const error = Value.Errors(ruleDocument, document).First();
    return problem(
      error?.path ?? "",
      `${error?.path ?? ""}: ${(error?.message ?? "is invalid").toLowerCase()}`,
    );
  }
  const spoken = document.languages ?? folderLanguages(source.path.split("/").at(-2) ?? "");
  if (spoken.length === 0) return problem("", "/languages: is missing");
  return toRule(document, spoken, source.path, lines.lineOf);
}

export function isProblem(parsed: PatternRule | RuleProblem): parsed is RuleProblem {
  return !("matcher" in parsed);
}

function parseYaml(text: string): { value: unknown } | { error: string; line: number } {
  try {
    return { value: Bun.YAML.parse(text) };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { error: `it is not valid YAML: ${reason}`, line: firstBadLine(text) };
  }
}

/** The parser does not say where it stopped: it is the line after the longest beginning that it accepts. */
function firstBadLine(text: string): number {
  const lines = text.split("\n");
  for (let count = lines.length - 1; count > 0; count -= 1) {
    try {
      Bun.YAML.parse(lines.slice(0, count).join("\n"));
      return count + 1;
    } catch {
      // Too long still.
    }
  }
  return 1;
}

function idOf(document: unknown): string | null {
  if (typeof document !== "object" || document === null || !("id" in document)) return null;
  return typeof document.id === "string" ? document.id : null;
}

function toRule(
  document: RuleDocument,
  languages: readonly Language[],
  path: string,
  lineOf: YamlLines["lineOf"],
): PatternRule {
  const examples = (kind: "bad" | "ok"): Example[] =>
    document[kind].flatMap((snippet, index) => {
      const line = lineOf(`/${kind}/${index}`);
      if (typeof snippet !== "string") return { ...newFile(snippet.path, snippet.code), line };
      return languages.map((language) => ({ ...newFile(snippetName(language), snippet), line }));
    });
  return {
    id: document.id,
    title: document.title,
    category: document.category,
    severity: document.severity,
    cwe: document.cwe ?? null,
    message: document.message.trim(),
    why: document.why.trim(),
    advice: document.advice.trim(),
    placement: document.placement ?? "inline",
    bad: examples("bad"),
    ok: examples("ok"),
    languages,
    tests: document.tests ?? (faultsInTests.has(document.category) ? "include" : "exclude"),
    files: document.files ?? null,
    ignores: document.ignores ?? [],
    matcher: matcherOf(document),
    at: document.at ?? null,
    fix: document.fix ?? null,
    source: { path, line: lineOf("/rule") },
  };
}

const faultsInTests: ReadonlySet<Category> = new Set(["bug", "concurrency", "testing"]);

/** Utilities get the rule's id in front of their names, so that many rules can be asked in one query. */
function matcherOf(document: RuleDocument): Matcher {
  const names = new Set(Object.keys(document.utils ?? {}));
  const own = (part: unknown): unknown => renameMatches(part, names, document.id);
  const record = (part: Record<string, unknown>) => own(part) as Record<string, unknown>;
  return {
    rule: record(document.rule),
    ...(document.constraints === undefined ? {} : { constraints: record(document.constraints) }),
    ...(document.utils === undefined
      ? {}
      : {
          utils: Object.fromEntries(
            Object.entries(document.utils).map(([name, part]) => [`${document.id}:${name}`, own(part)]),
          ),
        }),
    ...(document.transform === undefined ? {} : { transform: document.transform }),
  };
}

function renameMatches(part: unknown, names: ReadonlySet<string>, id: string): unknown {
  if (Array.isArray(part)) return part.map((item) => renameMatches(item, names, id));
  if (typeof part !== "object" || part === null) return part;
  return Object.fromEntries(
    Object.entries(part).map(([key, value]) =>
      key === "matches" && typeof value === "string" && names.has(value)
        ? [key, `${id}:${value}`]
        : [key, renameMatches(value, names, id)],
    ),
  );
}
