/** What the checks know of the repository beyond the changed files: where the words are that they asked for. */
import type { Tree } from "web-tree-sitter";
import type { FoundLine } from "../../../domain/search.ts";
import { type Language, languageOf } from "../languages.ts";
import { loadLanguage, parse } from "../parser/syntax.ts";
import { splitLines } from "../source-file.ts";

/** A file to look for uses in: a changed one, or one that the search found. */
export interface CodeText {
  readonly path: string;
  readonly text: string;
  /** Line n is `lines[n - 1]`; no line endings. */
  readonly lines: readonly string[];
  readonly language: Language | null;
  readonly tree: Tree | null;
}

/** What was searched for and found, as it goes to the worker. */
export interface SearchedRepository {
  /** By word; a word that stands in too many places to be of use is not there. */
  lines: ReadonlyMap<string, readonly FoundLine[]>;
  /** Files that hold a word and were asked for whole, by path. */
  texts: ReadonlyMap<string, string>;
}

export class RepositoryAtHead {
  private readonly found: SearchedRepository;
  private readonly opened = new Map<string, CodeText>();

  private constructor(found: SearchedRepository) {
    this.found = found;
  }

  static async open(found: SearchedRepository): Promise<RepositoryAtHead> {
    const repository = new RepositoryAtHead(found);
    for (const [path, text] of found.texts) {
      const language = languageOf(path, "");
      if (language !== null) await loadLanguage(language);
      repository.opened.set(path, new UnchangedFile(path, text, language));
    }
    return repository;
  }

  /** Where the word stands, changed files too; null when it was not looked for, or stands everywhere. */
  linesWith(word: string): readonly FoundLine[] | null {
    return this.found.lines.get(word) ?? null;
  }

  /** Unchanged files that hold the word, of those that were read. */
  filesWith(word: string): CodeText[] {
    const paths = new Set(this.linesWith(word)?.map(({ path }) => path));
    return [...this.opened.values()].filter(({ path }) => paths.has(path));
  }
}

class UnchangedFile implements CodeText {
  readonly path: string;
  readonly text: string;
  readonly language: Language | null;
  private split: readonly string[] | null = null;
  private parsed: Tree | null = null;

  constructor(path: string, text: string, language: Language | null) {
    this.path = path;
    this.text = text;
    this.language = language;
  }

  get lines(): readonly string[] {
    this.split ??= splitLines(this.text);
    return this.split;
  }

  get tree(): Tree | null {
    if (this.language === null) return null;
    this.parsed ??= parse(this.language, this.text).tree;
    return this.parsed;
  }
}
