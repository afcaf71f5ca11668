/** Who calls a name in a file, and what is given; calls whose arguments cannot be counted are left out. */
import type { Node } from "web-tree-sitter";
import type { Language } from "../languages.ts";
import { nodesNamed } from "./nodes-named.ts";
import type { CodeText } from "./repository-at-head.ts";
import type { Call } from "./signature.ts";

const callNodes = new Set([
  "call",
  "call_expression",
  "new_expression",
  "method_invocation",
  "object_creation_expression",
  "invocation_expression",
  "function_call_expression",
  "scoped_call_expression",
  "member_call_expression",
  "constructor_invocation",
]);

export function* callsIn(user: CodeText, name: string): Generator<Call> {
  const { language } = user;
  if (language === null) return;
  for (const named of nodesNamed(user, name)) {
    const node = callOf(named);
    if (node === null || node.hasError) continue;
    const callee = calleeOf(node);
    const given = callee?.named.id === named.id ? givenTo(node, language) : null;
    if (callee === null || given === null) continue;
    yield {
      line: node.startPosition.row + 1,
      lastLine: node.endPosition.row + 1,
      receiver: callee.receiver,
      within: classAround(node),
      ...given,
    };
  }
}

/** Between a call and its name stand a receiver and type arguments at most. */
const levelsMax = 4;

function callOf(named: Node): Node | null {
  let at: Node | null = named.parent;
  for (let level = 0; level < levelsMax && at !== null; level += 1, at = at.parent) {
    if (callNodes.has(at.type)) return at;
  }
  return null;
}

interface Callee {
  named: Node;
  receiver: string | null;
}

function calleeOf(node: Node): Callee | null {
  const scope = node.childForFieldName("object") ?? node.childForFieldName("scope");
  const name = node.childForFieldName("name");
  if (name !== null) return { named: name, receiver: scope?.text ?? null };
  const called =
    node.childForFieldName("function") ??
    node.childForFieldName("constructor") ??
    node.childForFieldName("type") ??
    node.namedChild(0);
  return called === null ? null : split(called);
}

/** `a.b` and `a::b` are the name `b` of `a`; type arguments are not part of a name. */
function split(node: Node): Callee | null {
  if (/^generic_/.test(node.type)) {
    const inner = node.childForFieldName("function") ?? node.namedChild(0);
    return inner === null ? null : split(inner);
  }
  if (/identifier$|^name$/.test(node.type) && node.namedChildCount === 0)
    return { named: node, receiver: null };
  const [first, last] = [node.namedChild(0), node.namedChild(node.namedChildCount - 1)];
  if (first === null || last === null || first.id === last.id || !qualified.test(node.type)) return null;
  return { named: last, receiver: first.text };
}

const qualified =
  /^(?:attribute|member_expression|selector_expression|member_access_expression|navigation_expression|scoped_identifier|field_expression|qualified_name|scoped_type_identifier)$/;

function givenTo(node: Node, language: Language): Pick<Call, "positional" | "keywords"> | null {
  const list =
    node.childForFieldName("arguments") ??
    node.namedChildren.find((child) =>
      /^(?:value_arguments|arguments|argument_list)$/.test(child?.type ?? ""),
    ) ??
    null;
  if (list === null || list.type === "generator_expression" || hasTrailingBlock(node)) return null;
  const positional: string[] = [];
  const keywords: string[] = [];
  const given = list.namedChildren.filter((child) => child !== null && !/comment/.test(child.type));
  for (const argument of given) {
    if (argument === null) continue;
    if (
      /splat|spread|variadic/.test(argument.type) ||
      /^(?:spread|variadic)/.test(argument.namedChild(0)?.type ?? "")
    )
      return null;
    const keyword = keywordOf(argument);
    if (keyword === null) positional.push(argument.text);
    else keywords.push(keyword);
  }
  // In Go one call may give all the arguments of another.
  if (language === "go" && given.length === 1 && given[0]?.type === "call_expression") return null;
  return { positional, keywords };
}

/** `tax=1`, `tax: 1` */
function keywordOf(argument: Node): string | null {
  if (!/^(?:keyword_argument|argument|value_argument)$/.test(argument.type) || argument.childCount < 3)
    return null;
  return /^(\w+)\s*[:=](?![:=])/.exec(argument.text)?.[1] ?? null;
}

/** `open(path) { … }` gives one argument more than its list. */
function hasTrailingBlock(node: Node): boolean {
  const around = node.parent;
  return (
    around?.type === "call_expression" &&
    around.namedChild(0)?.id === node.id &&
    around.namedChildren.some((child) => /lambda/.test(child?.type ?? ""))
  );
}

function classAround(node: Node): string | null {
  for (let at = node.parent; at !== null; at = at.parent) {
    if (/^(?:class|impl|object|struct|record)_?(?:definition|declaration|item|specifier)?$/.test(at.type))
      return (
        /^\w+/.exec((at.childForFieldName("name") ?? at.childForFieldName("type"))?.text ?? "")?.[0] ?? null
      );
  }
  return null;
}
