/** Lines that were copied, from the same file or within the pull request. */
import { changed, type Finding, findingAt, newFile, type Rule } from "../rule.ts";
import type { SourceFile } from "../source-file.ts";
import type { PullRequestChange, PullRequestCheck } from "./pull-request-check.ts";

const copiedBlock: Rule = {
  id: "any/copied-block",
  title: "block of code copied",
  category: "maintainability",
  severity: "low",
  cwe: 1041,
  message: "These {count} lines stand at {place} as well.",
  why: "A fault that is mended in one of them stays in the other.",
  advice: "Give them a function that both places call.",
  placement: "summary",
  bad: [
    changed("src/a.ts", steps("total"), steps("total") + steps("sum")),
    {
      ...newFile("src/a.ts", steps("total")),
      alongside: { "src/b.ts": { before: null, after: steps("sum") } },
    },
  ],
  ok: [
    // moved
    changed("src/a.ts", steps("total"), `function first() {}\n${steps("sum")}`),
    newFile("src/a.ts", `${steps("total", 4)}${steps("sum", 4)}`),
    newFile("test/a.test.ts", steps("total") + steps("sum")),
    newFile("src/icons.tsx", icon("Heart") + icon("Eye")),
    newFile("src/a.ts", 'import { a } from "./a.ts";\n'.repeat(30)),
  ],
};

const blockMin = 8;
/** Nobody wrote more by hand. */
const linesMax = 20_000;
/** Of a block's lines, how many must differ from each other: tables and long lists repeat themselves. */
const differentMin = 6;
const charactersMin = 160;

export const copiedBlocks: PullRequestCheck = {
  rules: [copiedBlock],
  wants: () => [],
  *find({ files }: PullRequestChange) {
    const read = files.filter(isRead);
    const added = new Set(read.flatMap((file) => [...file.addedLines()].map(({ text }) => text.trim())));
    const places = new Map<string, Place[]>();
    for (const file of read) for (const place of blocksOf(file.lines, file, added)) remember(places, place);
    const before = new Map<string, number>();
    for (const { baseText } of read)
      for (const { key } of blocksOf(baseText?.split("\n") ?? [], null, added))
        before.set(key, (before.get(key) ?? 0) + 1);
    for (const file of read)
      for (const finding of copiesIn(file, places, before, added)) yield { file, finding };
  },
};

function isRead({ isTest, language, lines, added }: SourceFile): boolean {
  if (isTest || language === null || /^(?:json|yaml|hcl)$/.test(language)) return false;
  return added.size >= blockMin && lines.length <= linesMax;
}

/** So many lines that say something, one after the other. */
interface Place {
  key: string;
  file: SourceFile | null;
  first: number;
  last: number;
}

function remember(places: Map<string, Place[]>, place: Place): void {
  const known = places.get(place.key);
  if (known === undefined) places.set(place.key, [place]);
  else known.push(place);
}

/** Of lines that the pull request added somewhere; what differs in white space only is the same. */
function* blocksOf(
  lines: readonly string[],
  file: SourceFile | null,
  added: ReadonlySet<string>,
): Generator<Place> {
  let run: { text: string; line: number }[] = [];
  for (const [index, line] of lines.entries()) {
    const text = line.trim();
    if (!isTelling(text)) continue;
    run = added.has(text) ? [...run.slice(1 - blockMin), { text, line: index + 1 }] : [];
    if (run.length < blockMin) continue;
    const texts = run.map((one) => one.text);
    const block = texts.join("\n");
    if (block.length < charactersMin || new Set(texts).size < differentMin) continue;
    yield { key: Bun.hash(block).toString(36), file, first: run[0]?.line ?? 0, last: index + 1 };
  }
}

/** Not brackets, comments, imports or markup, which repeat themselves wherever people write them. */
function isTelling(text: string): boolean {
  return (
    /\w/.test(text) &&
    !/^(?:\/\/|\/?\*|#|--|import\b|from\b|use\b|using\b|package\b|@\w+$)/.test(text) &&
    !markup.test(text)
  );
}

const markup = /^(?:<\/?[\w.]|[\w:.-]+=["'{]|[^;]*<\/\w+>$)/;

/** One finding for each run of copied lines, at the later of two places of one file. */
function* copiesIn(
  file: SourceFile,
  places: ReadonlyMap<string, readonly Place[]>,
  before: ReadonlyMap<string, number>,
  added: ReadonlySet<string>,
): Generator<Finding> {
  let copy: { first: number; last: number; other: Place } | null = null;
  for (const block of blocksOf(file.lines, file, added)) {
    const others = places.get(block.key) ?? [];
    const other = others.find((one) => isEarlier(one, block));
    const isCopy = other !== undefined && (before.get(block.key) ?? 0) < others.length && isAdded(block);
    if (isCopy && copy !== null && block.first <= copy.last) copy.last = block.last;
    else if (isCopy) {
      if (copy !== null) yield told(copy, file);
      copy = { first: block.first, last: block.last, other };
    }
  }
  if (copy !== null) yield told(copy, file);
}

function isAdded({ file, first, last }: Place): boolean {
  for (let line = first; line <= last; line += 1)
    if (file?.added.has(line) === false && isTelling(file.lines[line - 1]?.trim() ?? "")) return false;
  return true;
}

/** In another file whose path sorts before, or above in the same one; or anywhere when that is not new. */
function isEarlier(other: Place, block: Place): boolean {
  if (other.file === null || block.file === null) return false;
  if (other.file === block.file)
    return other.last < block.first || (other.first > block.last && !isAdded(other));
  return other.file.path < block.file.path || !isAdded(other);
}

function told(
  { first, last, other }: { first: number; last: number; other: Place },
  file: SourceFile,
): Finding {
  const place = other.file === file ? `line ${other.first}` : `\`${other.file?.path}:${other.first}\``;
  const values = { count: `${last - first + 1}`, place };
  return { ...findingAt(copiedBlock, last, values), startLine: first };
}

function steps(name: string, count = 10): string {
  const body = Array.from(
    { length: count },
    (_, index) => `  const part${index} = read(source, ${index});\n`,
  );
  return `function ${name}(source) {\n${body.join("")}}\n`;
}

function icon(name: string): string {
  const attributes = [
    "height",
    "width",
    "fill",
    "stroke",
    "strokeWidth",
    "strokeLinecap",
    "viewBox",
    "xmlns",
    "className",
  ];
  return `function ${name}() {\n  return (\n    <svg\n${attributes.map((one) => `      ${one}="the value of ${one}"\n`).join("")}    />\n  );\n}\n`;
}
