/** The parameters of a function, in the languages whose calls can be held to them. */
import type { Node } from "web-tree-sitter";
import type { Language } from "../languages.ts";
import type { Parameter } from "./signature.ts";

/** `list` is the node that holds the parameters. Null when it cannot be told what the function takes. */
export function parametersIn(language: Language, list: Node): Parameter[] | null {
  const read = readers[language];
  if (read === undefined || list.hasError) return null;
  return read(list);
}

const readers: Partial<Record<Language, (list: Node) => Parameter[] | null>> = {
  python,
  javascript: script,
  typescript: script,
  tsx: script,
  go,
  java: byNodes({ formal_parameter: needed, spread_parameter: rest, receiver_parameter: none }),
  csharp,
  kotlin,
  rust: byNodes({ parameter: needed, self_parameter: none, attribute_item: unreadable }),
  c: (list) =>
    list.namedChildCount === 0
      ? // `f()` says nothing about what it takes (C11 6.7.6.3).
        [{ name: "", kind: "rest" }]
      : list.text.replace(/\s/g, "") === "(void)"
        ? []
        : byNodes({ parameter_declaration: needed, variadic_parameter: rest })(list),
  php: byNodes({
    simple_parameter: valued,
    property_promotion_parameter: valued,
    variadic_parameter: rest,
  }),
};

type ReadParameter = (node: Node) => Parameter[] | null;

function byNodes(readers: Readonly<Record<string, ReadParameter>>): (list: Node) => Parameter[] | null {
  return (list) => {
    const found: Parameter[] = [];
    for (const node of list.namedChildren) {
      if (node === null || /comment/.test(node.type)) continue;
      const parameters = readers[node.type]?.(node) ?? null;
      if (parameters === null) return null;
      found.push(...parameters);
    }
    return found;
  };
}

function needed(node: Node): Parameter[] {
  return [{ name: nameOf(node), kind: "needed" }];
}

function rest(node: Node): Parameter[] {
  return [{ name: nameOf(node), kind: "rest" }];
}

function valued(node: Node): Parameter[] {
  const kind = node.childForFieldName("default_value") === null ? "needed" : "optional";
  return [{ name: nameOf(node).replace(/^\$/, ""), kind }];
}

function none(): Parameter[] {
  return [];
}

function unreadable(): null {
  return null;
}

/** What stands for a parameter is written in many ways; a pattern has no name. */
function nameOf(node: Node): string {
  for (const field of ["name", "pattern", "declarator"]) {
    const child = node.childForFieldName(field);
    if (child !== null) return /^\$?[\w$]+$/.test(child.text) ? child.text : nameOf(child);
  }
  return node.namedChildCount === 0 && /^\w+$/.test(node.text) && node.type === "identifier" ? node.text : "";
}

function python(list: Node): Parameter[] | null {
  const found: Parameter[] = [];
  let byName = false;
  for (const node of list.namedChildren) {
    if (node === null || node.type === "comment" || node.type === "positional_separator") continue;
    const splat = /^(\*{1,2})(\w*)/.exec(node.text);
    if (splat !== null) {
      const [, stars, name = ""] = splat;
      if (node.type !== "keyword_separator") found.push({ name, kind: stars === "**" ? "keywords" : "rest" });
      byName = true;
      continue;
    }
    const optional = /default_parameter$/.test(node.type);
    const name = /^\w+/.exec(node.text)?.[0] ?? "";
    found.push({
      name,
      kind: byName ? (optional ? "optional-keyword" : "keyword") : optional ? "optional" : "needed",
    });
  }
  return found;
}

function script(list: Node): Parameter[] | null {
  // `a => …`
  if (list.type === "identifier") return [{ name: list.text, kind: "needed" }];
  const found: Parameter[] = [];
  for (const node of list.namedChildren) {
    if (node === null || node.type === "comment") continue;
    const pattern = node.childForFieldName("pattern") ?? node.childForFieldName("left") ?? node;
    if (pattern.type === "this") continue;
    if (node.text.startsWith("@")) return null;
    const name = pattern.type === "identifier" ? pattern.text : "";
    const hasValue = node.type === "assignment_pattern" || node.childForFieldName("value") !== null;
    if (pattern.type === "rest_pattern") found.push({ name: "", kind: "rest" });
    else found.push({ name, kind: hasValue || node.type === "optional_parameter" ? "optional" : "needed" });
  }
  return found;
}

function go(list: Node): Parameter[] | null {
  const found: Parameter[] = [];
  for (const node of list.namedChildren) {
    if (node === null || node.type === "comment") continue;
    if (node.type === "variadic_parameter_declaration") found.push({ name: "", kind: "rest" });
    else if (node.type !== "parameter_declaration") return null;
    else {
      const names = node.childrenForFieldName("name").flatMap((name) => (name === null ? [] : [name.text]));
      for (const name of names.length === 0 ? [""] : names) found.push({ name, kind: "needed" });
    }
  }
  return found;
}

function csharp(list: Node): Parameter[] | null {
  // `params` and attributes are not told apart by the tree.
  if (/\bparams\b|\[|__arglist/.test(list.text)) return null;
  const found: Parameter[] = [];
  for (const node of list.namedChildren) {
    if (node === null || node.type === "comment") continue;
    if (node.type !== "parameter" || /^this\b/.test(node.text)) return null;
    const optional = node.children.some((child) => child?.type === "=");
    found.push({ name: nameOf(node), kind: optional ? "optional" : "needed" });
  }
  return found;
}

/** A default value, and `vararg`, stand beside their parameter. */
function kotlin(list: Node): Parameter[] | null {
  const found: Parameter[] = [];
  for (const node of list.namedChildren) {
    if (node === null || /comment/.test(node.type)) continue;
    if (node.type === "parameter_modifiers" || /^(?:@|vararg\b)/.test(node.text)) return null;
    const last = found.at(-1);
    if (node.type === "parameter" || node.type === "class_parameter") {
      const name = node.namedChildren.find((child) => child?.type === "identifier")?.text ?? "";
      const optional = node.children.some((child) => child?.type === "=");
      found.push({ name, kind: optional ? "optional" : "needed" });
    } else if (last !== undefined) last.kind = "optional";
  }
  return found;
}
