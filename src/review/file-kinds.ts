/** Which files are no prose of the people who made the pull request, told by their names or their first lines. */

const lockFiles = new Set([
  "package-lock.json",
  "npm-shrinkwrap.json",
  "yarn.lock",
  "pnpm-lock.yaml",
  "bun.lock",
  "bun.lockb",
  "deno.lock",
  "composer.lock",
  "Gemfile.lock",
  "Cargo.lock",
  "poetry.lock",
  "Pipfile.lock",
  "pdm.lock",
  "uv.lock",
  "go.sum",
  "go.work.sum",
  "mix.lock",
  "rebar.lock",
  "pubspec.lock",
  "Podfile.lock",
  "Package.resolved",
  "packages.lock.json",
  "paket.lock",
  "gradle.lockfile",
  "conan.lock",
  "flake.lock",
  ".terraform.lock.hcl",
]);

const vendoredFolder =
  /(^|\/)(node_modules|vendor|third_party|third-party|bower_components|Godeps|Pods|site-packages|\.yarn)\//;

const minifiedName = /[.-]min\.(js|mjs|cjs|css)$|\.bundle\.js$/;

const generatedName = [
  /\.pb\.(go|cc|h)$/,
  /_pb2(_grpc)?\.pyi?$/,
  /_(grpc_)?pb\.(js|ts|d\.ts)$/,
  /\.(g|freezed)\.dart$/,
  /\.(g|designer)\.cs$/i,
  /[._]generated\.[A-Za-z0-9]+$/,
  /(^|\/)zz_generated\.[^/]*$/,
  /(^|\/)__snapshots__\//,
  /\.snap$/,
  /\.(js|mjs|cjs|css)\.map$/,
  /(^|\/)dist\//,
];

export type FileKind = "lock file" | "vendored" | "minified" | "generated";

/** Null for a file that people write. */
export function kindByName(path: string): FileKind | null {
  if (lockFiles.has(path.slice(path.lastIndexOf("/") + 1))) return "lock file";
  if (vendoredFolder.test(path)) return "vendored";
  if (minifiedName.test(path)) return "minified";
  if (generatedName.some((name) => name.test(path))) return "generated";
  return null;
}

/** Generators say so at the top; Go's wording is fixed (go.dev/s/generatedcode). */
const generatedMark =
  /@generated\b|\bcode generated\b.*\bdo not edit\b|<auto-?generated|\b(this file|automatically) (is|was|has been)? ?(auto-?|automatically )?generated\b|\bauto-?generated\b.*\bdo not (edit|modify)\b/i;

export const headerLineCount = 15;

/** `lines` are the file's first ones, `headerLineCount` at most. */
export function saysGenerated(lines: readonly string[]): boolean {
  return lines.some((line) => line.length < 500 && generatedMark.test(line));
}

const scriptOrStyle = /\.(js|mjs|cjs|css)$/;
const writtenLineLengthMax = 300;

/** Nobody writes scripts or styles mostly in lines that long; a single one among others does not hide them. */
export function looksMinified(path: string, lines: readonly string[]): boolean {
  if (!scriptOrStyle.test(path)) return false;
  const lengths = lines.map((line) => line.length).sort((a, b) => a - b);
  const median = lengths[Math.floor((lengths.length - 1) / 2)] ?? 0;
  return median > writtenLineLengthMax;
}
