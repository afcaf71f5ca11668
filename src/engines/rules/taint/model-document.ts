/** The form of the model files, `models/<language>.yml` and `models/kinds.yml`. */
import { Type } from "@sinclair/typebox";
import { severities } from "../../../domain/comment.ts";
import { languages } from "../languages.ts";

const text = Type.String({ minLength: 1 });
const strict = { additionalProperties: false };
const paths = Type.Array(text, { minItems: 1 });
const argument = Type.Union([Type.Integer({ minimum: 0 }), text]);

export const kindDocument = Type.Object(
  {
    title: text,
    cwe: Type.Integer(),
    severity: Type.Union(severities.map((severity) => Type.Literal(severity))),
    /** What it is called in the message: `this query`. */
    sink: text,
    why: text,
    advice: text,
    /** The kind whose checks and sanitizers make input harmless here too. */
    like: Type.Optional(text),
  },
  strict,
);

/** The argument's constant, or its name, or with `has` those of its entry under such a key, match. */
export const conditionDocument = Type.Object({ arg: argument, is: text, has: Type.Optional(text) }, strict);

export const sinkDocument = Type.Object(
  {
    to: paths,
    /** Positions or keywords; `receiver` = what the method is called on; without it the first. */
    args: Type.Optional(Type.Array(argument)),
    /** Of an argument that has named entries, the only ones that do harm: the text of a query, not its values. */
    entries: Type.Optional(Type.Array(text)),
    /** A list is a program and its arguments: only the program itself, or what a shell reads, does harm. */
    program: Type.Optional(Type.Boolean()),
    /** A text does harm there, an object that holds it does not. */
    text: Type.Optional(Type.Boolean()),
    /** The only input that does harm there, by what it is called. */
    from: Type.Optional(Type.Array(text)),
    when: Type.Optional(Type.Array(conditionDocument)),
    unless: Type.Optional(Type.Array(conditionDocument)),
  },
  strict,
);

export const modelDocument = Type.Object(
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
          /** Only in what holds input that is called so: a parameter of an address from the request. */
          inside: Type.Optional(text),
          /** Only as a property that is read: methods by any name give anything. */
          property: Type.Optional(Type.Boolean()),
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
            /** Kinds of sinks that it can do nothing to. */
            without: Type.Optional(Type.Array(text)),
            /** The type is one whose fields the file declares. */
            declared: Type.Optional(Type.Boolean()),
          },
          strict,
        ),
      ),
    ),
    /** A parameter of this name (and no type) of a function called or marked so, or beside these others, is one of these. */
    conventions: Type.Optional(
      Type.Array(
        Type.Object({ named: text, beside: Type.Optional(text), of: Type.Optional(text), is: text }, strict),
      ),
    ),
    /**
     * Functions elsewhere that give back what they are given, in another form. Where a model names them, input ends in
     * all others: what a program's own functions give may be cleaned, looked up or something else.
     */
    passing: Type.Optional(paths),
    /** Methods that give back what they are called on. */
    fluent: Type.Optional(paths),
    /** Calls that do not come back: `abort(404)`. */
    exits: Type.Optional(paths),
    /** What a path gives that libraries elsewhere declare: `gin.Context.Request` is an `http.Request`. */
    types: Type.Optional(Type.Array(Type.Object({ of: paths, is: text }, strict))),
    /** Functions whose results are sent, by regular expressions: on the path or the text of a mark, on the value's name. */
    pages: Type.Optional(
      Type.Array(
        Type.Object(
          {
            path: Type.Optional(text),
            marks: Type.Optional(text),
            is: Type.Optional(text),
            kind: Type.Optional(text),
          },
          strict,
        ),
      ),
    ),
    containers: Type.Optional(Type.Object({ lists: Type.Array(text), maps: Type.Array(text) }, strict)),
    /** Calls that fill the argument `to` from others: `json.Unmarshal(data, &order)`. */
    fills: Type.Optional(
      Type.Array(
        Type.Object({ calls: paths, from: Type.Array(argument), to: Type.Integer({ minimum: 0 }) }, strict),
      ),
    ),
    sanitizers: Type.Array(
      Type.Object(
        { clears: Type.Array(text), calls: paths, when: Type.Optional(Type.Array(conditionDocument)) },
        strict,
      ),
    ),
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
