/** JavaScript's and TypeScript's statements. */

import { field, ofType, type PlainNode } from "../parser/plain-tree.ts";
import { nameAt, opaque } from "./adapter.ts";
import { javascriptExpression, javascriptFunction } from "./javascript.ts";
import type { Expression, Statement, SwitchCase } from "./syntax.ts";

type Translate = (node: PlainNode) => Statement[];

const declaration: Translate = (node) => ofType(node, "variable_declarator").flatMap(declared);
const definition: Translate = (node) => [
  { kind: "function", code: javascriptFunction(node, []), line: node.line },
];

const statements: Readonly<Record<string, Translate>> = {
  statement_block: (node) => node.children.flatMap(javascriptStatements),
  else_clause: (node) => node.children.flatMap(javascriptStatements),
  export_statement: (node) => {
    const value = field(node, "value");
    return value === null ? node.children.flatMap(javascriptStatements) : [ran(value)];
  },
  expression_statement: expressionStatement,
  lexical_declaration: declaration,
  variable_declaration: declaration,
  function_declaration: definition,
  generator_function_declaration: definition,
  class_declaration: classOf,
  abstract_class_declaration: classOf,
  internal_module: (node) => inside(node, "body"),
  method_definition: definition,
  field_definition: (node) => [
    { kind: "run", value: javascriptExpression(field(node, "value")), line: node.line },
  ],
  public_field_definition: fieldOf,
  if_statement: (node) => [
    {
      kind: "if",
      test: javascriptExpression(field(node, "condition")),
      consequence: inside(node, "consequence"),
      alternative: inside(node, "alternative"),
      line: node.line,
    },
  ],
  while_statement: (node) => [
    {
      kind: "loop",
      test: javascriptExpression(field(node, "condition")),
      body: inside(node, "body"),
      update: [],
      line: node.line,
    },
  ],
  do_statement: (node) => [...inside(node, "body"), ...(statements.while_statement?.(node) ?? [])],
  for_statement: (node) => [
    ...inside(node, "initializer"),
    {
      kind: "loop",
      test:
        field(node, "condition") === null ? null : javascriptExpression(unwrapped(field(node, "condition"))),
      body: inside(node, "body"),
      update: [{ kind: "run", value: javascriptExpression(field(node, "increment")), line: node.line }],
      line: node.line,
    },
  ],
  for_in_statement: forEach,
  switch_statement: (node) => [
    {
      kind: "switch",
      subject: javascriptExpression(field(node, "value")),
      cases: (field(node, "body")?.children ?? []).map(caseOf),
      line: node.line,
    },
  ],
  try_statement: (node) => [
    {
      kind: "try",
      body: inside(node, "body"),
      handlers: ofType(node, "catch_clause").map((handler) => inside(handler, "body")),
      last: ofType(node, "finally_clause").flatMap((clause) => inside(clause, "body")),
      line: node.line,
    },
  ],
  return_statement: (node) => [
    {
      kind: "return",
      value: node.children[0] === undefined ? null : javascriptExpression(node.children[0]),
      line: node.line,
    },
  ],
  throw_statement: (node) => [
    { kind: "throw", value: javascriptExpression(node.children[0]), line: node.line },
  ],
  break_statement: (node) => [{ kind: "break", line: node.line }],
  continue_statement: (node) => [{ kind: "continue", line: node.line }],
  labeled_statement: (node) => inside(node, "body"),
  import_statement: importOf,
};

export function javascriptStatements(node: PlainNode): Statement[] {
  const translate = Object.hasOwn(statements, node.type) ? statements[node.type] : undefined;
  return translate?.(node) ?? [];
}

function inside(node: PlainNode, name: string): Statement[] {
  const found = field(node, name);
  return found === null ? [] : javascriptStatements(found);
}

function ran(value: PlainNode): Statement {
  return { kind: "run", value: javascriptExpression(value), line: value.line };
}

/** Calls that do not come back. */
const ends = /^(process\.exit|[\w.]+\.throw|notFound)$/;

function expressionStatement(node: PlainNode): Statement[] {
  const [value] = node.children;
  if (value === undefined) return [];
  const isEnd = value.type === "call_expression" && ends.test(field(value, "function")?.text ?? "");
  return isEnd ? [ran(value), { kind: "throw", value: null, line: node.line }] : [ran(value)];
}

/** `for (const { id } of rows)` binds the names in the body. */
function forEach(node: PlainNode): Statement[] {
  const left = field(node, "left");
  const isPattern = left?.type === "object_pattern";
  const whole = nameAt(node, `value ${node.line}`);
  const keys = field(node, "operator")?.text === "in";
  return [
    {
      kind: "each",
      target: isPattern ? whole : javascriptExpression(left),
      of: keys ? opaque(node, []) : javascriptExpression(field(node, "right")),
      body: [...(isPattern ? bindings(left, whole) : []), ...inside(node, "body")],
      line: node.line,
    },
  ];
}

function unwrapped(node: PlainNode | null): PlainNode | null {
  return node?.type === "expression_statement" ? (node.children[0] ?? null) : node;
}

function caseOf(node: PlainNode): SwitchCase {
  const value = field(node, "value");
  return {
    tests: value === null ? null : [javascriptExpression(value)],
    body: node.children.filter((child) => child.field !== "value").flatMap(javascriptStatements),
    fallsThrough: true,
  };
}

function declared(node: PlainNode): Statement[] {
  const name = field(node, "name");
  const value = field(node, "value");
  if (name === null) return [];
  const module = moduleOf(value);
  if (module !== null) return importedNames(name, module);
  if (name.type.endsWith("_pattern")) {
    const whole = nameAt(node, `value ${node.line}`);
    const kept: Statement = {
      kind: "declare",
      name: whole.kind === "name" ? whole.name : "",
      type: null,
      value: javascriptExpression(value),
      line: node.line,
    };
    return [kept, ...bindings(name, whole)];
  }
  return [
    {
      kind: "declare",
      name: name.text,
      type: typeOf(node),
      value: value === null ? null : javascriptExpression(value),
      line: node.line,
    },
  ];
}

/** `{ a, b: c }` and `[a, b]` as one assignment each. */
export function bindings(pattern: PlainNode, whole: Expression): Statement[] {
  return pattern.children.flatMap((child, at): Statement[] => {
    const { line } = child;
    const key = child.type === "pair_pattern" ? field(child, "key") : child;
    const value = child.type === "pair_pattern" ? field(child, "value") : child;
    const target = value?.type.includes("assignment_pattern") ? field(value, "left") : value;
    if (target === null || key === null || target === undefined) return [];
    if (child.type === "rest_pattern") {
      const rest = child.children[0]?.text ?? "";
      return [{ kind: "declare", name: rest, type: null, value: opaque(child, [whole]), line }];
    }
    const name = key.type.includes("assignment_pattern") ? (field(key, "left")?.text ?? "") : key.text;
    const part: Expression =
      pattern.type === "array_pattern"
        ? { kind: "index", object: whole, index: { kind: "constant", value: at, line }, line }
        : { kind: "member", object: whole, name, line };
    if (target.type === "object_pattern" || target.type === "array_pattern") return bindings(target, part);
    return [{ kind: "declare", name: target.text, type: null, value: part, line }];
  });
}

/** The module that a `require` or an `import` as a call names; null for anything else. */
export function moduleOf(value: PlainNode | null): string | null {
  const named = value?.type === "await_expression" ? (value.children[0] ?? null) : value;
  if (named?.type !== "call_expression") return null;
  if (!/^(require|import)$/.test(field(named, "function")?.text ?? "")) return null;
  const [module] = field(named, "arguments")?.children ?? [];
  return module?.type === "string" ? moduleName(module) : null;
}

function moduleName(node: PlainNode | null | undefined): string {
  return (node?.text.slice(1, -1) ?? "").replace(/^node:/, "");
}

function importedNames(name: PlainNode, module: string): Statement[] {
  const { line } = name;
  if (name.type === "identifier") return [{ kind: "import", name: name.text, path: module, line }];
  return name.children.map((child) => {
    const from = child.type === "pair_pattern" ? (field(child, "key")?.text ?? "") : child.text;
    const to = child.type === "pair_pattern" ? (field(child, "value")?.text ?? "") : child.text;
    return { kind: "import", name: to, path: `${module}.${from}`, line };
  });
}

function importOf(node: PlainNode): Statement[] {
  const module = moduleName(field(node, "source"));
  const { line } = node;
  return ofType(node, "import_clause").flatMap((clause) =>
    clause.children.flatMap((child): Statement[] => {
      if (child.type === "identifier") return [{ kind: "import", name: child.text, path: module, line }];
      if (child.type === "namespace_import")
        return [{ kind: "import", name: child.children[0]?.text ?? "", path: module, line }];
      return ofType(child, "import_specifier").map((one) => {
        const name = field(one, "name")?.text ?? "";
        return { kind: "import", name: field(one, "alias")?.text ?? name, path: `${module}.${name}`, line };
      });
    }),
  );
}

function fieldOf(node: PlainNode): Statement[] {
  const name = field(node, "name")?.text ?? "";
  return [
    {
      kind: "declare",
      name: `this.${name}`,
      type: typeOf(node),
      value: javascriptExpression(field(node, "value")),
      line: node.line,
    },
  ];
}

/** A decorator stands before the method it belongs to. */
export function classOf(node: PlainNode): Statement[] {
  const members = field(node, "body")?.children ?? [];
  const body = members.flatMap((member, at): Statement[] => {
    if (member.type !== "method_definition") return javascriptStatements(member);
    const before = members[at - 1];
    const marks =
      before?.type === "decorator"
        ? [{ name: before.text.replace(/[@(][\s\S]*$/, ""), text: before.text }]
        : [];
    const method: Statement = {
      kind: "function",
      code: javascriptFunction(member, marks),
      line: member.line,
    };
    return [...fieldsOfConstructor(member), method];
  });
  return [{ kind: "class", name: field(node, "name")?.text ?? "", body, line: node.line }];
}

/** `constructor(private readonly users: Repository)` declares `this.users`. */
function fieldsOfConstructor(method: PlainNode): Statement[] {
  const parameters = field(method, "parameters")?.children ?? [];
  return parameters
    .filter((parameter) => ofType(parameter, "accessibility_modifier").length > 0)
    .map((parameter) => ({
      kind: "declare",
      name: `this.${field(parameter, "pattern")?.text ?? ""}`,
      type: typeOf(parameter),
      value: null,
      line: parameter.line,
    }));
}

/** A declared type without its arguments: `Repository` of `Repository<User>`. */
export function typeOf(node: PlainNode): string | null {
  const type = field(node, "type")?.text.replace(/^:\s*/, "") ?? null;
  return type?.replace(/<[\s\S]*>$/, "") ?? null;
}
