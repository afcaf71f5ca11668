/** A function that wants other arguments than before, while a caller among the changed files gives the old ones. */
import type { Node, Tree } from "web-tree-sitter";
import { type Finding, findingAt, type Rule } from "../rule.ts";
import type { SourceFile } from "../source-file.ts";
import { importsName } from "./published-names.ts";
import type { PullRequestChange, PullRequestCheck } from "./pull-request-check.ts";

const before = "def price(net):\n    return net\n\n\ndef total(net):\n    return price(net)\n";

const staleCaller: Rule = {
  id: "any/caller-not-updated",
  title: "signature changed, caller not",
  category: "bug",
  severity: "high",
  cwe: 628,
  message: "`{name}` now takes {wanted}, but {place} still gives {given}.",
  why: "The call fails as soon as it runs.",
  advice: "Change the call in the same pull request, or give the new parameter a default.",
  placement: "inline",
  bad: [
    { path: "shop/price.py", before, after: before.replace("price(net):", "price(net, tax):") },
    {
      path: "src/price.ts",
      before: "export function price(net: number) {\n  return net;\n}\n",
      after: "export function price(net: number, tax: number) {\n  return net * tax;\n}\n",
      alongside: {
        "src/cart.ts": {
          before: 'import { price } from "./price.ts";\nshow(price(1));\n',
          after: 'import { price } from "./price.ts";\nshow(price(2));\n',
        },
      },
    },
  ],
  ok: [
    { path: "shop/price.py", before, after: before.replace("price(net):", "price(net, tax=1):") },
    {
      path: "shop/price.py",
      before,
      after: before.replace("price(net):", "price(net, tax):").replace("price(net)\n", "price(net, 2)\n"),
    },
    {
      path: "shop/price.py",
      before,
      after: before.replace("price(net):", "price(net, tax):").replace("price(net)\n", "price(*net)\n"),
    },
    {
      path: "shop/price.py",
      before,
      after: before.replace("price(net):", "price(net, tax):").replace("total(net)", "total(net, price)"),
    },
  ],
};

export const staleCallers: PullRequestCheck = {
  rules: [staleCaller],
  wants: () => [],
  *find({ files }: PullRequestChange) {
    for (const file of files) {
      if (file.isTest || !isChecked(file) || !addsDefinition(file)) continue;
      for (const finding of changedSignatures(file, files)) yield { file, finding };
    }
  },
};

/** In JavaScript a missing argument is a habit, not a mistake. */
function isChecked({ language }: SourceFile): boolean {
  return language === "python" || language === "typescript" || language === "tsx";
}

/** Spares the parsing of all other files. */
function addsDefinition(file: SourceFile): boolean {
  if (file.diff.deletions === 0) return false;
  return [...file.addedLines()].some(({ text }) => /\b(?:def|function)\s+\w/.test(text.slice(0, 200)));
}

interface Signature {
  name: string;
  line: number;
  required: number;
  most: number;
}

function* changedSignatures(file: SourceFile, files: readonly SourceFile[]): Generator<Finding> {
  const [old, now] = [signaturesOf(file.baseTree), signaturesOf(file.tree)];
  for (const signature of now.values()) {
    const previous = old.get(signature.name);
    if (previous === undefined || !file.added.has(signature.line)) continue;
    if (signature.required <= previous.required && signature.most >= previous.most) continue;
    const wrong = wrongCall(signature, file, files);
    if (wrong === null) continue;
    const { name } = signature;
    yield findingAt(staleCaller, signature.line, { name, wanted: wanted(signature), ...wrong });
  }
}

function wanted({ required, most }: Signature): string {
  const bound = most === Number.POSITIVE_INFINITY ? "at least " : most > required ? `${required} to ` : "";
  const count = most === Number.POSITIVE_INFINITY ? required : most;
  return `${bound}${count} ${count === 1 ? "argument" : "arguments"}`;
}

function wrongCall(signature: Signature, file: SourceFile, files: readonly SourceFile[]) {
  for (const user of files) {
    if (!isChecked(user) || user.tree === null) continue;
    if (user !== file && !importsName(user, file, signature.name)) continue;
    for (const { line, given } of callsOf(user.tree, signature.name)) {
      if (given >= signature.required && given <= signature.most) continue;
      return { place: `\`${user.path}\` line ${line}`, given: `${given}` };
    }
  }
  return null;
}

/** Plain functions at the top of the module; one that is defined twice or decorated is nobody's to judge. */
function signaturesOf(tree: Tree | null): ReadonlyMap<string, Signature> {
  const found = new Map<string, Signature | null>();
  for (const child of tree?.rootNode.namedChildren ?? []) {
    const definition = child?.type === "export_statement" ? child.childForFieldName("declaration") : child;
    // Overloads: which of the signatures a call means is not for us to tell.
    if (definition?.type === "function_signature")
      found.set(definition.childForFieldName("name")?.text ?? "", null);
    if (definition?.type !== "function_definition" && definition?.type !== "function_declaration") continue;
    const name = definition.childForFieldName("name")?.text ?? "";
    const line = definition.startPosition.row + 1;
    found.set(name, found.has(name) ? null : { name, line, ...countParameters(definition) });
  }
  return new Map(
    [...found].flatMap(([name, signature]) => (signature === null ? [] : [[name, signature] as const])),
  );
}

function countParameters(definition: Node): { required: number; most: number } {
  let [required, most] = [0, 0];
  for (const parameter of definition.childForFieldName("parameters")?.namedChildren ?? []) {
    if (parameter === null || /comment|separator/.test(parameter.type) || parameter.text.startsWith("this:"))
      continue;
    if (/splat_pattern/.test(parameter.type) || /^(?:\.\.\.|\*)/.test(parameter.text)) {
      most = Number.POSITIVE_INFINITY;
      continue;
    }
    most += 1;
    const isOptional = /^(?:default_|typed_default_|optional_)parameter$/.test(parameter.type);
    if (!isOptional && parameter.childForFieldName("value") === null) required += 1;
  }
  return { required, most };
}

/** Calls by the bare name whose arguments can be counted; none where the name is also something else's. */
function* callsOf(tree: Tree, name: string): Generator<{ line: number; given: number }> {
  const calls: Node[] = [];
  for (const call of tree.rootNode.descendantsOfType(["call", "call_expression"])) {
    if (call?.childForFieldName("function")?.text === name) calls.push(call);
  }
  if (calls.length === 0 || isShadowed(tree, name)) return;
  for (const call of calls) {
    const list = call.childForFieldName("arguments");
    if (list === null || list.type === "generator_expression") continue;
    const given = list.namedChildren.filter((argument) => argument !== null && argument.type !== "comment");
    if (given.some((argument) => /splat|spread/.test(argument?.type ?? ""))) continue;
    yield { line: call.startPosition.row + 1, given: given.length };
  }
}

/** A parameter or variable of that name. */
function isShadowed(tree: Tree, name: string): boolean {
  return tree.rootNode.descendantsOfType("identifier").some((node) => {
    if (node?.text !== name) return false;
    const parent = node.parent?.type ?? "";
    return (
      /parameter|^lambda_parameters$|^assignment$|variable_declarator|_pattern$|pattern_list/.test(parent) &&
      node.parent?.childForFieldName("value")?.id !== node.id &&
      node.parent?.childForFieldName("right")?.id !== node.id
    );
  });
}
