/** Asks the code host where words stand, once a review, and reads the files that are to be looked at whole. */
import type { ReviewEngineInput } from "../../../domain/review-engine.ts";
import type { Logger } from "../../../domain/runtime.ts";
import { type FoundLine, searchedWordsMax } from "../../../domain/search.ts";
import { hasNewText } from "../review-files.ts";
import { hasWord } from "./has-word.ts";
import type { SearchedRepository } from "./repository-at-head.ts";

export interface Question {
  word: string;
  /** Files with one of these endings that hold the word are read whole: `.py`. */
  readIn: readonly string[];
}

export interface RepositoryAnswer {
  /** Null when nothing was asked, or there is no answer. */
  found: SearchedRepository | null;
  /** For the summary. */
  problems: readonly string[];
}

/** A word on more lines than this is a common one, of which nothing can be told. */
const linesOfAWordMax = 300;
const filesReadMax = 60;
const filesOfAWordMax = 25;
const fileBytesMax = 300_000;

/** Written by programs or by others. */
const foreign = /(^|\/)(?:vendor|node_modules|third[_-]party|dist|\.yarn|bower_components)\/|\.min\.\w+$/;

export async function searchRepository(
  input: ReviewEngineInput,
  questions: readonly Question[],
  logger: Logger,
): Promise<RepositoryAnswer> {
  const words = [...new Set(questions.map(({ word }) => word))].slice(0, searchedWordsMax);
  if (words.length === 0) return { found: null, problems: [] };
  try {
    const lines = await input.search(words, "head");
    if (lines === null) return { found: null, problems: [] };
    const byWord = linesByWord(words, lines);
    return { found: { lines: byWord, texts: await readFiles(input, questions, byWord) }, problems: [] };
  } catch (error) {
    input.signal.throwIfAborted();
    logger.warn("the repository could not be searched", { repository: input.pr.repository, error });
    const problem =
      "the repository could not be searched: who uses what was changed is known of the changed files alone";
    return { found: null, problems: [problem] };
  }
}

function linesByWord(words: readonly string[], lines: readonly FoundLine[]) {
  const own = lines.filter(({ path }) => !foreign.test(path));
  const found = words.map(
    (word) => [word, own.filter(({ text }) => text.includes(word) && hasWord(text, word))] as const,
  );
  return new Map(found.filter(([, places]) => places.length <= linesOfAWordMax));
}

async function readFiles(
  input: ReviewEngineInput,
  questions: readonly Question[],
  found: ReadonlyMap<string, readonly FoundLine[]>,
): Promise<ReadonlyMap<string, string>> {
  const changed = new Set(input.diff.files.filter(hasNewText).map(({ path }) => path));
  const wanted = questions.flatMap(({ word, readIn }) => {
    const paths = new Set(found.get(word)?.map(({ path }) => path));
    return [...paths]
      .filter((path) => !changed.has(path) && readIn.some((ending) => path.endsWith(ending)))
      .slice(0, filesOfAWordMax);
  });
  const texts = new Map<string, string>();
  for (const path of [...new Set(wanted)].slice(0, filesReadMax)) {
    input.signal.throwIfAborted();
    const bytes = await input.readFile(path, "head");
    if (bytes !== null && bytes.byteLength <= fileBytesMax) texts.set(path, new TextDecoder().decode(bytes));
  }
  return texts;
}
