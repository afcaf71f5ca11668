/** Where dependencies come from: manifests and the settings of package managers. */
import type { Detector } from "../detector.ts";
import { type Finding, findingAt } from "../rule.ts";
import type { SourceFile } from "../source-file.ts";
import * as rules from "./dependency-rules.ts";
import { findInPackageJson } from "./package-json.ts";

export const dependencies: Detector = {
  rules: Object.values(rules),
  appliesTo: (file) => !file.isTest && (isPackageJson(file.path) || kindOf(file.path) !== undefined),
  find,
};

function isPackageJson(path: string): boolean {
  return /(^|\/)package\.json$/.test(path);
}

/** What to look for on the lines of one kind of file; each pattern's group `value` is shown. */
interface ManifestKind {
  path: RegExp;
  comment: RegExp;
  /** Its lock file holds the commit: where there is one, a branch is followed only when somebody asks for it. */
  locks?: boolean;
  branch?: RegExp;
  http?: RegExp;
  registry?: RegExp;
  unverified?: RegExp;
}

/** Not another machine: nobody is on the way. */
const local = "(?!localhost|127\\.|\\[::1\\]|0\\.0\\.0\\.0|host\\.docker\\.internal)";
const moving = "(?:main|master|develop|dev|trunk|HEAD)";

const kinds: readonly ManifestKind[] = [
  {
    path: /(^|\/)(?![^/]*(?:dev|test|ci|docs?)[-_.])[\w.-]*requirements[\w.-]*\.(?:txt|in)$|(^|\/)requirements\/(?!dev|test|ci|docs?)[\w.-]+\.(?:txt|in)$/,
    comment: /^\s*#/,
    branch: new RegExp(
      `(?<value>git\\+[a-z]+://(?:[\\w.-]+@)?[^\\s@#]{1,200})(?:@${moving})?(?=[\\s#;]|$)(?!\\s*@)`,
    ),
    http: new RegExp(`(?<value>http://${local}[^\\s#]{1,200})`),
    registry:
      /^\s*(?:-i|--index-url|--extra-index-url)[ =]\s*https?:\/\/(?:[^\s/@]{1,100}@)?(?<value>[^\s/:]{1,100})/,
    unverified: new RegExp(`^\\s*(?<value>--trusted-host[ =]\\s*${local}\\S{1,100})`),
  },
  {
    path: /(^|\/)(?:pip\.(?:conf|ini)|\.pip\/pip\.conf)$/,
    comment: /^\s*[#;]/,
    http: new RegExp(`url\\s*=\\s*(?<value>http://${local}\\S{1,200})`),
    registry: /^\s*(?:extra-)?index-url\s*=\s*https?:\/\/(?:[^\s/@]{1,100}@)?(?<value>[^\s/:]{1,100})/,
    unverified: new RegExp(`^\\s*(?<value>trusted-host\\s*=\\s*${local}\\S{1,100})`),
  },
  {
    path: /(^|\/)\.(?:npmrc|yarnrc|yarnrc\.yml)$/,
    comment: /^\s*[#;]/,
    http: new RegExp(
      `registry(?:Server)?["']?\\s*[=: ]\\s*["']?(?<value>http://${local}[^\\s"']{1,200})`,
      "i",
    ),
    registry: /^\s*(?:registry|npmRegistryServer)\s*[=: ]\s*["']?https?:\/\/(?<value>[^\s/:"']{1,100})/,
    unverified: /^\s*(?<value>strict-ssl\s*[= ]\s*false|enableStrictSsl:\s*false)/,
  },
  {
    path: /(^|\/)Cargo\.toml$/,
    comment: /^\s*#/,
    locks: true,
    branch:
      /=\s*\{(?![^}]{0,300}\b(?:rev|tag|path)\s*=)[^}]{0,300}\bgit\s*=\s*"(?<value>[^"]{1,200})"[^}]{0,300}\}/,
  },
  {
    path: /(^|\/)Gemfile$/,
    comment: /^\s*#/,
    http: new RegExp(`^\\s*source\\s*\\(?["'](?<value>http://${local}[^"']{1,200})["']`),
  },
  {
    path: /(^|\/)(?:build|settings)\.gradle(?:\.kts)?$/,
    comment: /^\s*(?:\/\/|\*|\/\*)/,
    http: new RegExp(`\\b(?:url|maven)\\s*[=(]?\\s*(?:uri\\()?["'](?<value>http://${local}[^"']{1,200})["']`),
  },
];

function kindOf(path: string): ManifestKind | undefined {
  return kinds.find((kind) => kind.path.test(path));
}

const lineLengthMax = 2_000;

function* find(file: SourceFile): Generator<Finding> {
  if (isPackageJson(file.path)) return yield* findInPackageJson(file);
  const kind = kindOf(file.path);
  if (kind === undefined) return;
  for (const { line, text } of file.addedLines()) {
    if (kind.comment.test(text) || text.length > lineLengthMax) continue;
    const branch = kind.branch?.exec(text)?.groups?.value;
    if (branch !== undefined)
      yield { ...findingAt(rules.movingSource, line, { source: branch }), isAside: kind.locks === true };
    const address = kind.http?.exec(text)?.groups?.value;
    if (address !== undefined) yield findingAt(rules.overHttp, line, { address });
    const setting = kind.unverified?.exec(text)?.groups?.value;
    if (setting !== undefined) yield findingAt(rules.unverifiedRegistry, line, { setting });
    const host = kind.registry?.exec(text)?.groups?.value;
    if (host !== undefined && isNewPlace(host, file)) yield findingAt(rules.newRegistry, line, { host });
  }
}

/** The ecosystems' own registries, and indexes that only hold builds of what they are named after. */
const ownRegistries =
  /^(?:(?:www\.|test\.)?pypi\.org|(?:test-)?files\.pythonhosted\.org|registry\.(?:npmjs\.org|yarnpkg\.com)|npm\.pkg\.github\.com|npm\.jsr\.io|download\.pytorch\.org|localhost|127\.0\.0\.1|\$.*)$/;

/** Only where the file was there before: in a new one there is nothing to compare with. */
function isNewPlace(host: string, file: SourceFile): boolean {
  return file.baseText !== null && !file.baseText.includes(host) && !ownRegistries.test(host);
}
