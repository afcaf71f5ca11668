/** What a file takes from which module, in the words of its import statements. */
import type { Language } from "../languages.ts";
import { hasWord } from "./has-word.ts";

export type ImportStyle = "python" | "script";

export function importStyleOf(language: Language | null): ImportStyle | null {
  if (language === "python") return "python";
  return language === "javascript" || language === "typescript" || language === "tsx" ? "script" : null;
}

interface Importing {
  readonly path: string;
  readonly text: string;
  readonly language: Language | null;
}

/** By that very name, from the module that `path` is. */
export function importsName(user: Importing, path: string, name: string): boolean {
  return importsOf(user).some(
    ({ from, names }) => names !== null && hasName(names, name) && isModule(user, from, path),
  );
}

/** The module as a whole, under the name `local`: `import * as local`, `from shop import local`. */
export function importsModuleAs(user: Importing, path: string, local: string): boolean {
  return importsOf(user).some(({ from, names, as }) => {
    if (as === local) return isModule(user, from, path);
    if (names === null || user.language !== "python" || !hasName(names, local)) return false;
    const inner = from.endsWith(".") ? `${from}${local}` : `${from}.${local}`;
    return isModule(user, inner, path);
  });
}

/** Anything of it. */
export function importsModule(user: Importing, path: string): boolean {
  return importsOf(user).some(({ from }) => isModule(user, from, path));
}

interface Import {
  from: string;
  /** As written between the braces; null for the module as a whole. */
  names: string | null;
  /** The module's name here. */
  as: string | null;
}

function importsOf(user: Importing): Import[] {
  return importStyleOf(user.language) === "python" ? pythonImports(user.text) : scriptImports(user.text);
}

function scriptImports(text: string): Import[] {
  const found: Import[] = [];
  for (const [, names = "", from = ""] of text.matchAll(
    /\b(?:import|export)\s+(?:type\s+)?(?:[\w$]+\s*,\s*)?\{([^{}]{1,4000})\}\s*from\s*["']([^"'\n]{1,200})["']/g,
  ))
    found.push({ from, names, as: null });
  for (const [, as = "", from = ""] of text.matchAll(
    /\bimport\s+\*\s+as\s+([\w$]+)\s+from\s*["']([^"'\n]{1,200})["']/g,
  ))
    found.push({ from, names: null, as });
  for (const [, names = "", from = ""] of text.matchAll(
    /\b(?:const|let|var)\s+\{([^{}]{1,4000})\}\s*=\s*require\(\s*["']([^"'\n]{1,200})["']/g,
  ))
    found.push({ from, names, as: null });
  for (const [, as = "", from = ""] of text.matchAll(
    /\b(?:const|let|var)\s+([\w$]+)\s*=\s*require\(\s*["']([^"'\n]{1,200})["']/g,
  ))
    found.push({ from, names: null, as });
  return found;
}

function pythonImports(text: string): Import[] {
  const found: Import[] = [];
  for (const [, from = "", listed = "", plain = ""] of text.matchAll(
    /^[ \t]*from[ \t]+([\w.]{1,200})[ \t]+import[ \t]+(?:\(([^()]{1,4000})\)|([^(\n]{1,1000}))/gm,
  ))
    found.push({ from, names: listed || plain, as: null });
  for (const [, from = "", as] of text.matchAll(
    /^[ \t]*import[ \t]+([\w.]{1,200})(?:[ \t]+as[ \t]+(\w+))?/gm,
  ))
    found.push({ from, names: null, as: as ?? from });
  return found;
}

/** `name`, and not `other as name` or `name as other`. */
function hasName(names: string, name: string): boolean {
  return names
    .replace(/#[^\n]*|\/\/[^\n]*/g, "")
    .split(",")
    .some((item) => item.trim().replace(/^type\s+/, "") === name && hasWord(item, name));
}

function isModule(user: Importing, from: string, path: string): boolean {
  return importStyleOf(user.language) === "python"
    ? isPythonModule(user.path, from, path)
    : isScriptModule(user.path, from, path);
}

/** `./price.js` seen from `src/cart.ts` is `src/price`. */
function isScriptModule(userPath: string, from: string, path: string): boolean {
  if (!from.startsWith(".")) return false;
  const target = joined(folderOf(userPath), from.replace(/\.[cm]?[jt]sx?$/, ""));
  const module = path.replace(/\.[^./]+$/, "");
  return module === target || module === `${target}/index`;
}

/** Relative ones exactly; `shop.price` is any module whose path ends so, and one word alone only beside the user. */
function isPythonModule(userPath: string, from: string, path: string): boolean {
  const module = path.replace(/\.pyi?$/, "").replace(/\/__init__$/, "");
  const dots = /^\.*/.exec(from)?.[0].length ?? 0;
  const inner = from.slice(dots).replaceAll(".", "/");
  if (dots > 0) {
    let folder = folderOf(userPath);
    for (let up = 1; up < dots; up += 1) folder = folderOf(folder);
    return module === joined(folder, inner);
  }
  if (!inner.includes("/")) return module === inner || module === joined(folderOf(userPath), inner);
  return module === inner || module.endsWith(`/${inner}`);
}

export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}

function joined(folder: string, relative: string): string {
  const parts = folder === "" ? [] : folder.split("/");
  for (const part of relative.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "." && part !== "") parts.push(part);
  }
  return parts.join("/");
}
