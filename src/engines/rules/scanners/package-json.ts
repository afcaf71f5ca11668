/** The dependencies and scripts of a package.json. */
import { type Finding, findingAt } from "../rule.ts";
import type { SourceFile } from "../source-file.ts";
import * as rules from "./dependency-rules.ts";

const sections = ["dependencies", "devDependencies", "optionalDependencies"] as const;

export function* findInPackageJson(file: SourceFile): Generator<Finding> {
  const manifest = parsed(file.text);
  const lines = linesOfMembers(file);
  const dependencies = sections
    .flatMap((section) => texts(manifest, section))
    .map(([name, range]) => ({ name, range, line: lines.get(memberKey(name, range)) ?? null }));
  // One comment is enough: the others are seen beside it.
  const anyVersion = dependencies.find(
    (one) => one.line !== null && isAnyVersion(one.range) && !isWorkspace(manifest, one.name),
  );
  if (anyVersion?.line) yield findingAt(rules.anyVersion, anyVersion.line, { name: anyVersion.name });
  for (const { range, line } of dependencies) {
    if (line === null) continue;
    if (isMovingSource(range))
      yield { ...findingAt(rules.movingSource, line, { source: range }), isAside: true };
    const address = /^(?:git\+)?http:\/\/(?!localhost|127\.)\S{1,200}/.exec(range)?.[0];
    if (address !== undefined) yield findingAt(rules.overHttp, line, { address });
  }
  yield* findInstallScripts(file, manifest, lines);
}

function isAnyVersion(range: string): boolean {
  return /^(?:\*|latest|x|>=?\s{0,3}0(?:\.0){0,2})?$/i.test(range.trim());
}

/** The packages of a monorepo, which npm links whatever version is asked for. */
function isWorkspace(manifest: unknown, name: string): boolean {
  const own = member(manifest, "name");
  const scope = typeof own === "string" && own.startsWith("@") ? own.slice(0, own.indexOf("/") + 1) : null;
  return member(manifest, "workspaces") !== undefined || (scope !== null && name.startsWith(scope));
}

function isMovingSource(range: string): boolean {
  const git =
    /^(?:git\+|git:|git@|github:|gitlab:|bitbucket:)|^[\w-]+\/[\w.-]+(?:#|$)|^https?:\/\/[^#]+\.git(?:#|$)/.test(
      range,
    );
  const reference = range.includes("#") ? range.slice(range.indexOf("#") + 1) : "";
  return git && /^(?:main|master|develop|dev|trunk|HEAD)?$/.test(reference);
}

/** Tools that set up the working copy of this project and do nothing where it is installed. */
const harmless =
  /^(?:husky|lefthook|patch-package|simple-git-hooks|prisma generate|npx only-allow|only-allow|node-gyp|prebuild-install|opencollective|ngcc|electron-builder install-app-deps|nuxt prepare|nuxi prepare|exit 0|true)\b/;

/** Only of what others install: a private package's scripts run for those who work on it. */
function* findInstallScripts(
  file: SourceFile,
  manifest: unknown,
  lines: ReadonlyMap<string, number>,
): Generator<Finding> {
  if (file.baseText === null || member(manifest, "private") === true) return;
  const before = new Map(texts(parsed(file.baseText), "scripts"));
  for (const [name, command] of texts(manifest, "scripts")) {
    if (!/^(?:pre|post)?install$/.test(name) || before.has(name) || harmless.test(command)) continue;
    const line = lines.get(memberKey(name, command));
    if (line !== undefined)
      yield findingAt(rules.installScript, line, { name, command: command.slice(0, 80) });
  }
}

/** By `memberKey`, the added line on which a member is written. */
function linesOfMembers(file: SourceFile): ReadonlyMap<string, number> {
  const lines = new Map<string, number>();
  for (const { line, text } of file.addedLines()) {
    for (const [, name, value] of text.matchAll(/"([^"\\]{1,200})"\s{0,9}:\s{0,9}"((?:[^"\\]|\\.){0,500})"/g))
      lines.set(`${name}\n${value}`, line);
  }
  return lines;
}

function memberKey(name: string, value: string): string {
  return `${name}\n${JSON.stringify(value).slice(1, -1)}`;
}

function texts(json: unknown, section: string): [string, string][] {
  const found = member(json, section);
  if (typeof found !== "object" || found === null) return [];
  return Object.entries(found).filter((entry): entry is [string, string] => typeof entry[1] === "string");
}

function member(json: unknown, name: string): unknown {
  if (typeof json !== "object" || json === null) return undefined;
  return Object.entries(json).find(([key]) => key === name)?.[1];
}

/** A manifest that is no JSON has no dependencies. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
