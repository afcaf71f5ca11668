/** The functions, methods and constructors of a file whose callers can be held to what they take. */
import type { Node, Tree } from "web-tree-sitter";
import type { Language } from "../languages.ts";
import { parametersIn } from "./parameters.ts";
import type { Definition } from "./signature.ts";

const functions: Partial<Record<Language, readonly string[]>> = {
  python: ["function_definition"],
  javascript: ["function_declaration", "variable_declarator", "method_definition"],
  typescript: ["function_declaration", "function_signature", "variable_declarator", "method_definition"],
  go: ["function_declaration", "method_declaration"],
  java: ["method_declaration", "constructor_declaration", "record_declaration"],
  csharp: ["method_declaration", "constructor_declaration"],
  kotlin: ["function_declaration", "primary_constructor", "secondary_constructor"],
  rust: ["function_item"],
  c: ["function_definition"],
  php: ["function_definition", "method_declaration"],
};

/** Of those names, by owner and name. One that is there twice is nobody's to judge: which of them a call means cannot be told. */
export function definitionsIn(
  tree: Tree,
  language: Language,
  names: readonly string[],
): ReadonlyMap<string, Definition> {
  const kinds = functions[language === "tsx" ? "typescript" : language] ?? [];
  const found = new Map<string, Definition | null>();
  for (const node of tree.rootNode.descendantsOfType([...kinds])) {
    if (node === null || !isWanted(nameOf(node), names) || isLocal(node)) continue;
    const definition = definitionOf(node, language);
    if (definition === null || !names.includes(definition.name)) continue;
    const key = `${definition.owner ?? ""}.${definition.name}`;
    found.set(
      key,
      found.has(key) || definition.parameters === null
        ? null
        : { ...definition, parameters: definition.parameters },
    );
  }
  return new Map([...found].flatMap(([key, one]) => (one === null ? [] : [[key, one] as const])));
}

/** A constructor is called by its class, and may have no name of its own. */
function isWanted(name: string, names: readonly string[]): boolean {
  return names.includes(name) || /^(?:constructor|__init__|__construct|)$/.test(name);
}

type Unread = Omit<Definition, "parameters"> & { parameters: Definition["parameters"] | null };

function definitionOf(node: Node, language: Language): Unread | null {
  const head = node.type === "variable_declarator" ? node.childForFieldName("value") : node;
  const list = head === null ? null : parameterList(head);
  const ownName = nameOf(node);
  if (
    list === null ||
    (node.type === "variable_declarator" && !/^(?:arrow_function|function)/.test(head?.type ?? ""))
  )
    return null;
  // Of an object, not of a class; a property that is computed.
  if (
    node.type === "method_definition" &&
    (node.parent?.type !== "class_body" || /^(?:static )?[gs]et\b/.test(node.text))
  )
    return null;
  const container = containerOf(node);
  const owner = node.type === "record_declaration" ? ownName : ownerOf(node, container);
  const isConstructor =
    /constructor|record_declaration/.test(node.type) ||
    /^(?:constructor|__init__|__construct)$/.test(ownName);
  if (isConstructor && owner === null) return null;
  const parameters = isReplaced(node) ? null : parametersIn(language, list);
  const isBound = language === "python" && owner !== null && !isStatic(node);
  return {
    name: isConstructor ? (owner ?? "") : ownName,
    kind: isConstructor ? "constructor" : owner === null ? "function" : "method",
    owner,
    inherits: container !== null && inherits(container),
    line: node.startPosition.row + 1,
    lastLine: list.endPosition.row + 1,
    parameters: isBound ? (parameters?.slice(1) ?? null) : parameters,
  };
}

function parameterList(node: Node): Node | null {
  const direct = node.childForFieldName("parameters") ?? node.childForFieldName("parameter");
  if (direct !== null) return direct;
  const declarator = node.childForFieldName("declarator");
  if (declarator !== null) return parameterList(declarator);
  return (
    node.namedChildren.find((child) =>
      /^(?:class_parameters|function_value_parameters)$/.test(child?.type ?? ""),
    ) ?? null
  );
}

function nameOf(node: Node): string {
  const name = node.childForFieldName("name");
  if (name !== null) return name.text;
  const declarator = node.childForFieldName("declarator");
  if (declarator === null) return "";
  return declarator.type === "identifier" ? declarator.text : nameOf(declarator);
}

const containers =
  /^(?:class|interface|object|trait|enum|struct|record|abstract_class|companion)_?\w*|^impl_item$/;

function containerOf(node: Node): Node | null {
  for (let at = node.parent; at !== null; at = at.parent) {
    if (containers.test(at.type) && !/body$|parameter/.test(at.type)) return at;
  }
  return null;
}

function ownerOf(node: Node, container: Node | null): string | null {
  const receiver = node.childForFieldName("receiver");
  if (receiver !== null) return /\*?\s*([A-Za-z_]\w*)\s*(?:\[[^\]]*\])?\s*\)$/.exec(receiver.text)?.[1] ?? "";
  if (container === null) return null;
  const named = container.childForFieldName("name") ?? container.childForFieldName("type");
  return /^\w+/.exec(named?.text ?? "")?.[0] ?? "";
}

/** A superclass, an interface, a trait: what it says of the function may be what calls mean. */
function inherits(container: Node): boolean {
  if (container.childForFieldName("trait") !== null) return true;
  const bases = container.childForFieldName("superclasses");
  if (bases !== null) return !/^\((?:object)?\)$/.test(bases.text);
  return container.namedChildren.some((child) =>
    /^(?:superclass|super_interfaces|base_list|class_heritage|delegation_specifiers|base_clause|class_interface_clause|extends)/.test(
      child?.type ?? "",
    ),
  );
}

/** Within another function nobody else can call it. */
function isLocal(node: Node): boolean {
  for (let at = node.parent; at !== null; at = at.parent) {
    if (/^(?:function|method|arrow|generator|constructor|lambda|func_literal)/.test(at.type)) return true;
    if (/^(?:statement_block|block|if_statement|try_statement|preproc)/.test(at.type) && at.parent !== null) {
      if (!/class|impl|declaration_list|module|namespace/.test(at.parent.type)) return true;
    }
  }
  return false;
}

/** A decorator, an annotation or a macro may have made something else of it; nothing is known of an override. */
function isReplaced(node: Node): boolean {
  const around = node.parent;
  if (node.type === "function_signature") return true;
  if (around?.type === "decorated_definition")
    return around.namedChildren.some(
      (child) => child?.type === "decorator" && !/^@(?:staticmethod|classmethod)\s*$/.test(child.text),
    );
  if (node.previousNamedSibling?.type === "attribute_item" || node.previousNamedSibling?.type === "decorator")
    return true;
  return node.namedChildren.some(
    (child) =>
      /^(?:modifiers|attribute_list|modifier|decorator|override_modifier)$/.test(child?.type ?? "") &&
      /@|\[|\b(?:override|abstract|virtual|operator|infix|expect|actual)\b/.test(child?.text ?? ""),
  );
}

function isStatic(node: Node): boolean {
  const around = node.parent;
  return around?.type === "decorated_definition" && /^@staticmethod\b/.test(around.text);
}
