/** A new dependency whose licence asks the same of what is built with it, as far as the lock file tells. */
import { type Example, findingAt, type Rule } from "../rule.ts";
import type { PullRequestChange, PullRequestCheck } from "./pull-request-check.ts";
import { lineOf, managerOf } from "./stale-lock-file.ts";

const copyleftDependency: Rule = {
  id: "any/copyleft-dependency",
  title: "new dependency under a copyleft licence",
  category: "dependency",
  severity: "medium",
  cwe: null,
  message: "`{name}` is new and under {licence}, by the lock file.",
  why: "Whoever passes this program on, or runs it for others, may have to give out its source under the same terms.",
  advice: "Is that agreed on? Otherwise choose another package.",
  placement: "summary",
  bad: [npm("GPL-3.0-only"), npm("AGPL-3.0")],
  ok: [
    npm("MIT"),
    npm("LGPL-2.1"),
    npm("(MIT OR GPL-2.0)"),
    npm("GPL-3.0-only", '"license": "GPL-3.0-or-later",'),
  ],
};

export const copyleftDependencies: PullRequestCheck = {
  rules: [copyleftDependency],
  wants: (diffs) => diffs.flatMap(({ path }) => lockOf(path) ?? []),
  *find({ files, others }: PullRequestChange) {
    for (const file of files) {
      const lock = others.get(lockOf(file.path) ?? "");
      const manager = managerOf(file.path);
      if (lock === undefined || manager === null || isCopyleft(parsed(file.text)?.license)) continue;
      const before = manager.wanted(file.baseText ?? "");
      const licences = licencesIn(lock);
      for (const [name, spec] of manager.wanted(file.text)) {
        const licence = licences.get(name);
        if (before.has(name) || !isCopyleft(licence)) continue;
        const values = { name, licence: String(licence) };
        yield { file, finding: findingAt(copyleftDependency, lineOf(file, name, spec), values) };
      }
    }
  },
};

/** The two lock files that repeat what a package says of its licence. */
function lockOf(path: string): string | null {
  if (/(?:^|\/)package\.json$/.test(path)) return path.replace(/package\.json$/, "package-lock.json");
  return /(?:^|\/)composer\.json$/.test(path) ? path.replace(/json$/, "lock") : null;
}

/** An offer of other terms beside it (`OR`) is none. */
function isCopyleft(licence: unknown): boolean {
  const text = Array.isArray(licence) ? licence.join(" OR ") : String(licence ?? "");
  return /^\(?A?GPL-?\d/i.test(text) && !/\sOR\s|exception/i.test(text);
}

type Json = Readonly<Record<string, unknown>>;

function licencesIn(lock: string): ReadonlyMap<string, unknown> {
  const root = parsed(lock);
  const npmPackages = Object.entries((root?.packages ?? {}) as Json).map(
    ([path, value]): [string, unknown] => [
      path.replace(/^node_modules\//, ""),
      (value as Json | null)?.license,
    ],
  );
  if (!Array.isArray(root?.packages)) return new Map(npmPackages);
  return new Map((root.packages as Json[]).map((one): [string, unknown] => [String(one.name), one.license]));
}

/** A manifest or lock file that cannot be read is another rule's business. */
function parsed(text: string): Json | null {
  try {
    return JSON.parse(text) as Json | null;
  } catch {
    return null;
  }
}

function npm(licence: string, more = ""): Example {
  const manifest = (dependencies: string) => `{\n  ${more}\n  "dependencies": {\n${dependencies}  }\n}\n`;
  const lock = JSON.stringify({ packages: { "node_modules/pdf": { version: "1.0.0", license: licence } } });
  return {
    path: "package.json",
    before: manifest(""),
    after: manifest('    "pdf": "^1.0.0"\n'),
    alongside: { "package-lock.json": { before: lock, after: lock } },
  };
}
