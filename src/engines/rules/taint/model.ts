/** What a language's libraries do with input: where it comes in, where it does harm, what makes it harmless. */
import { type Static, type TSchema, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { severities } from "../../../domain/comment.ts";
import { type Language, languages, snippetName } from "../languages.ts";
import { newFile, type Rule } from "../rule.ts";
import { PathTable } from "./paths.ts";
import { readModels } from "./read-models.ts" with { type: "macro" };

const text = Type.String({ minLength: 1 });
const strict = { additionalProperties: false };
const paths = Type.Array(text, { minItems: 1 });
const argument = Type.Union([Type.Integer({ minimum: 0 }), text]);

const kindDocument = Type.Object(
  {
    title: text,
    cwe: Type.Integer(),
    severity: Type.Union(severities.map((severity) => Type.Literal(severity))),
    /** What it is called in the message: `this query`. */
    sink: text,
    why: text,
    advice: text,
  },
  strict,
);

/** The argument's constant, or its name, or with `has` those of its entry under such a key, match. */
const conditionDocument = Type.Object({ arg: argument, is: text, has: Type.Optional(text) }, strict);

const sinkDocument = Type.Object(
  {
    to: paths,
    /** Positions or keywords; `receiver` = what the method is called on; without it the first. */
    args: Type.Optional(Type.Array(argument)),
    /** A list is a program and its arguments: only the program itself, or what a shell reads, does harm. */
    program: Type.Optional(Type.Boolean()),
    when: Type.Optional(Type.Array(conditionDocument)),
    unless: Type.Optional(Type.Array(conditionDocument)),
  },
  strict,
);

const modelDocument = Type.Object(
  {
    languages: Type.Array(Type.Union(languages.map((language) => Type.Literal(language)))),
    prefix: text,
    /** Without one of these words in its text, a file takes in no input that is known here. */
    words: text,
    /** Paths of whole requests: an unknown function that is given one and is named after a part of it gives input. */
    requests: Type.Optional(paths),
    sources: Type.Array(
      Type.Object(
        {
          what: text,
          from: paths,
          /** The argument that is filled, where it is not the result. */
          fills: Type.Optional(Type.Integer()),
          /** The only kinds of sinks that it matters to. */
          reaches: Type.Optional(Type.Array(text)),
        },
        strict,
      ),
    ),
    parameters: Type.Optional(
      Type.Array(
        Type.Object(
          {
            what: text,
            /** Regular expressions on the parameter's own annotations, the function's, its name and its type. */
            marks: Type.Optional(text),
            of: Type.Optional(text),
            named: Type.Optional(text),
            typed: Type.Optional(text),
          },
          strict,
        ),
      ),
    ),
    /** A parameter of this name (and no type) in a function marked so, or before these others, is one of these. */
    conventions: Type.Optional(
      Type.Array(Type.Object({ named: text, beside: Type.Optional(text), is: text }, strict)),
    ),
    /** Calls that do not come back: `abort(404)`. */
    exits: Type.Optional(paths),
    /** Marks of functions whose results are sent as pages. */
    pages: Type.Optional(text),
    containers: Type.Optional(Type.Object({ lists: Type.Array(text), maps: Type.Array(text) }, strict)),
    /** Calls that fill the argument `to` from others: `json.Unmarshal(data, &order)`. */
    fills: Type.Optional(
      Type.Array(
        Type.Object({ calls: paths, from: Type.Array(argument), to: Type.Integer({ minimum: 0 }) }, strict),
      ),
    ),
    sanitizers: Type.Array(Type.Object({ clears: Type.Array(text), calls: paths }, strict)),
    sinks: Type.Record(
      Type.String(),
      Type.Object(
        {
          calls: Type.Array(Type.Union([text, sinkDocument])),
          advice: Type.Optional(text),
          id: Type.Optional(text),
          bad: Type.Array(text, { minItems: 1 }),
          ok: Type.Array(text, { minItems: 1 }),
        },
        strict,
      ),
    ),
  },
  strict,
);
type ModelDocument = Static<typeof modelDocument>;
export type ParameterSource = NonNullable<ModelDocument["parameters"]>[number];
export type Convention = NonNullable<ModelDocument["conventions"]>[number];

export interface Source {
  what: string;
  fills: number | null;
  /** Kinds of sinks that it matters to. */
  reaches: ReadonlySet<string>;
  isNumber: boolean;
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
  program: boolean;
  when: readonly Condition[];
  unless: readonly Condition[];
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
  pages: { marks: RegExp; sink: Sink } | null;
  lists: ReadonlySet<string>;
  maps: ReadonlySet<string>;
  sanitizers: PathTable<readonly string[]>;
  sinks: PathTable<Sink>;
}

const documents: Readonly<Record<string, string>> = readModels();

/** Throws when the built-in model is not in order: its test shows it. */
export function readModel(name: string): Model {
  const document = read(name, modelDocument);
  const kinds = read("kinds", Type.Record(Type.String(), kindDocument));
  const special = new Set(document.sources.flatMap((source) => source.reaches ?? []));
  const input = new Set(Object.keys(kinds).filter((kind) => !special.has(kind)));
  const { sinks, rules, page } = readSinks(document, kinds);
  return {
    languages: document.languages,
    words: new RegExp(document.words),
    kinds: Object.keys(kinds),
    rules,
    requests: table((document.requests ?? []).map((path) => [path, true])),
    exits: table((document.exits ?? []).map((path) => [path, true])),
    fills: table(
      (document.fills ?? []).flatMap(({ calls, from, to }) =>
        calls.map((path): [string, Fill] => [path, { from, to }]),
      ),
    ),
    sources: table(
      document.sources.flatMap(({ what, from, fills, reaches }) => {
        const source = {
          what,
          fills: fills ?? null,
          reaches: reaches === undefined ? input : new Set(reaches),
          isNumber: reaches?.includes("weak-random") === true,
        };
        return from.map((path): [string, Source] => [path, source]);
      }),
    ),
    input,
    parameters: document.parameters ?? [],
    conventions: document.conventions ?? [],
    pages:
      document.pages === undefined || page === null
        ? null
        : { marks: new RegExp(document.pages), sink: page },
    lists: new Set(document.containers?.lists),
    maps: new Set(document.containers?.maps),
    sanitizers: table(
      document.sanitizers.flatMap(({ clears, calls }) =>
        calls.map((path): [string, readonly string[]] => [path, clears]),
      ),
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
  let page: Sink | null = null;
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
      const sink = toSink(typeof call === "string" ? { to: [call] } : call, kind, rule, about.sink);
      for (const path of typeof call === "string" ? [call] : call.to) sinks.add(path, sink);
    }
    if (kind === "xss") page = toSink({ to: ["page"] }, kind, rule, about.sink);
  }
  return { sinks, rules, page };
}

function toSink(call: Static<typeof sinkDocument>, kind: string, rule: Rule, noun: string): Sink {
  const conditions = (given: readonly { arg: number | string; is: string; has?: string }[] = []) =>
    given.map(({ arg, is, has }) => ({
      arg,
      is: new RegExp(is),
      has: has === undefined ? null : new RegExp(has),
    }));
  return {
    kind,
    rule,
    noun,
    args: call.args ?? [0],
    program: call.program ?? false,
    when: conditions(call.when),
    unless: conditions(call.unless),
  };
}
