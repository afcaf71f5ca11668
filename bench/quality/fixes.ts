/**
 * Bug fixes of the public sets as small pull requests. Where a set has only the patch, a file holds the patch's hunks at
 * their line numbers and nothing between them.
 */
import { createTwoFilesPatch } from "diff";
import { parseHunks } from "../../src/code-hosts/patch.ts";
import type { DiffLine, Hunk } from "../../src/domain/diff.ts";
import { fetchRepository, fetchTags, git } from "./fetch.ts";
import { bugsJsProjects, fixSets } from "./sets.ts";

export type FixSet = keyof typeof fixSets;

export interface FixCase {
  /** `Chart-1`: how the set names it. */
  name: string;
  files: readonly ChangedFile[];
}

export interface ChangedFile {
  path: string;
  before: string;
  after: string;
  hunks: readonly Hunk[];
}

/** Every case from the bug to its fix. */
export async function readFixes(set: FixSet, mirror: string | null): Promise<FixCase[]> {
  const directory = set === "bugsjs" ? "" : await fetchRepository(fixSets[set], mirror);
  const { commit } = fixSets[set];
  const cases = {
    quixbugs: () => quixBugs(directory, commit),
    bugsinpy: () => patches(directory, commit, /^projects\/([^/]+)\/bugs\/(\d+)\/bug_patch\.txt$/),
    // These patches go from the fix to the bug.
    defects4j: async () =>
      (await patches(directory, commit, /^framework\/projects\/([^/]+)\/patches\/(\d+)\.src\.patch$/)).map(
        reversed,
      ),
    bugsjs: () => bugsJs(mirror),
  };
  return (await cases[set]()).filter(({ files }) => files.length > 0);
}

/** The same change the other way round: the fix is taken back. */
export function reversed({ name, files }: FixCase): FixCase {
  return {
    name,
    files: files.map(({ path, before, after, hunks }) => ({
      path,
      before: after,
      after: before,
      hunks: hunks.map(reversedHunk),
    })),
  };
}

function reversedHunk(hunk: Hunk): Hunk {
  const turned = hunk.lines.map((line): DiffLine => {
    if (line.kind === "added") return { kind: "removed", oldLine: line.newLine, text: line.text };
    if (line.kind === "removed") return { kind: "added", newLine: line.oldLine, text: line.text };
    return { ...line, oldLine: line.newLine, newLine: line.oldLine };
  });
  return {
    oldStart: hunk.newStart,
    oldLines: hunk.newLines,
    newStart: hunk.oldStart,
    newLines: hunk.oldLines,
    lines: removedFirst(turned),
  };
}

/** Git shows what was removed before what took its place. */
function removedFirst(lines: readonly DiffLine[]): DiffLine[] {
  const sorted: DiffLine[] = [];
  let added: DiffLine[] = [];
  for (const line of lines) {
    if (line.kind === "added") {
      added.push(line);
      continue;
    }
    if (line.kind === "context") {
      sorted.push(...added);
      added = [];
    }
    sorted.push(line);
  }
  return [...sorted, ...added];
}

async function quixBugs(directory: string, commit: string): Promise<FixCase[]> {
  const tree = await pathsOf(directory, commit);
  const cases: FixCase[] = [];
  for (const path of tree.filter((name) => /^(python|java)_programs\/\w+\.(py|java)$/.test(name))) {
    const fixed = `correct_${path}`;
    if (!tree.includes(fixed)) continue;
    const show = (name: string) => git(["-C", directory, "show", `${commit}:${name}`]);
    const [before, after] = [await show(path), await show(fixed)].map(withoutPackage);
    const hunks = parseHunks(
      createTwoFilesPatch(path, path, before ?? "", after ?? "", "", "", { context: 3 }),
    );
    cases.push({ name: path, files: [{ path, before: before ?? "", after: after ?? "", hunks }] });
  }
  return cases;
}

/** The Java programs say which of the two folders they are in. */
function withoutPackage(text: string): string {
  return text.replace(/^package \w+;/m, "").replaceAll("correct_java_programs", "java_programs");
}

async function patches(directory: string, commit: string, name: RegExp): Promise<FixCase[]> {
  const cases: FixCase[] = [];
  for (const path of await pathsOf(directory, commit)) {
    const [, project, bug] = name.exec(path) ?? [];
    if (project === undefined) continue;
    const patch = await git(["-C", directory, "show", `${commit}:${path}`]);
    cases.push({ name: `${project}-${bug}`, files: filesOfPatch(patch) });
  }
  return cases;
}

async function bugsJs(mirror: string | null): Promise<FixCase[]> {
  const cases: FixCase[] = [];
  for (const project of bugsJsProjects) {
    const directory = await fetchTags(`BugsJS/${project}`, "Bug-*", mirror);
    const tags = (await git(["-C", directory, "tag", "--list", "Bug-*-fix"])).split("\n").filter(Boolean);
    for (const fix of tags) {
      const bug = fix.replace(/-fix$/, "");
      const patch = await git(["-C", directory, "diff", bug, fix, "--", "*.js", ":!*test*"]);
      cases.push({ name: `${project}-${bug}`, files: filesOfPatch(patch) });
    }
  }
  return cases;
}

async function pathsOf(directory: string, commit: string): Promise<string[]> {
  return (await git(["-C", directory, "ls-tree", "-r", "--name-only", commit])).split("\n");
}

function filesOfPatch(patch: string): ChangedFile[] {
  const sections = patch.split(/^(?=diff --git )/m).filter((section) => section.startsWith("diff --git "));
  return sections.flatMap((section) => {
    const path = /^\+\+\+ b\/(.*)$/m.exec(section)?.[1] ?? /^--- a\/(.*)$/m.exec(section)?.[1];
    if (path === undefined) return [];
    const hunks = parseHunks(section);
    return [{ path, hunks, before: textOf(hunks, "old"), after: textOf(hunks, "new") }];
  });
}

function textOf(hunks: readonly Hunk[], side: "old" | "new"): string {
  const lines: string[] = [];
  for (const line of hunks.flatMap((hunk) => hunk.lines)) {
    const number = side === "old" ? oldLineOf(line) : newLineOf(line);
    if (number === null) continue;
    while (lines.length < number) lines.push("");
    lines[number - 1] = line.text;
  }
  return `${lines.join("\n")}\n`;
}

function oldLineOf(line: DiffLine): number | null {
  return line.kind === "added" ? null : line.oldLine;
}

function newLineOf(line: DiffLine): number | null {
  return line.kind === "removed" ? null : line.newLine;
}
