/** An environment variable, an option or a function that is gone, while documents or settings still tell people to use it. */
import { findingAt, type Rule } from "../rule.ts";
import type { SourceFile } from "../source-file.ts";
import type { RepositoryAtHead } from "../uses/repository-at-head.ts";
import { placesText } from "./places.ts";
import type { PullRequestCheck } from "./pull-request-check.ts";
import { removedLinesOf } from "./removed-lines.ts";

const reading = 'import os\n\nHOST = os.environ["SHOP_HOST"]\nRETRIES = os.environ["SHOP_RETRIES"]\n';
const afterwards = reading.slice(0, reading.indexOf("RETRIES"));

const leftOver: Rule = {
  id: "any/left-over-name",
  title: "documents name what is gone",
  category: "documentation",
  severity: "low",
  cwe: null,
  message: "`{name}` went with this change, and no code knows it any more, but {places} still {verb} it.",
  why: "Who follows that sets or calls something that has no effect.",
  advice: "Take it out there, too, or name what has taken its place.",
  placement: "summary",
  bad: [
    example(reading, afterwards, { "README.md": "Set `SHOP_RETRIES` to try again.\n" }),
    example(reading, afterwards, { "compose.yaml": "environment:\n  SHOP_RETRIES: 3\n" }),
    example('parser.add_argument("--keep-going")\nrun()\n', "run()\n", {
      "docs/usage.md": "    shop --keep-going\n",
    }),
    example("def gross_price(net):\n    return net\n\n\nrun()\n", "run()\n", {
      "docs/prices.rst": "Call ``gross_price(1)``.\n",
    }),
  ],
  ok: [
    example(reading, afterwards, { "CHANGELOG.md": "- `SHOP_RETRIES` is gone.\n" }),
    example(reading, afterwards, { "README.md": "Nothing.\n" }),
    example(reading, afterwards, {
      "README.md": "Set `SHOP_RETRIES`.\n",
      "shop/other.py": 'x = os.environ["SHOP_RETRIES"]\n',
    }),
    example(reading, `${afterwards}class Settings:\n    shop_retries: int\n`, {
      "README.md": "Set `SHOP_RETRIES` to try again.\n",
    }),
    example(reading, afterwards, { "README.md": "`SHOP_RETRIES` is no longer supported.\n" }),
  ],
};

export const leftOverNames: PullRequestCheck = {
  rules: [leftOver],
  wants: () => [],
  asks: (files) =>
    files.flatMap(({ diff, head }) =>
      diff.hunks.flatMap((hunk) =>
        hunk.lines.flatMap((line) => {
          const gone = line.kind === "removed" ? goneName(line.text) : null;
          return gone === null || head?.includes(gone.name) ? [] : [{ word: gone.name, readIn: [] }];
        }),
      ),
    ),
  *find({ files, repository }) {
    if (repository === null) return;
    const added = normal(files.flatMap((file) => [...file.addedLines()].map(({ text }) => text)).join("\n"));
    for (const file of files) {
      if (file.isTest || file.language === null) continue;
      const said = new Set<string>();
      for (const { text, at } of removedLinesOf(file)) {
        const gone = goneName(text);
        if (gone === null || said.has(gone.name) || isReplaced(gone.name, added)) continue;
        const places = leftOverPlaces(gone, file, repository);
        if (places.length === 0) continue;
        said.add(gone.name);
        const verb = places.length === 1 ? "names" : "name";
        const values = { name: gone.name, places: placesText(places), verb };
        yield { file, finding: { ...findingAt(leftOver, at, values), about: "removed" } };
      }
    }
  },
};

interface Gone {
  name: string;
  /** Variables are also set where programs are deployed. */
  kind: "variable" | "option" | "symbol";
}

const variable =
  /(?:\benviron(?:\.get\(|\[)|\bgetenv\(|\bGetenv\(|\bLookupEnv\(|\bENV(?:\.fetch\(|\[)|\bGetEnvironmentVariable\(|\benv::var\(|\benv\()\s*["']([A-Z][A-Z0-9_]{5,60})["']|\bprocess\.env\.([A-Z][A-Z0-9_]{5,60})\b/;
const option =
  /(?:\badd_argument\(|\boption\(|\badd_option\(|\.(?:String|Bool|Int|Duration)(?:VarP?|P)?\(|\.Flag\(|\blong\s*=|\.long\().{0,80}?["'](--)?([a-z][a-z0-9]+(?:-[a-z0-9]+)+)["' =]/;
const symbol =
  /^(?:async\s+)?def\s+([a-z]\w*_\w+)\(|^class\s+([A-Z]\w+)|^export\s+(?:async\s+)?(?:function|class|const)\s+([A-Za-z]\w+)|^func\s+([A-Z]\w+)\(/;

/** Of names that no word of a text is by chance: in several parts. */
function goneName(text: string): Gone | null {
  const line = text.slice(0, 300);
  const [, indexed, dotted] = variable.exec(line) ?? [];
  const read = indexed ?? dotted;
  if (read !== undefined) return read.includes("_") ? { name: read, kind: "variable" } : null;
  const offered = option.exec(line)?.[2];
  if (offered !== undefined) return offered.length >= 8 ? { name: `--${offered}`, kind: "option" } : null;
  const defined = symbol
    .exec(line)
    ?.slice(1)
    .find((name) => name !== undefined);
  return defined !== undefined && isCompound(defined) ? { name: defined, kind: "symbol" } : null;
}

function isCompound(name: string): boolean {
  return name.length >= 8 && (/[a-z]_[a-z]/.test(name) || /[a-z][A-Z]/.test(name));
}

/** Settings classes and option parsers make one name of another: `SHOP_RETRIES` of `retries`, `--dry-run` of `dryRun`. */
function isReplaced(name: string, added: string): boolean {
  const parts = name.replace(/^--/, "").split(/[_-]/);
  return (
    added.includes(normal(name)) || (parts.length > 2 && added.includes(normal(parts.slice(1).join(""))))
  );
}

function normal(text: string): string {
  return text.replace(/[_-]/g, "").toLowerCase();
}

const documents = /\.(?:md|mdx|rst|adoc)$/i;
/** They tell of the past on purpose, or of other versions. */
const history =
  /change|history|news|release|upgrad|migrat|deprecat|roadmap|(^|\/)(?:adr|rfcs?|blog|archive|proposals?|versioned_docs|locales?|i18n|translations?)\//i;
const deployments = /(^|\/)(?:\.env[\w.-]*|Dockerfile[\w.-]*|[\w.-]*compose[\w.-]*\.ya?ml|Procfile)$/;
const toldGone =
  /\b(?:no longer|removed?|deprecated|obsolete|renamed|replaced|dropped|gone|unsupported|was)\b/i;

/** Empty as soon as anything else still knows the name. */
function leftOverPlaces({ name, kind }: Gone, file: SourceFile, repository: RepositoryAtHead) {
  const lines = repository.linesWith(name);
  if (lines === null) return [];
  const isPlace = (path: string) => documents.test(path) || (kind === "variable" && deployments.test(path));
  if (lines.some(({ path }) => !isPlace(path)) || file.text.includes(name)) return [];
  return lines.filter(({ path, text }) => !history.test(path) && !toldGone.test(text));
}

function example(
  before: string,
  after: string,
  others: Readonly<Record<string, string>>,
): Rule["bad"][number] {
  const alongside = Object.fromEntries(
    Object.entries(others).map(([other, text]) => [other, { before: text, after: text }]),
  );
  return { path: "shop/settings.py", before, after, alongside };
}
