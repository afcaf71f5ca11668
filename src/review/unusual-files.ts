/** Files that deserve a look whatever stands in them: who owns what, the terms of use, links, programs, build output. */
import type { Diff, DiffFile } from "../domain/diff.ts";
import type { ReadFile } from "../domain/review-engine.ts";

export interface UnusualFile {
  path: string;
  /** What it is, for a person: `terms of use`. */
  what: string;
}

export async function unusualFiles(diff: Diff, readFile: ReadFile): Promise<UnusualFile[]> {
  const found: UnusualFile[] = [];
  for (const file of diff.files) {
    const what = byPath(file) ?? byTarget(file) ?? (await byMode(file, readFile));
    if (what !== null) found.push({ path: file.path, what });
  }
  return found;
}

const terms = /(?:^|\/)(?:LICEN[CS]E|COPYING|NOTICE)(?:[-.][\w.-]{1,40})?$/;
const owners = /^(?:\.github\/|\.gitlab\/|docs\/)?CODEOWNERS$/;
const policy =
  /^(?:\.github\/|docs\/)?SECURITY\.md$|^\.github\/(?:settings|rulesets\/[^/]+)\.(?:ya?ml|json)$/;
const output = /\.(?:jar|war|class|dll|exe|so|dylib|a|o|pyc|node)$/;
const installed = /(?:^|\/)(?:node_modules|bower_components|site-packages|__pycache__|\.venv|venv)\//;

function byPath(file: DiffFile): string | null {
  const verb = file.change === "deleted" ? " removed" : "";
  if (file.change !== "added" && terms.test(file.path) && !onlyNumbersChanged(file))
    return `terms of use${verb}`;
  if (owners.test(file.path)) return `who has to agree to changes${verb}`;
  if (policy.test(file.path)) return `security policy or branch rules${verb}`;
  if (file.change !== "added") return null;
  if (installed.test(file.path)) return "belongs to an installation, not to the source";
  return file.content === "binary" && output.test(file.path) ? "build output, which nobody can review" : null;
}

/** Every January a licence names another year. */
function onlyNumbersChanged({ change, hunks }: DiffFile): boolean {
  const side = (kind: "added" | "removed") =>
    hunks.flatMap(({ lines }) =>
      lines.flatMap((line) => (line.kind === kind ? [line.text.replace(/\d/g, "0")] : [])),
    );
  return change === "modified" && hunks.length > 0 && side("added").join("\n") === side("removed").join("\n");
}

/** Git keeps a link's target as its text. */
function byTarget({ path, content, hunks }: DiffFile): string | null {
  const target = hunks.flatMap(({ lines }) => lines).find(({ kind }) => kind === "added")?.text;
  if (content !== "symlink" || target === undefined) return null;
  return leavesRepository(path, target) ? "link that leads out of the repository" : null;
}

function leavesRepository(path: string, target: string): boolean {
  if (/^(?:[/~\\]|[A-Za-z]:)/.test(target)) return true;
  let depth = path.split("/").length - 1;
  for (const step of target.split("/")) {
    depth += step === ".." ? -1 : Number(step !== "" && step !== ".");
    if (depth < 0) return true;
  }
  return false;
}

/** Text without `#!` that is made executable: by mistake, or for whoever calls it with a shell that guesses. */
async function byMode(
  { path, content, oldMode, newMode }: DiffFile,
  readFile: ReadFile,
): Promise<string | null> {
  if (content !== "text" || newMode !== "100755" || oldMode === "100755") return null;
  const head = await readFile(path, "head");
  if (head === null || new TextDecoder("latin1").decode(head.subarray(0, 2)) === "#!") return null;
  return "executable now, without a first line that says what runs it";
}
