/** What a value can do no more once the matches of a pattern are taken out of it: `name.replace(/[^a-z0-9]/g, "")`. */
import { withoutCharacters } from "./guards.ts";

const kinds: Readonly<Record<string, readonly string[]>> = {
  "sql-injection": ["'", '"'],
  "xpath-injection": ["'", '"'],
  "ldap-injection": ["(", "*"],
  "command-injection": [";", "&", "|", "`", "$", " ", "\n"],
  "code-injection": ["(", "'", '"', ";", "`"],
  xss: ["<"],
  "path-traversal": ["/"],
  "open-redirect": ["/", ":"],
  ssrf: ["/", ":"],
};

/** The kinds of sinks that it is harmless to afterwards. `pattern` = with its delimiters and flags. */
export function harmlessWithout(pattern: string): string[] {
  const { inside = "", flags = "" } =
    /^(?<mark>[/#~@%])(?<inside>.*)\k<mark>(?<flags>[a-z]*)$/s.exec(pattern)?.groups ?? {};
  const kept = inside.startsWith("\\W")
    ? "\\w"
    : /^\[\^(?<kept>(?:[^\]\\]|\\.)+)\][+*]?$/.exec(inside)?.groups?.kept;
  if (kept !== undefined) return outside(kept, flags);
  const taken = /^\[(?<taken>(?:[^\]\\]|\\.)+)\][+*]?$/.exec(inside)?.groups?.taken;
  const characters = taken === undefined ? [plain(inside)] : [...plain(taken)];
  return characters.flatMap(withoutCharacters);
}

/** Only what is in the class is left. */
function outside(kept: string, flags: string): string[] {
  const allowed = characterClass(kept, flags);
  if (allowed === null) return [];
  return Object.entries(kinds)
    .filter(([, needed]) => !needed.some((character) => allowed.test(character)))
    .map(([kind]) => kind);
}

function characterClass(inside: string, flags: string): RegExp | null {
  try {
    return new RegExp(`^[${inside}]$`, flags.includes("i") ? "i" : "");
  } catch {
    return null;
  }
}

function plain(text: string): string {
  return text.replace(/\\(.)/g, "$1");
}
