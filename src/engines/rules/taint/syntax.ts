/** What the interpreter runs: a small language that every adapter translates its syntax trees to. */

export type Constant = string | number | boolean | null;

interface Placed {
  /** The head side's line, from 1. */
  line: number;
}

export type Expression = Placed &
  (
    | { kind: "constant"; value: Constant }
    | { kind: "name"; name: string }
    /** What `path` names elsewhere: `require("fs")`. */
    | { kind: "module"; path: string }
    | { kind: "member"; object: Expression; name: string }
    | { kind: "index"; object: Expression; index: Expression }
    /** A part of a text or list. */
    | { kind: "slice"; object: Expression; from: Expression | null; to: Expression | null }
    | { kind: "call"; callee: Expression; args: readonly Argument[]; creates: boolean }
    | { kind: "operation"; operator: Operator; operands: readonly Expression[] }
    | { kind: "choice"; test: Expression; consequence: Expression; alternative: Expression }
    | { kind: "assign"; target: Expression; value: Expression }
    | { kind: "list"; items: readonly Expression[] }
    | { kind: "map"; entries: readonly { key: Expression; value: Expression }[] }
    | { kind: "cast"; type: string; value: Expression }
    | { kind: "function"; code: FunctionCode }
    /** What a function gives back when that is several values. */
    | { kind: "results"; items: readonly Expression[] }
    /** One of them; after the first, of the call that was run last. */
    | { kind: "result"; of: Expression; at: number }
    /** Anything else: it may be made of its parts. */
    | { kind: "opaque"; parts: readonly Expression[] }
  );

/** `concat` makes text of its operands; `in` asks whether the second holds the first; `is` and `not` as in Python. */
export type Operator =
  | "+"
  | "-"
  | "*"
  | "/"
  | "%"
  | "concat"
  | "=="
  | "!="
  | "<"
  | "<="
  | ">"
  | ">="
  | "in"
  | "and"
  | "or"
  | "not"
  | "other";

export interface Argument {
  /** Of a keyword argument: `shell=True`. */
  name: string | null;
  value: Expression;
}

export type Statement = Placed &
  (
    | { kind: "run"; value: Expression }
    | { kind: "declare"; name: string; type: string | null; value: Expression | null }
    | { kind: "if"; test: Expression; consequence: readonly Statement[]; alternative: readonly Statement[] }
    | { kind: "loop"; test: Expression | null; body: readonly Statement[]; update: readonly Statement[] }
    | { kind: "each"; target: Expression; of: Expression; body: readonly Statement[] }
    | { kind: "switch"; subject: Expression; cases: readonly SwitchCase[] }
    | {
        kind: "try";
        body: readonly Statement[];
        handlers: readonly (readonly Statement[])[];
        last: readonly Statement[];
      }
    | { kind: "return"; value: Expression | null }
    | { kind: "throw"; value: Expression | null }
    | { kind: "break" }
    | { kind: "continue" }
    | { kind: "block"; body: readonly Statement[] }
    | { kind: "function"; code: FunctionCode }
    | { kind: "class"; name: string; body: readonly Statement[] }
    /** What a class or struct declares, by its fields' names. */
    | { kind: "fields"; name: string; types: ReadonlyMap<string, string> }
    /** `name` stands for what `path` names elsewhere. */
    | { kind: "import"; name: string; path: string }
  );

export interface SwitchCase {
  /** Null = the default. */
  tests: readonly Expression[] | null;
  body: readonly Statement[];
  /** Goes on with the next case's body where its own does not break. */
  fallsThrough: boolean;
}

export interface FunctionCode {
  name: string;
  parameters: readonly Parameter[];
  body: readonly Statement[];
  /** The decorators or annotations, each as the path of its name and its source text. */
  marks: readonly Mark[];
  line: number;
}

export interface Mark {
  name: string;
  text: string;
}

export interface Parameter extends Placed {
  name: string;
  type: string | null;
  marks: readonly Mark[];
}
