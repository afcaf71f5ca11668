/**
 * Reviews the commits that brought a bug in: those that `git blame` names for the lines which the bug's fix replaced.
 * What is said of them close to the bug is the nearest thing to "found it in review" that histories can tell.
 */
import type { ReviewEngine } from "../../src/domain/review-engine.ts";
import { fetchRepository, fetchTags, git } from "./fetch.ts";
import { reviewRange } from "./ordinary.ts";
import { isOrdinary } from "./pull-requests.ts";
import { blamedProjects, bugsJsProjects, fixSets } from "./sets.ts";

export interface BlamedResult {
  set: BlamedSet;
  commits: number;
  /** Commits with at least one inline comment. */
  flagged: number;
  /** Commits with one that is near a line of the bug. */
  near: number;
}

export type BlamedSet = keyof typeof bugsOf;

interface Bug {
  directory: string;
  buggy: string;
  fixed: string;
}

interface BlamedCommit {
  directory: string;
  commit: string;
  lines: BlamedLine[];
}

/** A line of the bug as the commit wrote it. */
interface BlamedLine {
  path: string;
  line: number;
}

const nearLines = 5;

const bugsOf = { bugsjs: bugsJsBugs, bugsinpy: bugsInPyBugs, defects4j: defects4jBugs };

export async function reviewBlamedCommits(
  engine: ReviewEngine,
  mirror: string | null,
): Promise<BlamedResult[]> {
  const results: BlamedResult[] = [];
  for (const set of Object.keys(bugsOf) as BlamedSet[]) {
    const result = { set, commits: 0, flagged: 0, near: 0 };
    for (const { directory, commit, lines } of await blamedCommits(await bugsOf[set](mirror))) {
      const range = { base: `${commit}^1`, head: commit };
      if (!(await isOrdinary(directory, range))) continue;
      const { comments } = await reviewRange(engine, directory, `${range.base}..${range.head}`);
      result.commits += 1;
      if (comments.length > 0) result.flagged += 1;
      if (comments.some((comment) => lines.some((line) => isNear(comment, line)))) result.near += 1;
    }
    results.push(result);
  }
  return results;
}

function isNear(comment: BlamedLine, bug: BlamedLine): boolean {
  return comment.path === bug.path && Math.abs(comment.line - bug.line) <= nearLines;
}

async function bugsJsBugs(mirror: string | null): Promise<Bug[]> {
  const bugs: Bug[] = [];
  for (const project of bugsJsProjects) {
    const directory = await fetchTags(`BugsJS/${project}`, "Bug-*", mirror);
    const fixes = (await git(["-C", directory, "tag", "--list", "Bug-*-fix"])).split("\n").filter(Boolean);
    bugs.push(...fixes.map((fixed) => ({ directory, buggy: fixed.replace(/-fix$/, ""), fixed })));
  }
  return bugs;
}

async function bugsInPyBugs(mirror: string | null): Promise<Bug[]> {
  const set = await fetchRepository(fixSets.bugsinpy, mirror);
  const show = (path: string) => git(["-C", set, "show", `${fixSets.bugsinpy.commit}:${path}`]);
  const bugs: Bug[] = [];
  for (const [project, repository] of Object.entries(blamedProjects.bugsinpy)) {
    const directory = await fetchRepository(repository, mirror);
    const numbers = (await show(`projects/${project}/bugs`)).match(/^\d+(?=\/$)/gm) ?? [];
    for (const number of numbers) {
      const info = await show(`projects/${project}/bugs/${number}/bug.info`);
      const commitOf = (key: string) => new RegExp(`^${key}="([0-9a-f]+)"`, "m").exec(info)?.[1];
      const [buggy, fixed] = [commitOf("buggy_commit_id"), commitOf("fixed_commit_id")];
      if (buggy !== undefined && fixed !== undefined) bugs.push({ directory, buggy, fixed });
    }
  }
  return bugs;
}

async function defects4jBugs(mirror: string | null): Promise<Bug[]> {
  const set = await fetchRepository(fixSets.defects4j, mirror);
  const bugs: Bug[] = [];
  for (const [project, repository] of Object.entries(blamedProjects.defects4j)) {
    const directory = await fetchRepository(repository, mirror);
    const list = `${fixSets.defects4j.commit}:framework/projects/${project}/active-bugs.csv`;
    for (const row of (await git(["-C", set, "show", list])).split("\n").slice(1)) {
      const [, buggy = "", fixed = ""] = row.split(",");
      if (buggy !== "" && (await holds(directory, buggy, fixed))) bugs.push({ directory, buggy, fixed });
    }
  }
  return bugs;
}

/** Some bugs are of branches that are no longer there. */
async function holds(directory: string, ...commits: string[]): Promise<boolean> {
  const missing = await git(["-C", directory, "rev-list", "--no-walk", "--ignore-missing", ...commits]);
  return missing.split("\n").filter(Boolean).length === new Set(commits).size;
}

/** Of each bug the commit that wrote most of the lines which its fix replaced. */
async function blamedCommits(bugs: readonly Bug[]): Promise<BlamedCommit[]> {
  const commits = new Map<string, BlamedCommit>();
  for (const bug of bugs) {
    const byCommit = Map.groupBy(await blame(bug), ({ commit }) => commit);
    const [most] = [...byCommit].sort(([, a], [, b]) => b.length - a.length);
    if (most === undefined) continue;
    const [commit, lines] = most;
    const known = commits.get(commit) ?? { directory: bug.directory, commit, lines: [] };
    known.lines.push(...lines);
    commits.set(commit, known);
  }
  return [...commits.values()];
}

async function blame({ directory, buggy, fixed }: Bug): Promise<(BlamedLine & { commit: string })[]> {
  const written: (BlamedLine & { commit: string })[] = [];
  for (const { path, ranges } of await replacedLines(directory, buggy, fixed)) {
    const chosen = ranges.flatMap(([first, count]) => ["-L", `${first},+${count}`]);
    const output = await git([
      ...["-C", directory, "blame", "-w", "--line-porcelain", ...chosen, buggy, "--", path],
    ]);
    // Each line: `<commit> <line there> <line here>`, headers, `filename <path there>`, the text after a tab.
    for (const [, commit = "", line, there = ""] of output.matchAll(
      /^([0-9a-f]{40}) (\d+) \d+.*\n(?:(?!\t|filename ).*\n)*filename (.*)$/gm,
    )) {
      written.push({ commit, path: there, line: Number(line) });
    }
  }
  return written;
}

/** The lines of the source that the fix takes away or replaces: `[first, count]` by file. */
async function replacedLines(directory: string, buggy: string, fixed: string) {
  const patch = await git([
    ...["-C", directory, "diff", "-U0", "--no-renames", "--diff-filter=M", buggy, fixed],
    ...["--", "*.js", "*.py", "*.java", ":!*test*", ":!*Test*"],
  ]);
  const sections = patch.split(/^(?=diff --git )/m);
  return sections.flatMap((section) => {
    const path = /^--- a\/(.*)$/m.exec(section)?.[1];
    const ranges = [...section.matchAll(/^@@ -(\d+)(?:,(\d+))? /gm)]
      .map(([, first, count = "1"]): [number, number] => [Number(first), Number(count)])
      .filter(([, count]) => count > 0);
    return path === undefined || ranges.length === 0 ? [] : [{ path, ranges }];
  });
}
