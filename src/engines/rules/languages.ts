/** Which language a file is in, by name or first line. */

export const languages = [
  "bash",
  "c",
  "cpp",
  "csharp",
  "go",
  "hcl",
  "java",
  "javascript",
  "json",
  "kotlin",
  "php",
  "python",
  "ruby",
  "rust",
  "tsx",
  "typescript",
  "yaml",
] as const;
export type Language = (typeof languages)[number];

const byExtension: Readonly<Record<string, Language>> = {
  bash: "bash",
  sh: "bash",
  c: "c",
  h: "c",
  cc: "cpp",
  cpp: "cpp",
  cxx: "cpp",
  hh: "cpp",
  hpp: "cpp",
  hxx: "cpp",
  cs: "csharp",
  go: "go",
  hcl: "hcl",
  tf: "hcl",
  java: "java",
  cjs: "javascript",
  js: "javascript",
  jsx: "javascript",
  mjs: "javascript",
  json: "json",
  kt: "kotlin",
  kts: "kotlin",
  php: "php",
  py: "python",
  pyi: "python",
  gemspec: "ruby",
  rake: "ruby",
  rb: "ruby",
  rs: "rust",
  tsx: "tsx",
  cts: "typescript",
  mts: "typescript",
  ts: "typescript",
  yaml: "yaml",
  yml: "yaml",
};

const byName: Readonly<Record<string, Language>> = { Gemfile: "ruby", Rakefile: "ruby" };

const byInterpreter: readonly [RegExp, Language][] = [
  [/\b(ba|da|k|z)?sh\b/, "bash"],
  [/\bpython[\d.]*\b/, "python"],
  [/\b(node|bun|deno)\b/, "javascript"],
  [/\bruby\b/, "ruby"],
  [/\bphp\b/, "php"],
];

/** `firstLine` decides for files without a known ending: `#!/bin/sh`. */
export function languageOf(path: string, firstLine: string): Language | null {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const extension = name.includes(".") ? name.slice(name.lastIndexOf(".") + 1).toLowerCase() : "";
  const known = byName[name] ?? (Object.hasOwn(byExtension, extension) ? byExtension[extension] : undefined);
  if (known !== undefined) return known;
  if (!firstLine.startsWith("#!")) return null;
  return byInterpreter.find(([interpreter]) => interpreter.test(firstLine))?.[1] ?? null;
}

/** Languages that share their rules: the folder of the rule catalogue → where its rules apply. */
const folders: Readonly<Record<string, readonly Language[]>> = {
  javascript: ["javascript", "typescript", "tsx"],
  typescript: ["typescript", "tsx"],
  react: ["javascript", "tsx"],
  c: ["c", "cpp"],
};

/** Empty for a folder that is no language's. */
export function folderLanguages(folder: string): readonly Language[] {
  if (Object.hasOwn(folders, folder)) return folders[folder] ?? [];
  return languages.filter((language) => language === folder);
}

const snippetEndings: Readonly<Record<Language, string>> = {
  bash: "sh",
  c: "c",
  cpp: "cpp",
  csharp: "cs",
  go: "go",
  hcl: "tf",
  java: "java",
  javascript: "js",
  json: "json",
  kotlin: "kt",
  php: "php",
  python: "py",
  ruby: "rb",
  rust: "rs",
  tsx: "tsx",
  typescript: "ts",
  yaml: "yml",
};

/** The path that a rule's snippet in the language is reviewed under. */
export function snippetName(language: Language): string {
  return `src/snippet.${snippetEndings[language]}`;
}
