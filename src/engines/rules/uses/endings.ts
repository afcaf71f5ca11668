/** Which files may use what a file defines, by their endings. */

const families: readonly (readonly string[])[] = [
  [".py", ".pyi"],
  [".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx", ".mts", ".cts"],
  [".go"],
  [".java"],
  [".kt", ".kts"],
  [".cs"],
  [".rs"],
  [".c", ".h"],
  [".php"],
];

export function endingsBeside(path: string): readonly string[] {
  return families.find((endings) => endings.some((ending) => path.endsWith(ending))) ?? [];
}
