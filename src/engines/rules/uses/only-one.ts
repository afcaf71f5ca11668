/** Whether a name means one thing in the whole repository. */
import { languageOf } from "../languages.ts";
import { announcesMethod, definesName } from "./defining-lines.ts";
import type { CodeText, RepositoryAtHead } from "./repository-at-head.ts";
import type { Definition } from "./signature.ts";

/** Also when it is not known: then nothing may be concluded from the name alone. */
export function isDefinedElsewhere(
  { name, kind, line, lastLine }: Definition,
  file: CodeText,
  repository: RepositoryAtHead | null,
): boolean {
  const lines = repository?.linesWith(name) ?? null;
  if (lines === null) return true;
  return lines.some((found) => {
    if (
      found.path === file.path &&
      (kind === "constructor" || (found.line >= line && found.line <= lastLine))
    )
      return false;
    if (!isCode(found.path) || isPrototype(found)) return false;
    return definesName(found.text, name) || (kind === "method" && announcesMethod(found.text, name));
  });
}

const settings = new Set(["json", "yaml", "hcl"]);

export function isCode(path: string): boolean {
  const language = languageOf(path, "");
  return language !== null && !settings.has(language);
}

/** In C a function is announced in a header, too. */
function isPrototype({ path, text }: { path: string; text: string }): boolean {
  return /\.[ch]$/.test(path) && /[;,]\s*(?:\/\*.*\*\/)?\s*$/.test(text);
}
