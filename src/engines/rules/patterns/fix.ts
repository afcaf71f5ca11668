/** Suggestions out of fix templates: filled in, applied, parsed again, and only then offered. */
import type { SgNode } from "@ast-grep/wasm";
import type { Tree } from "web-tree-sitter";
import type { Language } from "../languages.ts";
import { parse } from "../parser/syntax.ts";
import type { SourceFile } from "../source-file.ts";

export interface Suggestion {
  startLine: number;
  endLine: number;
  /** The new text of those lines, without the final newline. */
  text: string;
}

/** Null when the file would parse worse with it than it does now. */
export function suggestionFor(template: string, match: SgNode, file: SourceFile): Suggestion | null {
  if (file.language === null || file.tree === null) return null;
  const { start, end } = match.range();
  const first = file.lines[start.line] ?? "";
  const last = file.lines[end.line] ?? "";
  const replacement = indented(fill(template, match, file.text), first);
  const text = `${first.slice(0, start.column)}${replacement}${last.slice(end.column)}`;
  const deletes = text.trim() === "";
  const lines = [...file.lines];
  lines.splice(start.line, end.line - start.line + 1, ...(deletes ? [] : [text]));
  if (errorsIn(reparse(file.language, lines.join("\n"))) > errorsIn(file.tree)) return null;
  return { startLine: start.line + 1, endLine: end.line + 1, text: deletes ? "" : text };
}

/** `$NAME` is one node (or what a transform made of it), `$$$NAME` all that stands from the first to the last. */
function fill(template: string, match: SgNode, source: string): string {
  return template.replace(/(\$\$\$|\$)([A-Z_][A-Z0-9_]*)/g, (_, dollars: string, name: string) => {
    if (dollars === "$") return match.getTransformed(name) ?? match.getMatch(name)?.text() ?? "";
    const nodes = match.getMultipleMatches(name);
    const from = nodes[0]?.range().start.index ?? 0;
    return source.slice(from, nodes.at(-1)?.range().end.index ?? from);
  });
}

/** Every line of the replacement but the first stands as deep as the line it replaces. */
function indented(replacement: string, line: string): string {
  const indent = /^\s*/.exec(line)?.[0] ?? "";
  return replacement.trimEnd().replaceAll("\n", `\n${indent}`);
}

function reparse(language: Language, text: string): Tree {
  return parse(language, text).tree;
}

function errorsIn(tree: Tree): number {
  if (!tree.rootNode.hasError) return 0;
  let errors = 0;
  const cursor = tree.walk();
  for (let entered = true; ; ) {
    if (entered) errors += Number(cursor.currentNode.isError || cursor.nodeIsMissing);
    if (entered && cursor.currentNode.hasError && cursor.gotoFirstChild()) continue;
    if (cursor.gotoNextSibling()) entered = true;
    else if (cursor.gotoParent()) entered = false;
    else break;
  }
  cursor.delete();
  return errors;
}
