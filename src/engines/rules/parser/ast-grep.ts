/**
 * Starts @ast-grep/wasm 0.45.3 on web-tree-sitter 0.26 and mends two things in it. Its own entry point expects the
 * bundler to instantiate the module, which Bun does not; so that is done here. And it never deletes the trees it makes
 * (34 MB leaked per 281 files were measured), so every tree is remembered and `releaseTrees` gives them back.
 */
import type { SgRoot } from "@ast-grep/wasm";
import * as astGrep from "@ast-grep/wasm/wasm_bg.js";
import astGrepWasm from "@ast-grep/wasm/wasm_bg.wasm" with { type: "file" };
import { Language as Grammar, Parser, Tree } from "web-tree-sitter";
import treeSitterWasm from "web-tree-sitter/web-tree-sitter.wasm" with { type: "file" };
import type { Language } from "../languages.ts";
import { grammarBytes, readWasm } from "./grammars.ts";

/** A syntax tree under both of its interfaces: ast-grep's for patterns, tree-sitter's for everything else. */
export interface Syntax {
  root: SgRoot;
  tree: Tree;
}

const started = once(startParsers);
const loaded = new Map<Language, Promise<void>>();
const living = new Set<Tree>();

/** Must have resolved before `parse` is called for the language. */
export async function loadLanguage(language: Language): Promise<void> {
  const loading = loaded.get(language) ?? started().then(() => register(language));
  loaded.set(language, loading);
  await loading;
}

/** The trees live until `releaseTrees`. Throws when the parser gives up. */
export function parse(language: Language, text: string): Syntax {
  const root = astGrep.parse(language, text);
  const tree: unknown = root.getInnerTree();
  if (!(tree instanceof Tree)) throw new Error(`@ast-grep/wasm gave no tree for ${language}`);
  return { root, tree };
}

interface DumpedPattern {
  kind: string;
  isNamed: boolean;
  text?: string;
  /** What a leaf is in the pattern. */
  pattern?: "metaVar" | "terminal" | string;
  children: readonly DumpedPattern[];
}

/** The kind of node that a pattern matches; null when it is a single meta-variable, which matches any. */
export function patternKind(
  language: Language,
  pattern: string,
  selector: string | undefined,
): string | null {
  const dumped: DumpedPattern = astGrep.dumpPattern(language, pattern, selector);
  return dumped.pattern === "metaVar" ? null : dumped.kind;
}

/** The names that stand literally in a pattern. */
export function patternWords(language: Language, pattern: string, selector: string | undefined): string[] {
  const words = (node: DumpedPattern): string[] =>
    node.pattern === "terminal" && /^\w{3,}$/.test(node.text ?? "")
      ? [node.text ?? ""]
      : node.children.flatMap(words);
  return words(astGrep.dumpPattern(language, pattern, selector));
}

export function releaseTrees(): void {
  for (const tree of living) tree.delete();
  living.clear();
}

async function startParsers(): Promise<void> {
  const bytes = await readWasm(astGrepWasm);
  const { instance } = await WebAssembly.instantiate(bytes, { "./wasm_bg.js": { ...astGrep } });
  astGrep.__wbg_set_wasm(instance.exports);
  const start = instance.exports.__wbindgen_start;
  if (typeof start !== "function") throw new Error("@ast-grep/wasm has no start function");
  start();
  await Parser.init({ wasmBinary: await readWasm(treeSitterWasm) });
  loadGrammarsByName();
  rememberTrees();
  // Without this call the first parse spins for ever.
  await astGrep.initializeTreeSitter();
}

async function register(language: Language): Promise<void> {
  // `$` cannot start a name in most languages, so patterns are rewritten to a letter that can.
  const expandoChar = languagesWithDollar.has(language) ? "$" : "µ";
  await astGrep.registerDynamicLanguage({ [language]: { libraryPath: language, expandoChar } });
}

const languagesWithDollar: ReadonlySet<Language> = new Set([
  "bash",
  "java",
  "javascript",
  "json",
  "tsx",
  "typescript",
  "yaml",
]);

/** ast-grep hands `libraryPath` to `Language.load`; ours is the language's name, looked up among the embedded grammars. */
function loadGrammarsByName(): void {
  const load = Grammar.load.bind(Grammar);
  Grammar.load = async (name) => load(typeof name === "string" ? await grammarBytes(name as Language) : name);
}

function rememberTrees(): void {
  const { parse: parseText } = Parser.prototype;
  const { copy } = Tree.prototype;
  Parser.prototype.parse = function (...input) {
    const tree = parseText.apply(this, input);
    if (tree !== null) living.add(tree);
    return tree;
  };
  Tree.prototype.copy = function () {
    const tree = copy.apply(this);
    living.add(tree);
    return tree;
  };
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | null = null;
  return () => {
    made ??= make();
    return made;
  };
}
