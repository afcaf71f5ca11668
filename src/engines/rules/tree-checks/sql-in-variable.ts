/** SQL that is put together from values in a variable and run further down. */
import type { Detector } from "../detector.ts";
import type { Language } from "../languages.ts";
import { field, type PlainNode } from "../parser/plain-tree.ts";
import { type Finding, findingAt, type Rule } from "../rule.ts";
import type { SourceFile } from "../source-file.ts";
import { numberNames } from "./number-names.ts";
import { sqlRules } from "./sql-rules.ts";
import { isInjected, type Part, partsOf } from "./text-parts.ts";

/** Methods that run or prepare their first argument, or the one behind a context. */
const runners: Readonly<Partial<Record<Language, RegExp>>> = {
  javascript: /^(query|execute|raw|\$queryRawUnsafe|\$executeRawUnsafe|all|get|run|each|exec|prepare)$/,
  python: /^(execute|executemany|executescript|raw|text|read_sql|read_sql_query|fetch|fetchrow|fetchval)$/,
  go: /^(Query|QueryRow|Exec|QueryContext|QueryRowContext|ExecContext|Prepare|PrepareContext|Raw|Select|Get)$/,
  java: /^(execute(Query|Update|LargeUpdate)?|prepareStatement|prepareCall|addBatch|create(Native|SQL)?Query|query(For\w+)?|update|batchUpdate)$/,
  csharp:
    /^(SqlCommand|NpgsqlCommand|MySqlCommand|SqliteCommand|FromSqlRaw|ExecuteSqlRaw(Async)?|SqlQueryRaw|Query\w*|Execute\w*)$/,
};

const families: Readonly<Partial<Record<Language, Language>>> = {
  typescript: "javascript",
  tsx: "javascript",
};

const calls = /^(call|call_expression|method_invocation|invocation_expression|object_creation_expression)$/;
const functions =
  /^(function_definition|function_declaration|function_expression|arrow_function|method_definition|method_declaration|constructor_declaration|func_literal|lambda|lambda_expression|local_function_statement|generator_function_declaration)$/;
const branches =
  /^(if_statement|elif_clause|else_clause|switch_\w+|case_\w+|for_\w+|while_statement|try_\w+|catch_clause|except_clause)$/;

export const sqlInVariables: Detector = {
  rules: Object.values(sqlRules),
  appliesTo: ({ language, text, isTest }) =>
    !isTest && ruleOf(language) !== null && /["'`]\s*(select|insert|update|delete)\s/i.test(text),
  *find(file: SourceFile): Generator<Finding> {
    const code = file.code;
    const rule = ruleOf(file.language);
    if (code === null || rule === null || file.language === null) return;
    const search = new Search(families[file.language] ?? file.language, rule, numberNames(code));
    search.visit(code, new Map());
    yield* search.found;
  },
};

function ruleOf(language: Language | null): Rule | null {
  return language === null ? null : (sqlRules[families[language] ?? language] ?? null);
}

/** What a variable holds, as far as it is known; null = something else. */
type Texts = Map<string, { parts: readonly Part[]; line: number } | null>;

class Search {
  readonly found: Finding[] = [];
  constructor(
    private readonly language: Language,
    private readonly rule: Rule,
    private readonly numbers: ReadonlySet<string>,
  ) {}

  /** In the order of the text: what stands above is known below, in its own block and in those within. */
  visit(node: PlainNode, texts: Texts): void {
    const inner = functions.test(node.type) || branches.test(node.type) ? new Map(texts) : texts;
    for (const child of node.children) this.visit(child, inner);
    if (branches.test(node.type)) this.leave(inner, texts);
    const assigned = assignment(node);
    if (assigned !== null) this.assign(assigned, inner);
    if (calls.test(node.type)) this.judge(node, inner);
  }

  private assign({ name, value, isAdded }: Assignment, texts: Texts): void {
    const parts = value === null ? null : partsOf(value, (known) => texts.get(known)?.parts ?? null);
    const before = isAdded ? texts.get(name) : undefined;
    if (parts === null || value === null || before === null) texts.set(name, null);
    else if (before === undefined) texts.set(name, { parts, line: value.line });
    else texts.set(name, { parts: [...before.parts, ...parts], line: before.line });
  }

  private judge(call: PlainNode, texts: Texts): void {
    const callee = call.children.find(({ field: role }) =>
      /^(function|name|type|constructor)$/.test(role ?? ""),
    );
    const method = /[$\w]+(?=(?:<[^()]*>)?$)/.exec(callee?.text.slice(-100) ?? "")?.[0] ?? "";
    if (runners[this.language]?.test(method) !== true) return;
    const given = (field(call, "arguments")?.children ?? []).map(unwrapped);
    const at =
      given[0] !== undefined && /^(ctx|context\.\w+\(\)|r\.Context\(\))$/.test(given[0].text) ? 1 : 0;
    const name = given[at]?.type === "identifier" ? (given[at]?.text ?? "") : "";
    const text = texts.get(name);
    if (text === undefined || text === null || !this.isInjected(text.parts)) return;
    this.found.push(findingAt(this.rule, call.line, { name, built: String(text.line) }));
  }

  /** After a branch: what it made of a variable counts where it is put together from values, else nothing is known. */
  private leave(inner: Texts, outer: Texts): void {
    for (const [name, text] of inner) {
      if (!outer.has(name) || outer.get(name) === text) continue;
      outer.set(name, text !== null && this.isInjected(text.parts) ? text : null);
    }
  }

  private isInjected(parts: readonly Part[]): boolean {
    return isInjected(parts, this.numbers);
  }
}

interface Assignment {
  name: string;
  value: PlainNode | null;
  isAdded: boolean;
}

function assignment(node: PlainNode): Assignment | null {
  if (
    !/^(variable_declarator|assignment|assignment_expression|assignment_statement|augmented_assignment|augmented_assignment_expression|short_var_declaration|var_spec)$/.test(
      node.type,
    )
  ) {
    return null;
  }
  const target = single(field(node, "left") ?? field(node, "name"));
  if (target?.type !== "identifier") return null;
  const value = single(field(node, "right") ?? field(node, "value") ?? valueOfDeclarator(node));
  const isAdded = node.type.startsWith("augmented") || field(node, "operator")?.text === "+=";
  return { name: target.text, value, isAdded };
}

/** C# gives the value of a declarator no field. */
function valueOfDeclarator(node: PlainNode): PlainNode | null {
  const last = node.children.at(-1);
  return node.type === "variable_declarator" && last !== undefined && last.field !== "name"
    ? unwrapped(last)
    : null;
}

/** Go lists both sides, C# wraps values and arguments. */
function single(node: PlainNode | null): PlainNode | null {
  if (node === null || node.type !== "expression_list") return node;
  return node.children.length === 1 ? (node.children[0] ?? null) : null;
}

function unwrapped(node: PlainNode): PlainNode {
  const [only] = node.children;
  const wraps = /^(argument|equals_value_clause)$/.test(node.type);
  return wraps && only !== undefined && node.children.length === 1 ? only : node;
}
