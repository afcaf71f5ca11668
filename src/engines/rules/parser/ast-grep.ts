/**
 * Starts @ast-grep/wasm 0.45.3 on web-tree-sitter 0.26. Its own entry point expects the bundler to instantiate the
 * module, which Bun does not; so that is done here. And it gets quick trees instead of tree-sitter's: for a file the one
 * that is there already, for a pattern one that is kept, because it compiles a rule anew at every question.
 */
import type { SgRoot } from "@ast-grep/wasm";
import * as astGrep from "@ast-grep/wasm/wasm_bg.js";
import astGrepWasm from "@ast-grep/wasm/wasm_bg.wasm" with { type: "file" };
import { Language as Grammar, Parser, type Tree } from "web-tree-sitter";
import type { Language } from "../languages.ts";
import { readWasm } from "./grammars.ts";
import { QuickTree } from "./quick-tree.ts";

/** To be called once, after tree-sitter has started. */
export async function startAstGrep(): Promise<void> {
  const bytes = await readWasm(astGrepWasm);
  const imports = { ...astGrep, [importOfNewParser()]: () => new ParserOfAstGrep() };
  const { instance } = await WebAssembly.instantiate(bytes, { "./wasm_bg.js": imports });
  astGrep.__wbg_set_wasm(instance.exports);
  const start = instance.exports.__wbindgen_start;
  if (typeof start !== "function") throw new Error("@ast-grep/wasm has no start function");
  start();
  loadGrammarsByName();
  // Without this call the first parse spins for ever.
  await astGrep.initializeTreeSitter();
}

export async function registerLanguage(language: Language, grammar: Grammar): Promise<void> {
  grammars.set(language, grammar);
  // `$` cannot start a name in most languages, so patterns are rewritten to a letter that can.
  const expandoChar = languagesWithDollar.has(language) ? "$" : "µ";
  await astGrep.registerDynamicLanguage({ [language]: { libraryPath: language, expandoChar } });
}

/** ast-grep hands `libraryPath` to `Language.load`; ours is the name of a language that was loaded already. */
function loadGrammarsByName(): void {
  const load = Grammar.load.bind(Grammar);
  Grammar.load = async (input) => grammars.get(String(input)) ?? load(input);
}

const grammars = new Map<string, Grammar>();

const languagesWithDollar: ReadonlySet<Language> = new Set([
  "bash",
  "java",
  "javascript",
  "json",
  "tsx",
  "typescript",
  "yaml",
]);

/** ast-grep's view of a file that is parsed already. */
export function rootOf(language: Language, tree: QuickTree): SgRoot {
  handedOver = tree;
  try {
    return astGrep.parse(language, tree.source);
  } finally {
    handedOver = null;
  }
}

/** What ast-grep's next parse returns; null while it parses patterns. */
let handedOver: QuickTree | null = null;

class ParserOfAstGrep extends Parser {
  private readonly patterns = new Map<string, QuickTree>();

  override parse(text: string): Tree | null {
    const tree = handedOver ?? this.patternTree(text);
    // It is all of a tree that ast-grep uses.
    return tree as unknown as Tree | null;
  }

  private patternTree(text: string): QuickTree | null {
    const known = this.patterns.get(text);
    if (known !== undefined) return known;
    const parsed = super.parse(text);
    if (parsed === null) return null;
    const tree = new QuickTree(parsed, text);
    this.patterns.set(text, tree);
    return tree;
  }
}

/** wasm-bindgen ends the names of its imports in a hash. */
function importOfNewParser(): string {
  const name = Object.keys(astGrep).find((key) => key.startsWith("__wbg___new_"));
  if (name === undefined) throw new Error("@ast-grep/wasm makes its parsers in another way");
  return name;
}

interface DumpedPattern {
  kind: string;
  isNamed: boolean;
  text?: string;
  /** What a leaf is in the pattern. */
  pattern?: "metaVar" | "terminal" | string;
  children: readonly DumpedPattern[];
}

export interface PatternDescription {
  /** The kind of node that it matches; null when it is a single meta-variable, which matches any. */
  kind: string | null;
  /** The names that stand literally in it. */
  words: readonly string[];
  /** Those that each match binds to one node: `NAME` of `$NAME`. */
  variables: readonly string[];
}

/** Throws what ast-grep throws at an invalid pattern. */
export function describePattern(
  language: Language,
  pattern: string,
  selector: string | undefined,
): PatternDescription {
  const dumped: DumpedPattern = astGrep.dumpPattern(language, pattern, selector);
  const leaves = leavesOf(dumped);
  // Unnamed ones, such as keywords, are compared by kind alone, and not at all behind `$$$`.
  const terminals = leaves.filter((leaf) => leaf.pattern === "terminal" && leaf.isNamed);
  const metaVariables = leaves.filter((leaf) => leaf.pattern === "metaVar");
  return {
    kind: dumped.pattern === "metaVar" ? null : dumped.kind,
    words: terminals.map(({ text = "" }) => text).filter((text) => /^\w{3,}$/.test(text)),
    variables: metaVariables.flatMap(({ text = "" }) => /^\$([A-Z][A-Z0-9_]*)$/.exec(text)?.[1] ?? []),
  };
}

function leavesOf(node: DumpedPattern): DumpedPattern[] {
  return node.pattern === "terminal" || node.pattern === "metaVar" ? [node] : node.children.flatMap(leavesOf);
}
