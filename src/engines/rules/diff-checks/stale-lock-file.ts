/** A manifest whose dependencies changed while its lock file still says what it said before. */
import { type Example, type Finding, findingAt, type Rule } from "../rule.ts";
import type { SourceFile } from "../source-file.ts";
import { type LockFile, type PackageManager, packageManagers } from "./manifests.ts";
import type { PullRequestChange, PullRequestCheck } from "./pull-request-check.ts";

const staleLockFile: Rule = {
  id: "any/stale-lock-file",
  title: "lock file behind its manifest",
  category: "dependency",
  severity: "medium",
  cwe: null,
  message: "`{name}` changed here, but `{lock}` still has what was before; `{update}` brings it up to date.",
  why: "Strict installs refuse to go on, and others install something else than was reviewed.",
  advice: "Bring the lock file up to date and commit it with this change.",
  placement: "inline",
  bad: [
    npm("1.3.0", { "package-lock.json": npmLock("1.2.0") }),
    npm("1.3.0", { "yarn.lock": 'left-pad@1.2.0:\n  version "1.2.0"\n' }),
    npm("1.3.0", {
      "pnpm-lock.yaml": "importers:\n  .:\n    dependencies:\n      left-pad:\n        specifier: 1.2.0\n",
    }),
    npm("1.3.0", { "bun.lock": '{ "workspaces": { "": { "dependencies": { "left-pad": "1.2.0" } } } }\n' }),
    cargo('[[package]]\nname = "serde"\n'),
    go("example.com/pad v1.2.0 h1:abc\n"),
  ],
  ok: [
    npm("1.3.0", { "package-lock.json": npmLock("1.3.0") }),
    npm("1.3.0", { "yarn.lock": 'left-pad@1.3.0:\n  version "1.3.0"\n' }),
    npm("1.3.0", {
      "pnpm-lock.yaml": "importers:\n  .:\n    dependencies:\n      left-pad:\n        specifier: 1.3.0\n",
    }),
    npm("1.3.0", { "bun.lock": '{ "workspaces": { "": { "dependencies": { "left-pad": "1.3.0" } } } }\n' }),
    npm("workspace:*", { "yarn.lock": "\n" }),
    npm("1.3.0", {}),
    cargo('[[package]]\nname = "pad"\n'),
    go("example.com/pad v1.3.0 h1:abc\n"),
  ],
};

export const staleLockFiles: PullRequestCheck = {
  rules: [staleLockFile],
  wants: (files) =>
    files.flatMap(({ path }) => managerOf(path)?.locks.map((lock) => besideOf(path, lock.name)) ?? []),
  *find({ files, others }: PullRequestChange) {
    for (const file of files) {
      const manager = managerOf(file.path);
      if (manager === null || file.isTest) continue;
      for (const lock of manager.locks) {
        const text = others.get(besideOf(file.path, lock.name));
        if (text === undefined) continue;
        const finding = behind(file, manager, lock, text);
        if (finding !== null) yield { file, finding };
      }
    }
  },
};

export function managerOf(path: string): PackageManager | null {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return packageManagers.find(({ manifest }) => manifest === name) ?? null;
}

/** The line of the manifest that asks for it; 0 when it is not on one line. */
export function lineOf(file: SourceFile, name: string, spec: string): number {
  const loose = (text: string) => text.toLowerCase().replace(/[._]/g, "-");
  return 1 + file.lines.findIndex((text) => loose(text).includes(loose(name)) && text.includes(spec));
}

function besideOf(path: string, name: string): string {
  return path.slice(0, path.lastIndexOf("/") + 1) + name;
}

/** One dependency speaks for all that the lock file lacks. */
function behind(file: SourceFile, manager: PackageManager, lock: LockFile, text: string): Finding | null {
  const before = manager.wanted(file.baseText ?? "");
  for (const [name, spec] of manager.wanted(file.text)) {
    if (before.get(name) === spec || lock.holds(text, name, spec)) continue;
    const lockName = besideOf(file.path, lock.name);
    return findingAt(staleLockFile, lineOf(file, name, spec), { name, lock: lockName, update: lock.update });
  }
  return null;
}

function npm(version: string, locks: Readonly<Record<string, string>>): Example {
  const manifest = (asked: string) => `{\n  "dependencies": {\n    "left-pad": "${asked}"\n  }\n}\n`;
  return {
    path: "package.json",
    before: manifest("1.2.0"),
    after: manifest(version),
    alongside: unchanged(locks),
  };
}

function npmLock(version: string): string {
  return JSON.stringify({ lockfileVersion: 3, packages: { "": { dependencies: { "left-pad": version } } } });
}

function cargo(lock: string): Example {
  const before = '[dependencies]\nserde = "1"\n';
  return {
    path: "Cargo.toml",
    before,
    after: `${before}pad = "1"\n`,
    alongside: unchanged({ "Cargo.lock": lock }),
  };
}

function go(sum: string): Example {
  const manifest = (version: string) => `module example.com/shop\n\nrequire example.com/pad ${version}\n`;
  return {
    path: "go.mod",
    before: manifest("v1.2.0"),
    after: manifest("v1.3.0"),
    alongside: unchanged({ "go.sum": sum }),
  };
}

function unchanged(files: Readonly<Record<string, string>>): NonNullable<Example["alongside"]> {
  return Object.fromEntries(
    Object.entries(files).map(([path, text]) => [path, { before: text, after: text }]),
  );
}
