/** A changed file as the detectors see it: both sides whole, their syntax trees, and which lines were added. */
import type { Node, Tree } from "web-tree-sitter";
import { addedLines, type DiffFile } from "../../domain/diff.ts";
import { isTestPath } from "../../domain/test-path.ts";
import { type Language, languageOf } from "./languages.ts";
import { type PlainNode, plainTree } from "./parser/plain-tree.ts";
import { parse, type Syntax } from "./parser/syntax.ts";

/** Larger files are generated, or too much for what a review waits. */
const codeCharactersMax = 400_000;

export class SourceFile {
  readonly path: string;
  /** Null when no grammar knows the file; scanners read it all the same. */
  readonly language: Language | null;
  readonly diff: DiffFile;
  /** The head side; where `whole` is false, only the lines that the diff shows, the others empty. */
  readonly text: string;
  /** Line n is `lines[n - 1]`; no line endings. */
  readonly lines: readonly string[];
  /** The base side whole; null for an added file and where it could not be read. */
  readonly baseText: string | null;
  readonly whole: boolean;
  readonly added: ReadonlySet<number>;
  /** Tests, fixtures and examples: much that is wrong in a product is right in them. */
  readonly isTest: boolean;
  private readonly parses: boolean;
  private headSyntax: Syntax | null = null;
  private headCode: PlainNode | null = null;
  private baseSyntax: Syntax | null = null;

  /** `parses` false: read as text alone, because its tree took too long or the language was not loaded. */
  constructor(sides: { diff: DiffFile; head: Uint8Array | null; base: Uint8Array | null; parses: boolean }) {
    const { diff, head, base } = sides;
    this.path = diff.path;
    this.diff = diff;
    this.text = head === null ? linesOfDiff(diff).join("\n") : decode(head);
    this.lines = splitLines(this.text);
    this.language = languageOf(diff.path, this.lines[0] ?? "");
    this.baseText = base === null ? null : decode(base);
    this.whole = head !== null;
    this.added = new Set(addedLines(diff));
    this.isTest = isTestPath(diff.path);
    this.parses = sides.parses;
  }

  /** Whether `syntax` is there; nothing is parsed for the answer. */
  get hasSyntax(): boolean {
    return this.language !== null && this.whole && this.parses;
  }

  /** The head side's syntax; null without a grammar and for a file that is not there whole. */
  get syntax(): Syntax | null {
    if (this.language === null || !this.hasSyntax) return null;
    this.headSyntax ??= parse(this.language, this.text);
    return this.headSyntax;
  }

  get tree(): Tree | null {
    return this.syntax?.tree ?? null;
  }

  /** The head side's tree as plain nodes, made once; null where there is no grammar, or too much text. */
  get code(): PlainNode | null {
    if (this.text.length > codeCharactersMax || this.tree === null) return null;
    this.headCode ??= plainTree(this.tree, this.text);
    return this.headCode;
  }

  /** The base side's tree; null where there is no base side or no grammar. */
  get baseTree(): Tree | null {
    if (this.language === null || this.baseText === null || !this.parses) return null;
    this.baseSyntax ??= parse(this.language, this.baseText);
    return this.baseSyntax.tree;
  }

  /** The added lines with their numbers, ascending. */
  *addedLines(): Generator<{ line: number; text: string }> {
    for (const line of this.added) {
      const text = this.lines[line - 1];
      if (text !== undefined) yield { line, text };
    }
  }

  /** Whether the node starts on a line that the pull request added. */
  starts(node: Node): boolean {
    return this.added.has(node.startPosition.row + 1);
  }
}

export function splitLines(text: string): string[] {
  return text.split(/\r?\n/);
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder("utf-8").decode(bytes);
}

function linesOfDiff(diff: DiffFile): string[] {
  const lines: string[] = [];
  for (const line of diff.hunks.flatMap((hunk) => hunk.lines)) {
    if (line.kind === "removed") continue;
    while (lines.length < line.newLine) lines.push("");
    lines[line.newLine - 1] = line.text;
  }
  return lines;
}
