/**
 * Runs pattern rules over a syntax tree. ast-grep compiles a rule anew at every question (up to 2 ms), so each rule is
 * asked at most once a file, about all nodes together that start on an added line, are of a kind that the rule can match
 * and have the words that it needs; mostly there are none.
 */
import type { SgNode } from "@ast-grep/wasm";
import type { Detector } from "../detector.ts";
import type { Language } from "../languages.ts";
import { parse } from "../parser/syntax.ts";
import type { Finding } from "../rule.ts";
import type { SourceFile } from "../source-file.ts";
import { AddedNodes } from "./added-nodes.ts";
import type { Catalogue } from "./catalogue.ts";
import { suggestionFor } from "./fix.ts";
import type { PatternRule, RuleProblem } from "./pattern-rule.ts";
import { requiredWords } from "./required-words.ts";
import { rootKinds } from "./root-kinds.ts";
import { areIn, narrowed, TextIndex, type Words } from "./words.ts";

export class PatternMatcher implements Detector {
  readonly rules: readonly PatternRule[];
  /** Why rules are not in use; grows as languages are first met. */
  readonly problems: RuleProblem[];
  private readonly usable = new Map<Language, readonly UsableRule[]>();

  private readonly builtIn: ReadonlySet<PatternRule>;

  constructor(builtIn: readonly PatternRule[], own: Catalogue) {
    this.rules = [...builtIn, ...own.rules];
    this.problems = [...own.problems];
    this.builtIn = new Set(builtIn);
  }

  appliesTo(file: SourceFile): boolean {
    return file.hasSyntax;
  }

  *find(file: SourceFile): Generator<Finding> {
    if (file.language === null) return;
    const text = new TextIndex(file.text);
    const rules = this.usableIn(file.language).flatMap((usable) => narrowedTo(file, text, usable) ?? []);
    if (rules.length === 0 || file.syntax === null) return;
    const nodes = new AddedNodes(
      file.syntax.top,
      file.added,
      new Set(rules.flatMap(({ kinds }) => [...(kinds ?? [])])),
    );
    for (const { rule, kinds, words } of rules) {
      const candidates =
        kinds === null
          ? null
          : nodes.ofKinds(kinds).filter((node) => areIn(words, text, node.startIndex, node.endIndex));
      if (candidates?.length === 0) continue;
      for (const match of file.syntax.matches(rule.matcher, candidates)) {
        if (file.added.has(lineOf(match))) yield finding(rule, match, file);
      }
    }
  }

  /** The rules that compile in the language; the others become problems, once. Tests have compiled the built-in ones. */
  private usableIn(language: Language): readonly UsableRule[] {
    const known = this.usable.get(language);
    if (known !== undefined) return known;
    const empty = parse(language, "");
    const rules = this.rules.flatMap((rule): UsableRule[] => {
      if (!rule.languages.includes(language)) return [];
      try {
        if (!this.builtIn.has(rule)) empty.matches(rule.matcher, [empty.top]);
        const kinds = rootKinds(language, rule.matcher);
        const words = requiredWords(language, rule.matcher);
        return [{ rule, kinds, words }];
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
  /** The kinds of node that it can match; null = any, or another one than it is asked about, as `has` alone does. */
  kinds: ReadonlySet<string> | null;
  /** What a file must contain for it to match. */
  words: Words;
}

/** Null when it cannot match in the file. */
function narrowedTo(file: SourceFile, text: TextIndex, usable: UsableRule): UsableRule | null {
  if (!speaksAbout(usable.rule, file)) return null;
  const words = narrowed(usable.words, text);
  return words === null ? null : { ...usable, words };
}

function speaksAbout(rule: PatternRule, file: SourceFile): boolean {
  if (rule.tests !== "include" && file.isTest !== (rule.tests === "only")) return false;
  const matches = (glob: string) => new Bun.Glob(glob).match(file.path);
  return (rule.files === null || rule.files.some(matches)) && !rule.ignores.some(matches);
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
