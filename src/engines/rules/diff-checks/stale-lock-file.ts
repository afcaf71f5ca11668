/** A manifest whose dependencies changed while its lock file still says what it said before. */
import { type Finding, findingAt, type Rule } from "../rule.ts";
import type { SourceFile } from "../source-file.ts";
import type { PullRequestChange, PullRequestCheck } from "./pull-request-check.ts";

const sections = ["dependencies", "devDependencies", "optionalDependencies"] as const;

function manifest(version: string): string {
  return `{\n  "dependencies": {\n    "left-pad": "${version}"\n  }\n}\n`;
}

function lock(version: string): string {
  return JSON.stringify({
    lockfileVersion: 3,
    packages: { "": { dependencies: { "left-pad": version } } },
  });
}

const staleLockFile: Rule = {
  id: "any/stale-lock-file",
  title: "lock file behind its manifest",
  category: "dependency",
  severity: "medium",
  cwe: null,
  message: "`{name}` changed here, but `{lock}` still asks for {locked}.",
  why: "`npm ci` refuses to install, and other commands install something else than was reviewed.",
  advice: "Run the package manager's install command and commit the lock file with this change.",
  placement: "inline",
  bad: [
    {
      path: "package.json",
      before: manifest("1.2.0"),
      after: manifest("1.3.0"),
      alongside: { "package-lock.json": { before: lock("1.2.0"), after: lock("1.2.0") } },
    },
  ],
  ok: [
    {
      path: "package.json",
      before: manifest("1.2.0"),
      after: manifest("1.3.0"),
      alongside: { "package-lock.json": { before: lock("1.2.0"), after: lock("1.3.0") } },
    },
    { path: "package.json", before: manifest("1.2.0"), after: manifest("1.3.0") },
  ],
};

export const staleLockFiles: PullRequestCheck = {
  rules: [staleLockFile],
  wants: (files) => files.filter(({ path }) => isManifest(path)).map(({ path }) => lockOf(path)),
  *find({ files, others }: PullRequestChange) {
    for (const file of files.filter(({ path }) => isManifest(path))) {
      const lockText = others.get(lockOf(file.path));
      if (lockText === undefined) continue;
      for (const finding of behind(file, lockText)) yield { file, finding };
    }
  },
};

function isManifest(path: string): boolean {
  return /(^|\/)package\.json$/.test(path);
}

function lockOf(path: string): string {
  return path.replace(/package\.json$/, "package-lock.json");
}

function* behind(file: SourceFile, lockText: string): Generator<Finding> {
  const wanted = dependenciesOf(parseJson(file.text));
  const before = dependenciesOf(parseJson(file.baseText ?? "{}"));
  const locked = dependenciesOf(rootOfLock(parseJson(lockText)));
  if (locked.size === 0) return;
  for (const [name, range] of wanted) {
    if (before.get(name) === range || locked.get(name) === range) continue;
    const line = file.lines.findIndex((text) => text.includes(`"${name}"`) && text.includes(range)) + 1;
    const lockName = lockOf(file.path);
    yield findingAt(staleLockFile, line, {
      name,
      lock: lockName,
      locked: locked.get(name) ?? "nothing of that name",
    });
  }
}

/** Name → range, over all sections. */
function dependenciesOf(json: unknown): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const section of sections) {
    for (const [name, range] of Object.entries(member(json, section) ?? {})) {
      if (typeof range === "string") found.set(name, range);
    }
  }
  return found;
}

/** What the lock file (version 2 and 3) repeats of the manifest. */
function rootOfLock(json: unknown): unknown {
  return member(member(json, "packages"), "");
}

function member(json: unknown, name: string): unknown {
  if (typeof json !== "object" || json === null) return undefined;
  return Object.entries(json).find(([key]) => key === name)?.[1];
}

/** A manifest that is no JSON is another rule's business. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
