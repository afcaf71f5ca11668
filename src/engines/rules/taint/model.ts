/** What a language's libraries do with input: where it comes in, where it does harm, what makes it harmless. */
import { type Static, type TSchema, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { type Language, snippetName } from "../languages.ts";
import { newFile, type Rule } from "../rule.ts";
import { type conditionDocument, kindDocument, modelDocument, type sinkDocument } from "./model-document.ts";
import { PathTable } from "./paths.ts";
import { readModels } from "./read-models.ts" with { type: "macro" };

type ModelDocument = Static<typeof modelDocument>;
export type ParameterSource = NonNullable<ModelDocument["parameters"]>[number];
export type Convention = NonNullable<ModelDocument["conventions"]>[number];

export interface Source {
  what: string;
  fills: number | null;
  /** Kinds of sinks that it matters to. */
  reaches: ReadonlySet<string>;
  isNumber: boolean;
  inside: string | null;
  isProperty: boolean;
}

export interface Page {
  path: RegExp | null;
  marks: RegExp | null;
  is: RegExp | null;
  sink: Sink;
}

interface Fill {
  from: readonly (number | string)[];
  to: number;
}

export interface Sink {
  kind: string;
  rule: Rule;
  /** `this query` */
  noun: string;
  args: readonly (number | string)[];
  entries: readonly string[] | null;
  program: boolean;
  /** The only input that does harm there, by what it is called; null = any. */
  from: ReadonlySet<string> | null;
  text: boolean;
  when: readonly Condition[];
  unless: readonly Condition[];
}

export interface Sanitizer {
  /** Kinds of sinks; `*` = all. */
  clears: readonly string[];
  when: readonly Condition[];
}

export interface Condition {
  arg: number | string;
  is: RegExp;
  /** The entry of the argument that is asked, instead of itself. */
  has: RegExp | null;
}

export interface Model {
  languages: readonly Language[];
  words: RegExp;
  kinds: readonly string[];
  rules: readonly Rule[];
  requests: PathTable<true>;
  exits: PathTable<true>;
  fills: PathTable<Fill>;
  sources: PathTable<Source>;
  /** What a parameter's input matters to. */
  input: ReadonlySet<string>;
  parameters: readonly ParameterSource[];
  conventions: readonly Convention[];
  /** Functions elsewhere that input comes through; null = by a rule of thumb. */
  passing: PathTable<true> | null;
  fluent: PathTable<true>;
  types: PathTable<string>;
  pages: readonly Page[];
  lists: ReadonlySet<string>;
  maps: ReadonlySet<string>;
  sanitizers: PathTable<Sanitizer>;
  sinks: PathTable<Sink>;
}

/** The kind of sink that a number does harm to, where it is predictable; input does none. */
const byNumber = "weak-random";

const documents: Readonly<Record<string, string>> = readModels();

/** Throws when the built-in model is not in order: its test shows it. */
export function readModel(name: string): Model {
  const document = read(name, modelDocument);
  const kinds = read("kinds", Type.Record(Type.String(), kindDocument));
  const input = new Set(Object.keys(kinds).filter((kind) => kind !== byNumber));
  const { sinks, rules } = readSinks(document, kinds);
  return {
    languages: document.languages,
    words: new RegExp(document.words),
    kinds: Object.keys(kinds).filter((kind) => kinds[kind]?.like === undefined),
    rules,
    requests: table((document.requests ?? []).map((path) => [path, true])),
    exits: table((document.exits ?? []).map((path) => [path, true])),
    fills: table(
      (document.fills ?? []).flatMap(({ calls, from, to }) =>
        calls.map((path): [string, Fill] => [path, { from, to }]),
      ),
    ),
    sources: table(
      document.sources.flatMap(({ what, from, fills, reaches, inside, property }) => {
        const source = {
          what,
          fills: fills ?? null,
          reaches: reaches === undefined ? input : new Set(reaches),
          isNumber: reaches?.includes(byNumber) === true,
          inside: inside ?? null,
          isProperty: property ?? false,
        };
        return from.map((path): [string, Source] => [path, source]);
      }),
    ),
    fluent: table((document.fluent ?? []).map((path) => [path, true])),
    input,
    passing: document.passing === undefined ? null : table(document.passing.map((path) => [path, true])),
    parameters: document.parameters ?? [],
    conventions: document.conventions ?? [],
    types: table(
      (document.types ?? []).flatMap(({ of, is }) => of.map((path): [string, string] => [path, is])),
    ),
    pages: (document.pages ?? []).map(({ path, marks, is, kind = "xss" }) => {
      const rule = rules.find(({ id }) => id === `${document.prefix}/${kind}-flow`);
      if (rule === undefined) throw new Error(`the taint model ${document.prefix} has no sinks of ${kind}`);
      const sink = toSink({ to: ["page"] }, kind, rule, kinds[kind]?.sink ?? "");
      return { path: expression(path), marks: expression(marks), is: expression(is), sink };
    }),
    lists: new Set(document.containers?.lists),
    maps: new Set(document.containers?.maps),
    sanitizers: table(
      document.sanitizers.flatMap(({ clears, calls, when }) => {
        const sanitizer = { clears, when: toConditions(when) };
        return calls.map((path): [string, Sanitizer] => [path, sanitizer]);
      }),
    ),
    sinks,
  };
}

function read<T extends TSchema>(name: string, schema: T): Static<T> {
  const value: unknown = Bun.YAML.parse(documents[name] ?? "");
  if (Value.Check(schema, value)) return value;
  const error = Value.Errors(schema, value).First();
  throw new Error(`the taint model ${name} is not in order: ${error?.path} ${error?.message}`);
}

function table<T>(entries: readonly (readonly [string, T])[]): PathTable<T> {
  const made = new PathTable<T>();
  for (const [path, means] of entries) made.add(path, means);
  return made;
}

type Kinds = Readonly<Record<string, Static<typeof kindDocument>>>;

function readSinks(document: ModelDocument, kinds: Kinds) {
  const sinks = new PathTable<Sink>();
  const rules: Rule[] = [];
  for (const [kind, { calls, bad, ok, advice, id }] of Object.entries(document.sinks)) {
    const about = kinds[kind];
    if (about === undefined) throw new Error(`the taint model ${document.prefix} names no kind ${kind}`);
    const examples = (snippets: readonly string[]) =>
      document.languages.flatMap((language) => snippets.map((code) => newFile(snippetName(language), code)));
    const rule: Rule = {
      id: id ?? `${document.prefix}/${kind}-flow`,
      title: about.title,
      category: "security",
      severity: about.severity,
      cwe: about.cwe,
      message: "{SOURCE} reaches {SINK}{STEPS}{AGAIN}.",
      why: about.why,
      advice: advice ?? about.advice,
      placement: "inline",
      bad: examples(bad),
      ok: examples(ok),
    };
    rules.push(rule);
    for (const call of calls) {
      const sink = toSink(
        typeof call === "string" ? { to: [call] } : call,
        about.like ?? kind,
        rule,
        about.sink,
      );
      for (const path of typeof call === "string" ? [call] : call.to) sinks.add(path, sink);
    }
  }
  return { sinks, rules };
}

function expression(pattern: string | undefined): RegExp | null {
  return pattern === undefined ? null : new RegExp(pattern);
}

function toSink(call: Static<typeof sinkDocument>, kind: string, rule: Rule, noun: string): Sink {
  return {
    kind,
    rule,
    noun,
    args: call.args ?? [0],
    entries: call.entries ?? null,
    program: call.program ?? false,
    from: call.from === undefined ? null : new Set(call.from),
    when: toConditions(call.when),
    unless: toConditions(call.unless),
    text: call.text ?? false,
  };
}

function toConditions(given: readonly Static<typeof conditionDocument>[] = []): Condition[] {
  return given.map(({ arg, is, has }) => ({
    arg,
    is: new RegExp(is),
    has: expression(has),
  }));
}
