/** A rule written as an ast-grep pattern: what a file of the catalogue, or of an admin, says. */
import { type Static, Type } from "@sinclair/typebox";
import { categories, severities } from "../../../domain/comment.ts";
import type { RuleFile } from "../../../domain/rule.ts";
import { type Language, languages } from "../languages.ts";
import type { Rule } from "../rule.ts";

const text = Type.String({ minLength: 1, pattern: "\\S" });
const matcher = Type.Record(Type.String(), Type.Unknown());
const literals = <T extends string>(values: readonly T[]) =>
  Type.Union(values.map((value) => Type.Literal<T>(value)));
const snippet = Type.Union([
  text,
  Type.Object({ path: text, code: Type.String() }, { additionalProperties: false }),
]);

/** The keys of a rule file. `rule`, `constraints`, `utils` and `transform` are ast-grep's own, taken as they are. */
export const ruleDocument = Type.Object(
  {
    id: Type.String({ pattern: "^[a-z][a-z0-9-]*/[a-z0-9][a-z0-9-]*$" }),
    title: text,
    /** Without it, the languages of the catalogue folder. */
    languages: Type.Optional(Type.Array(literals(languages), { minItems: 1 })),
    category: literals(categories),
    severity: literals(severities),
    cwe: Type.Optional(Type.Integer({ minimum: 1 })),
    /** `{NAME}` shows what `$NAME` matched. */
    message: text,
    why: text,
    advice: text,
    placement: Type.Optional(literals(["inline", "summary"])),
    /** Whether it speaks about test files; by default only in categories where a fault in a test is a fault. */
    tests: Type.Optional(literals(["include", "exclude", "only"])),
    /** Glob patterns of paths. */
    files: Type.Optional(Type.Array(text)),
    ignores: Type.Optional(Type.Array(text)),
    rule: matcher,
    constraints: Type.Optional(matcher),
    utils: Type.Optional(matcher),
    transform: Type.Optional(matcher),
    /** The name of the meta-variable to comment on; without it, the whole match's first line. */
    at: Type.Optional(Type.String({ pattern: "^[A-Z_][A-Z0-9_]*$" })),
    /** Replaces the whole match; `$NAME` and `$$$NAME` are filled in. Empty = delete. */
    fix: Type.Optional(Type.String()),
    bad: Type.Array(snippet, { minItems: 1 }),
    ok: Type.Array(snippet, { minItems: 1 }),
  },
  { additionalProperties: false },
);
export type RuleDocument = Static<typeof ruleDocument>;

/** ast-grep's rule configuration. */
export interface Matcher {
  rule: Record<string, unknown>;
  constraints?: Record<string, unknown>;
  utils?: Record<string, unknown>;
  transform?: Record<string, unknown>;
}

export interface PatternRule extends Rule {
  languages: readonly Language[];
  tests: "include" | "exclude" | "only";
  files: readonly string[] | null;
  ignores: readonly string[];
  matcher: Matcher;
  at: string | null;
  fix: string | null;
  /** Where it was written: `javascript/eval.yml`, and the line of its `rule` key. */
  source: { path: string; line: number };
}

/** A rule file before it is read. */
export type RuleSource = RuleFile;

/** Why a rule is not in use, for the person who wrote it. */
export interface RuleProblem {
  path: string;
  line: number;
  /** Null when the file does not even say which rule it is. */
  rule: string | null;
  message: string;
}

/** `rule js/eval is not in use: /severity … (javascript/eval.yml:5)` */
export function describeProblem({ path, line, rule, message }: RuleProblem): string {
  return `rule ${rule ?? "without an id"} is not in use: ${message} (${path}:${line})`;
}
