/** A dependency that went back to an older version, or that is no longer bound to one. */

import type { Detector } from "../detector.ts";
import { changed, type Finding, findingAt, type Rule } from "../rule.ts";
import type { SourceFile } from "../source-file.ts";
import { lineOf, managerOf } from "./stale-lock-file.ts";

function packageJson(spec: string): string {
  return `{\n  "dependencies": {\n    "left-pad": "${spec}"\n  }\n}\n`;
}

const downgraded: Rule = {
  id: "any/dependency-downgraded",
  title: "dependency downgraded",
  category: "dependency",
  severity: "medium",
  cwe: 1395,
  message: "`{name}` goes back from {before} to {after}: is the older version meant?",
  why: "What was mended since, holes included, is open again.",
  advice: "Keep the newer version, or say in the pull request what is wrong with it.",
  placement: "inline",
  doubtful: true,
  bad: [
    changed("package.json", packageJson("^2.1.0"), packageJson("^1.9.3")),
    changed("requirements.txt", "Django==4.2.1\n", "Django==4.1.9\n"),
  ],
  ok: [
    changed("package.json", packageJson("^1.9.3"), packageJson("^2.1.0")),
    changed("package.json", packageJson("^1.9.3"), packageJson("^1.9")),
    changed("package.json", packageJson("^1.9.3"), packageJson(">=1.2.0 <3")),
    changed("requirements.txt", "Django==4.2.1\n", "Django==4.2.1  # the last one with MySQL 5\n"),
  ],
};

const unpinned: Rule = {
  id: "any/dependency-unpinned",
  title: "dependency no longer bound to a version",
  category: "dependency",
  severity: "medium",
  cwe: 1357,
  message: "`{name}` asked for {before} and now takes whatever is there (`{after}`).",
  why: "The next install may bring a version that nobody here has seen.",
  advice: "Name a version, or a commit where there is none.",
  placement: "inline",
  bad: [
    changed("package.json", packageJson("^1.9.3"), packageJson("*")),
    changed("package.json", packageJson("^1.9.3"), packageJson("latest")),
    changed("requirements.txt", "Django==4.2.1\n", "Django\n"),
    changed("package.json", packageJson("^1.9.3"), packageJson("git+https://git.example/left-pad.git")),
  ],
  ok: [
    changed("package.json", packageJson("*"), packageJson("^1.9.3")),
    changed("package.json", packageJson("^1.9.3"), packageJson("~1.9.3")),
    changed(
      "package.json",
      packageJson("^1.9.3"),
      packageJson("git+https://git.example/left-pad.git#0123456789012345678901234567890123456789"),
    ),
  ],
};

export const loosenedDependencies: Detector = {
  rules: [unpinned, downgraded],
  appliesTo: (file) => managerOf(file.path) !== null && !file.isTest && file.baseText !== null,
  *find(file: SourceFile): Generator<Finding> {
    const manager = managerOf(file.path);
    const before = manager?.wanted(file.baseText ?? "");
    for (const [name, spec] of manager?.wanted(file.text) ?? []) {
      const old = before?.get(name);
      if (old === undefined || old === spec || versionOf(old) === null) continue;
      const rule = isUnbound(spec) ? unpinned : isOlder(spec, old) ? downgraded : null;
      if (rule !== null)
        yield findingAt(rule, lineOf(file, name, spec), { name, before: old, after: spec || "any version" });
    }
  },
};

function isUnbound(spec: string): boolean {
  if (/^(?:\*|x|latest|next|)$/i.test(spec)) return true;
  return /^(?:git\+|git:|https?:|github:)/.test(spec) && !/#[0-9a-f]{7,40}$|#v?\d/.test(spec);
}

/** The numbers of a plain version or a caret, tilde or exact bound; null for anything that spans more. */
function versionOf(spec: string): number[] | null {
  const [, version] = /^(?:\^|~>?|==?|~=|v)?\s*v?(\d+(?:\.\d+){0,3})$/.exec(spec.trim()) ?? [];
  return version === undefined ? null : version.split(".").map(Number);
}

/** By the numbers that both name: `^1.9` is not older than `^1.9.3`. */
function isOlder(spec: string, old: string): boolean {
  const [now, then] = [versionOf(spec) ?? [], versionOf(old) ?? []];
  for (const [index, part] of now.entries()) {
    const other = then[index];
    if (other === undefined || part > other) return false;
    if (part < other) return true;
  }
  return false;
}
