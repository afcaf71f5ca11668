/** What is known about rules without a pull request: the built-in ones, and whether one's own is fit for use. */
import { defaultReviewOptions } from "../../domain/review.ts";
import type { ReviewEngine, ReviewEngineInput } from "../../domain/review-engine.ts";
import type { RuleBook, RuleDescription, RuleFile } from "../../domain/rule.ts";
import type { Logger } from "../../domain/runtime.ts";
import { languageOf, snippetName } from "./languages.ts";
import { isProblem, parseRule } from "./patterns/parse-rule.ts";
import { describeProblem, type PatternRule } from "./patterns/pattern-rule.ts";
import type { Example, Rule } from "./rule.ts";
import { createRulesEngine } from "./rules.ts";

export function createRuleBook(logger: Logger): RuleBook {
  return {
    async builtIn() {
      // Loaded when asked for: a server that is not asked needs no rule on its main thread.
      const { describeRules } = await import("./describe-rules.ts");
      return describeRules().map(describeRule);
    },
    read(file) {
      const parsed = parseRule(file);
      return isProblem(parsed) ? { problem: describeProblem(parsed) } : describeRule(parsed);
    },
    check: (file) => check(file, logger),
  };
}

function describeRule(rule: Rule & Partial<Pick<PatternRule, "languages">>): RuleDescription {
  const { id, title, category, severity, cwe, message, why, advice, placement } = rule;
  const languages = [...(rule.languages ?? languagesOf(rule))];
  const [bad, ok] = [rule.bad, rule.ok].map((examples) => examples.map(shownExample));
  return {
    ...{ id, title, languages, category, severity, cwe, message, why, advice, placement },
    ...{ bad: bad ?? [], ok: ok ?? [] },
  };
}

function shownExample({ path, before, after }: Example) {
  return { path, before, after };
}

/** A detector in code does not say its languages; its examples do. */
function languagesOf(rule: Rule): string[] {
  if (rule.id.startsWith("any/")) return ["any"];
  return [...new Set(rule.bad.map(({ path, after }) => languageOf(path, after) ?? kindOf(path)))].sort();
}

function kindOf(path: string): string {
  if (/(^|[/.])dockerfile([./]|$)/i.test(path)) return "dockerfile";
  return /\.([a-z]+)$/.exec(path)?.[1] ?? "any";
}

async function check(file: RuleFile, logger: Logger): Promise<readonly string[]> {
  const rule = parseRule(file);
  if (isProblem(rule)) return [describeProblem(rule)];
  const engine = createRulesEngine({ logger, ownRules: async () => [file] });
  try {
    const compiling = await engine.review(reviewOf(rule.languages.map(emptyFile)));
    if (compiling.problems.length > 0) return compiling.problems;
    return [
      ...(await failures(engine, rule, "bad", file.path)),
      ...(await failures(engine, rule, "ok", file.path)),
    ];
  } finally {
    await engine.close();
  }
}

function emptyFile(language: PatternRule["languages"][number]): Example {
  return { path: snippetName(language), before: null, after: "\n" };
}

async function failures(
  engine: ReviewEngine,
  rule: PatternRule,
  kind: "bad" | "ok",
  path: string,
): Promise<string[]> {
  const failed: string[] = [];
  for (const example of rule[kind]) {
    const { candidates } = await engine.review(reviewOf([example]));
    const reported = candidates.some((candidate) => candidate.rule === rule.id);
    if (reported === (kind === "bad")) continue;
    const what = kind === "bad" ? "does not report what is bad" : "reports what is ok";
    const line = example.line ?? rule.source.line;
    failed.push(`rule ${rule.id} ${what}, as ${example.path} (${path}:${line})`);
  }
  return failed;
}

/** A pull request that adds the files. */
function reviewOf(examples: readonly Example[]): ReviewEngineInput {
  const texts = new Map(examples.map(({ path, after }) => [path, after]));
  return {
    organizationId: null,
    pr: {
      ...{ repository: "local/rules", number: 0, title: "", body: "", author: null, url: null },
      ...{ headBranch: null, baseBranch: null, headSha: "", baseSha: "" },
    },
    diff: { files: [...texts].map(([path, text]) => addedFile(path, text)) },
    readFile: async (path, side) => {
      const text = side === "head" ? texts.get(path) : undefined;
      return text === undefined ? null : new TextEncoder().encode(text);
    },
    listFiles: async () => [],
    search: async () => null,
    options: defaultReviewOptions,
    signal: new AbortController().signal,
  };
}

function addedFile(path: string, text: string): ReviewEngineInput["diff"]["files"][number] {
  const texts = text.replace(/\n$/, "").split(/\r?\n/);
  const lines = texts.map((line, index) => ({ kind: "added" as const, newLine: index + 1, text: line }));
  return {
    ...{ path, oldPath: null, change: "added", content: "text", oldMode: null, newMode: "100644" },
    ...{ additions: lines.length, deletions: 0, omitted: null },
    hunks: [{ oldStart: 1, oldLines: 0, newStart: 1, newLines: lines.length, lines }],
  };
}
