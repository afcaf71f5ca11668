/** Holds the code to what ARCHITECTURE.md says of it: what a folder may import, and the invariants that a text can show. */
import { describe, expect, test } from "bun:test";
import { dirname, join, normalize } from "node:path";

const root = join(import.meta.dir, "..");
const sources = await readSources();
const rules = await readImportTable();

describe("the architecture", () => {
  test("gives every folder and file at the top of src a row in ARCHITECTURE.md", () => {
    const unlisted = [...new Set(sources.map(({ area }) => area))].filter((area) => !rules.has(area));
    expect(unlisted).toEqual([]);
  });

  test("has no row for what is no longer there", () => {
    const areas = new Set(sources.map(({ area }) => area));
    expect([...rules.keys()].filter((area) => !areas.has(area))).toEqual([]);
  });

  test("lets a folder import only the folders that its row names", () => {
    const violations = sources.flatMap(({ path, area, imports }) =>
      imports.filter(isRelative).flatMap((specifier) => {
        const target = normalize(join(dirname(path), specifier));
        const allowed = rules.get(area)?.folders ?? [];
        const targetArea = areaOf(target);
        if (!target.startsWith("src/") || targetArea === area) return [];
        return allowed.includes("everything") || allowed.includes(targetArea) ? [] : [`${path} → ${target}`];
      }),
    );
    expect(violations).toEqual([]);
  });

  test("lets a folder import only the packages that its row names", () => {
    const named = [...rules.values()].flatMap(({ packages }) => packages);
    const violations = sources.flatMap(({ path, area, imports }) =>
      imports
        .filter((specifier) => !isRelative(specifier))
        .filter((specifier) => {
          if (rules.get(area)?.packages.some((pattern) => names(pattern, specifier))) return false;
          const isFree = specifier.startsWith("node:") && !named.some((pattern) => names(pattern, specifier));
          return !isFree;
        })
        .map((specifier) => `${path} → ${specifier}`),
    );
    expect(violations).toEqual([]);
  });

  test("tells the time, makes randomness and reads the environment in one place each", () => {
    expect(filesWith(/\bnew Date\(\)|\bDate\.now\(/, "system.ts")).toEqual([]);
    expect(filesWith(/\b(process|Bun|import\.meta)\.env\b/, "config.ts")).toEqual([]);
    expect(filesWith(/\bMath\.random\(|\bcrypto\.(getRandomValues|randomUUID)\(/, "system.ts")).toEqual([]);
  });

  test("keeps files short", () => {
    const lengths = sources.map(({ path, text }) => ({ path, lines: text.trimEnd().split("\n").length }));
    expect(lengths.filter(({ lines }) => lines > 300)).toEqual([]);
    expect(median(lengths.map(({ lines }) => lines))).toBeLessThan(80);
  });

  test("keeps folders shallow and named after what they are about", () => {
    const vague = /\/(utils?|helpers?|common|shared|services?|core|misc|lib)(\/|\.ts$)/;
    expect(sources.map(({ path }) => path).filter((path) => vague.test(path))).toEqual([]);
    const folders = [...new Set(sources.map(({ path }) => dirname(path)))];
    const tooDeep = folders.filter(
      (folder) => folder.split("/").length > 4 && !folder.includes("/catalogue"),
    );
    expect(tooDeep).toEqual([]);
  });

  test("leaves nothing for later, exports by name and avoids any and enums", () => {
    expect(filesWith(/\b(TODO|FIXME|XXX|HACK)\b/)).toEqual([]);
    expect(filesWith(/^export default\b/m)).toEqual([]);
    expect(filesWith(/(:|\bas|<) ?any\b(?![\w-])|^\s*(export )?(const )?enum /m)).toEqual([]);
  });
});

interface Source {
  path: string;
  /** The first step below src: `review/`, `app.ts`. */
  area: string;
  text: string;
  imports: string[];
}

async function readSources(): Promise<Source[]> {
  const paths = [...new Bun.Glob("src/**/*.ts").scanSync(root)].sort();
  return Promise.all(
    paths.map(async (path) => {
      const text = await Bun.file(join(root, path)).text();
      return { path, area: areaOf(path), text: codeOf(text), imports: importsOf(text) };
    }),
  );
}

function areaOf(path: string): string {
  const [, first = "", ...rest] = path.split("/");
  return rest.length > 0 ? `${first}/` : first;
}

function importsOf(text: string): string[] {
  const statement =
    /^\s*(?:import|export)\b[^;"']*?\bfrom\s*"([^"\n]+)"|^\s*import\s+"([^"\n]+)"|\bimport\(\s*"([^"\n]+)"/gm;
  return [...text.matchAll(statement)].map(([, from, bare, dynamic]) => from ?? bare ?? dynamic ?? "");
}

/** Without comments and texts, in as many lines. */
function codeOf(text: string): string {
  const comment = /\/\*[\s\S]*?\*\/|(^|\s)\/\/.*$/gm;
  return text.replace(comment, (all) => all.replace(/[^\n]/g, "")).replace(/"(?:[^"\\\n]|\\.)*"/g, '""');
}

/** The rows of ARCHITECTURE.md's code map: | folder | what | may import | packages |. */
async function readImportTable(): Promise<Map<string, { folders: string[]; packages: string[] }>> {
  const text = await Bun.file(join(root, "ARCHITECTURE.md")).text();
  const [, table = ""] = text.split("| folder | what | may import | packages |");
  const rows = table.split("\n\n")[0]?.split("\n").slice(2) ?? [];
  return new Map(
    rows.map((row) => {
      const [, area = "", , folders = "", packages = ""] = row.split("|");
      const inBackticks = (cell: string) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name);
      const allowed = folders.includes("everything") ? ["everything"] : inBackticks(folders);
      return [inBackticks(area)[0] ?? area, { folders: allowed, packages: inBackticks(packages) }];
    }),
  );
}

/** `kysely` names `kysely` and `kysely/…`; `tree-sitter-*` names what begins so. */
function names(pattern: string, specifier: string): boolean {
  if (pattern.endsWith("*")) return specifier.startsWith(pattern.slice(0, -1));
  return specifier === pattern || specifier.startsWith(`${pattern}/`);
}

function isRelative(specifier: string): boolean {
  return specifier.startsWith(".");
}

function filesWith(pattern: RegExp, exceptFor = ""): string[] {
  return sources.filter(({ area, text }) => area !== exceptFor && pattern.test(text)).map(({ path }) => path);
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
}
