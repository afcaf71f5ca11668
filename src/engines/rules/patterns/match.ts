/**
 * Runs pattern rules over a syntax tree. ast-grep compiles a rule anew at every question (up to 0.5 ms), so one query
 * asks all rules at once whose words the file contains, and only the nodes it answers that start on an added line are
 * asked again, by the rules that can match their kind.
 */
import type { SgNode } from "@ast-grep/wasm";
import type { Detector } from "../detector.ts";
import type { Language } from "../languages.ts";
import { parse } from "../parser/ast-grep.ts";
import type { Finding } from "../rule.ts";
import type { SourceFile } from "../source-file.ts";
import type { Catalogue } from "./catalogue.ts";
import { suggestionFor } from "./fix.ts";
import type { Matcher, PatternRule, RuleProblem } from "./pattern-rule.ts";
import { mayMatch, type RequiredWords, requiredWords } from "./required-words.ts";
import { rootKinds } from "./root-kinds.ts";

/** From here on one query over the whole file is cheaper. */
const nodesOneByOne = 8;

export class PatternMatcher implements Detector {
  readonly rules: readonly PatternRule[];
  /** Why rules are not in use; grows as languages are first met. */
  readonly problems: RuleProblem[];
  private readonly usable = new Map<Language, readonly UsableRule[]>();

  constructor({ rules, problems }: Catalogue) {
    this.rules = rules;
    this.problems = [...problems];
  }

  appliesTo(file: SourceFile): boolean {
    return file.syntax !== null;
  }

  *find(file: SourceFile): Generator<Finding> {
    const rules = this.rulesFor(file);
    if (file.syntax === null || rules.length === 0) return;
    const root = file.syntax.root.root();
    const byKind = Map.groupBy(
      root.findAll(joined(rules)).filter((node) => file.added.has(lineOf(node))),
      (node) => node.kind(),
    );
    for (const { rule, kinds } of rules) {
      const nodes =
        kinds === null ? [...byKind.values()].flat() : [...kinds].flatMap((kind) => byKind.get(kind) ?? []);
      for (const match of matches(rule, nodes, root, file)) yield finding(rule, match, file);
    }
  }

  private rulesFor(file: SourceFile): readonly UsableRule[] {
    if (file.language === null) return [];
    const contains = remember((word: string) => file.text.includes(word));
    return this.usableIn(file.language).filter(
      ({ rule, words }) => speaksAbout(rule, file) && mayMatch(words, contains),
    );
  }

  /** The rules that compile in the language; the others become problems, once. */
  private usableIn(language: Language): readonly UsableRule[] {
    const known = this.usable.get(language);
    if (known !== undefined) return known;
    const empty = parse(language, "").root;
    const rules = this.rules.flatMap((rule): UsableRule[] => {
      if (!rule.languages.includes(language)) return [];
      try {
        empty.root().matches(rule.matcher);
        const kinds = rootKinds(language, rule.matcher);
        return [{ rule, kinds, words: requiredWords(language, rule.matcher) }];
      } catch (error) {
        const message = `in ${language}: ${oneLine(String(error))}`;
        this.problems.push({ ...rule.source, rule: rule.id, message });
        return [];
      }
    });
    this.usable.set(language, rules);
    return rules;
  }
}

interface UsableRule {
  rule: PatternRule;
  /** The kinds of node that it can match; null = any. */
  kinds: ReadonlySet<string> | null;
  /** What a file must contain for it to match. */
  words: RequiredWords;
}

function speaksAbout(rule: PatternRule, file: SourceFile): boolean {
  if (rule.tests !== "include" && file.isTest !== (rule.tests === "only")) return false;
  const matches = (glob: string) => new Bun.Glob(glob).match(file.path);
  return (rule.files === null || rule.files.some(matches)) && !rule.ignores.some(matches);
}

/** What a rule must satisfy beside `rule` itself (constraints) is left to the second step. */
function joined(rules: readonly UsableRule[]): Matcher {
  const utils = Object.assign({}, ...rules.map(({ rule }) => rule.matcher.utils ?? {}));
  return { rule: { any: rules.map(({ rule }) => rule.matcher.rule) }, utils };
}

/** The matches among `nodes`: asked one by one where they are few, else by one query over the whole file. */
function matches(rule: PatternRule, nodes: readonly SgNode[], root: SgNode, file: SourceFile): SgNode[] {
  if (nodes.length > nodesOneByOne) {
    return root.findAll(rule.matcher).filter((node) => file.added.has(lineOf(node)));
  }
  // `matches` says yes or no; `find`, which looks at the node itself first, also says what the variables matched.
  return nodes.flatMap((node) => (node.matches(rule.matcher) ? (node.find(rule.matcher) ?? []) : []));
}

function remember<K, V>(answer: (question: K) => V): (question: K) => V {
  const answers = new Map<K, V>();
  return (question) => {
    const value = answers.get(question) ?? answer(question);
    answers.set(question, value);
    return value;
  };
}

function oneLine(message: string): string {
  return message
    .replace(/^Error: /, "")
    .replace(/\s*\n\s*\|->/g, " ")
    .replaceAll("\n", " ");
}

function finding(rule: PatternRule, match: SgNode, file: SourceFile): Finding {
  const at = rule.at === null ? null : match.getMatch(rule.at);
  const suggestion = rule.fix === null ? null : suggestionFor(rule.fix, match, file);
  const line = lineOf(at ?? match);
  return {
    rule,
    line: suggestion?.endLine ?? line,
    startLine: suggestion?.startLine ?? null,
    about: "added",
    values: valuesOf(rule.message, match),
    suggestion: suggestion?.text ?? null,
  };
}

function valuesOf(message: string, match: SgNode): Record<string, string> {
  const names = [...message.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
  return Object.fromEntries(names.map((name) => [name, shown(match.getMatch(name)?.text() ?? "…")]));
}

/** Code inside a sentence: one line, not long, no backticks of its own. */
function shown(code: string): string {
  const line = code.replace(/\s+/g, " ").replaceAll("`", "'");
  return line.length <= 60 ? line : `${line.slice(0, 59)}…`;
}

function lineOf(node: SgNode): number {
  return node.range().start.line + 1;
}
