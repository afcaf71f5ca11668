/** Whether a call in some file is certainly of the function that changed: by import, by package, or because no other is called so. */
import { definesName } from "./defining-lines.ts";
import { folderOf, importStyleOf, importsModule, importsModuleAs, importsName } from "./imports.ts";
import { nodesNamed } from "./nodes-named.ts";
import type { CodeText } from "./repository-at-head.ts";
import type { Call, Definition } from "./signature.ts";

export interface Callee {
  definition: Definition;
  /** The file that it stands in. */
  file: CodeText;
  /** Nothing else in the repository has its name. */
  isOnlyOne: boolean;
}

export function reaches(user: CodeText, call: Call, callee: Callee): boolean {
  const { definition, file } = callee;
  if (user.path !== file.path && !isSameLanguage(user, file)) return false;
  if (definition.kind === "method") return reachesMethod(user, call, callee);
  if (isMadeAnew(user, callee) || (call.receiver === null && isParameter(user, definition.name)))
    return false;
  switch (file.language) {
    case "python":
    case "javascript":
    case "typescript":
    case "tsx":
      return reachesImported(user, call, callee);
    case "go":
      return reachesGo(user, call, callee);
    case "java":
    case "csharp":
    case "kotlin":
    case "php":
      return reachesNamed(user, call, callee);
    case "rust":
      return callee.isOnlyOne && reachesRust(user, call, callee);
    case "c":
      return callee.isOnlyOne && call.receiver === null;
    default:
      return false;
  }
}

function isSameLanguage(user: CodeText, file: CodeText): boolean {
  return (
    user.language === file.language ||
    (importStyleOf(user.language) === "script" && importStyleOf(file.language) === "script")
  );
}

/** The user has something of its own by that name: a local function, a variable, a stand-in in a test. */
function isMadeAnew(user: CodeText, { definition, file }: Callee): boolean {
  const { name, line } = definition;
  if (!user.text.includes(name)) return false;
  return user.lines.some((text, index) => {
    if (
      !text.includes(name) ||
      (user.path === file.path && index + 1 >= line && index + 1 <= definition.lastLine)
    )
      return false;
    if (definition.kind === "constructor")
      return user.path !== file.path && new RegExp(`\\b(?:class|record|struct)\\s+${name}\\b`).test(text);
    return definesName(text, name);
  });
}

function isParameter(user: CodeText, name: string): boolean {
  return [...nodesNamed(user, name)].some(
    (node) =>
      /parameter|^lambda_parameters$|^parameters$|pattern/.test(node.parent?.type ?? "") &&
      node.parent?.childForFieldName("value")?.id !== node.id,
  );
}

function reachesImported(user: CodeText, call: Call, { definition: { name }, file }: Callee): boolean {
  const { receiver } = call;
  if (receiver === null) return user.path === file.path || importsName(user, file.path, name);
  return /^[\w$.]+$/.test(receiver) && importsModuleAs(user, file.path, receiver);
}

function reachesGo(user: CodeText, { receiver }: Call, { file }: Callee): boolean {
  const folder = folderOf(file.path);
  if (receiver === null) return folderOf(user.path) === folder && packageOf(user) === packageOf(file);
  return importsPackage(user, file, receiver);
}

/** Java's tests of a package have the same package clause, but another folder; so do others' mains. */
function packageOf({ text }: CodeText): string {
  return /^package\s+([\w.]+)/m.exec(text)?.[1] ?? "";
}

/** `"example.com/shop/price"`, in the file's folder; by the package's own name or the one it is given here. */
function importsPackage(user: CodeText, file: CodeText, name: string): boolean {
  const folder = folderOf(file.path);
  if (folder === "") return false;
  return [...user.text.matchAll(/^\s*(?:import\s+)?(?:([\w.]+)\s+)?"([\w./~-]{1,300})"\s*$/gm)].some(
    ([, as, path = ""]) => path.endsWith(`/${folder}`) && (as ?? packageOf(file)) === name,
  );
}

/** A class, or a function of a package, by the name under which it was imported. */
function reachesNamed(user: CodeText, call: Call, { definition, file, isOnlyOne }: Callee): boolean {
  if (call.receiver !== null || !isOnlyOne) return false;
  if (definition.kind === "constructor" && definition.owner === null) return false;
  return user.path === file.path || seesPackage(user, file, definition.name);
}

function seesPackage(user: CodeText, file: CodeText, name: string): boolean {
  const home = /^\s*(?:package|namespace)\s+([\w.\\]+)/m.exec(file.text)?.[1] ?? "";
  const here = /^\s*(?:package|namespace)\s+([\w.\\]+)/m.exec(user.text)?.[1] ?? "";
  if (home === here || (file.language === "csharp" && here.startsWith(`${home}.`))) return true;
  const imports = user.text.matchAll(
    /^\s*(?:global\s+)?(?:import|using|use)\s+(?:static\s+|function\s+)?([\w.\\*]+)/gm,
  );
  return [...imports].some(
    ([, what = ""]) =>
      what === home || what === `${home}.${name}` || what === `${home}.*` || what === `${home}\\${name}`,
  );
}

/** By a path that names its module, by an import, or in its own file. */
function reachesRust(user: CodeText, { receiver }: Call, { file, definition: { name } }: Callee): boolean {
  const module = /([^/]+?)(?:\/mod)?\.rs$/.exec(file.path)?.[1] ?? "";
  if (receiver !== null) return receiver.split("::").at(-1) === module;
  return (
    user.path === file.path ||
    new RegExp(`\\buse\\s[^;]{0,400}\\b${module}::[^;]{0,400}\\b${name}\\b`).test(user.text)
  );
}

/**
 * A method is told by its name where that is the only one of its kind, its class inherits from none, and what it is
 * called on is of that class by all signs: a library's method may have the name, too.
 */
function reachesMethod(user: CodeText, call: Call, { definition, file, isOnlyOne }: Callee): boolean {
  const { owner, inherits } = definition;
  const { receiver, within } = call;
  if (!isOnlyOne || inherits || owner === null || receiver === null) return false;
  if (/^(?:super|base|parent)\b/.test(receiver)) return false;
  if (/^(?:self|this|\$this|Self|cls|static)$/.test(receiver)) return within === owner;
  if (receiver === owner) return true;
  if (!isOfClass(user, receiver, owner)) return false;
  if (user.path === file.path) return true;
  if (user.language === "go") return sharesPackage(user, file);
  if (importStyleOf(user.language) !== null) return importsModule(user, file.path);
  return new RegExp(`\\b${owner}\\b`).test(user.text);
}

/** It is called like its class (`jobs`, `self.jobQueue`), or a line declares it with the class's name. */
function isOfClass(user: CodeText, receiver: string, owner: string): boolean {
  const name = /^[\w$.>:-]*?([A-Za-z]\w*)$/.exec(receiver)?.[1];
  if (name === undefined) return false;
  const [called, ofClass] = [name, owner].map((word) => word.replaceAll("_", "").toLowerCase());
  if (called !== undefined && ofClass !== undefined && called.length >= 3 && ofClass.includes(called))
    return true;
  const before = `\\b${owner}[ \\t*&?]{1,4}\\b${name}\\b`;
  const behind = `\\b${name}(?: {1,4}[*&]?(?:\\w{1,40}\\.)?|\\s{0,4}(?::=|[:=])[^;\\n]{0,40}?(?:\\b|New|new_))${owner}\\b`;
  return new RegExp(`${before}|${behind}`).test(user.text);
}

function sharesPackage(user: CodeText, file: CodeText): boolean {
  const folder = folderOf(file.path);
  return folderOf(user.path) === folder || (folder !== "" && user.text.includes(`/${folder}"`));
}
