/** Languages and their syntax trees: loaded when first needed, parsed once, given back together. */
import type { SgNode, SgRoot } from "@ast-grep/wasm";
import { Language as Grammar, Parser, type Tree } from "web-tree-sitter";
import treeSitterWasm from "web-tree-sitter/web-tree-sitter.wasm" with { type: "file" };
import type { Language } from "../languages.ts";
import { registerLanguage, rootOf, startAstGrep } from "./ast-grep.ts";
import { Gathering, gatheringId } from "./gathering.ts";
import { grammarBytes, readWasm } from "./grammars.ts";
import { type QuickNode, QuickTree } from "./quick-tree.ts";

const started = once(startParsers);
const loading = new Map<Language, Promise<void>>();
const parsers = new Map<string, Parser>();
const living = new Set<Syntax>();

/** Must have resolved before `parse` is called for the language. */
export async function loadLanguage(language: Language): Promise<void> {
  const loaded = loading.get(language) ?? load(language);
  loading.set(language, loaded);
  await loaded;
}

/** The tree lives until `releaseTrees`. Throws when the parser gives up. */
export function parse(language: Language, text: string): Syntax {
  const tree = parserOf(language).parse(text);
  if (tree === null) throw new Error(`the parser gave up on ${language}`);
  const syntax = new Syntax(tree, language, text);
  living.add(syntax);
  return syntax;
}

/** Neither tree-sitter nor ast-grep gives memory back by itself. */
export function releaseTrees(): void {
  for (const syntax of living) syntax.release();
  living.clear();
}

/** A file's syntax: tree-sitter's tree, and the quick one that rules are matched on. */
export class Syntax {
  readonly tree: Tree;
  private readonly language: Language;
  private readonly text: string;
  private knownQuickTree: QuickTree | null = null;
  private root: SgRoot | null = null;

  constructor(tree: Tree, language: Language, text: string) {
    this.tree = tree;
    this.language = language;
    this.text = text;
  }

  get top(): QuickNode {
    return this.quickTree.top;
  }

  /**
   * Those of the nodes (null = of all in the file) that match, with what the rule's variables matched. Throws when the
   * rule does not compile.
   */
  matches(matcher: object, nodes: readonly QuickNode[] | null): SgNode[] {
    this.root ??= rootOf(this.language, this.quickTree);
    if (nodes === null) return this.root.root().findAll(matcher);
    try {
      this.quickTree.rootNode = new Gathering(nodes);
      return this.root
        .root()
        .findAll(matcher)
        .filter((node) => node.id() !== gatheringId);
    } finally {
      this.quickTree.rootNode = this.top;
    }
  }

  release(): void {
    this.root?.free();
    this.tree.delete();
  }

  private get quickTree(): QuickTree {
    this.knownQuickTree ??= new QuickTree(this.tree, this.text);
    return this.knownQuickTree;
  }
}

async function startParsers(): Promise<void> {
  await Parser.init({ wasmBinary: await readWasm(treeSitterWasm) });
  await startAstGrep();
}

async function load(language: Language): Promise<void> {
  await started();
  const grammar = await Grammar.load(await grammarBytes(language));
  const parser = new Parser();
  parser.setLanguage(grammar);
  parsers.set(language, parser);
  await registerLanguage(language, grammar);
}

function parserOf(language: Language): Parser {
  const parser = parsers.get(language);
  if (parser === undefined) throw new Error(`${language} was not loaded`);
  return parser;
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | null = null;
  return () => {
    made ??= make();
    return made;
  };
}
