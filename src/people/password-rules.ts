/** Which passwords are refused: short ones, and those that are tried first (OWASP ASVS 5.0, 6.2). */
import { commonPasswords } from "./common-passwords.ts";

export const passwordLengthMin = 8;
/** Longer ones only cost time; 64 must be allowed. */
export const passwordLengthMax = 256;

/** A sentence for the person who chose it; null when there is nothing against it. `about` is what is known of them. */
export function problemWithPassword(password: string, about: readonly string[]): string | null {
  if (password.length < passwordLengthMin) {
    return `The password must have at least ${passwordLengthMin} characters.`;
  }
  if (password.length > passwordLengthMax) {
    return `The password must have at most ${passwordLengthMax} characters.`;
  }
  const plain = password.toLowerCase();
  if (isRunOfCharacters(plain)) return "The password is a mere run of characters; choose another.";
  if (isCommon(plain)) return "The password is one that is tried first; choose another.";
  if (about.some((text) => plain === text.toLowerCase())) {
    return "The password must not be your e-mail address or the organization's name.";
  }
  return null;
}

/** `Passw0rd123!` is `password` to whoever guesses passwords. */
function isCommon(password: string): boolean {
  if (commonPasswords.has(password)) return true;
  const stem = withoutDisguise(password.replace(/^[^a-z]+|[^a-z]+$/g, ""));
  return commonPasswords.has(stem);
}

const disguises: Readonly<Record<string, string>> = {
  "0": "o",
  "1": "l",
  "3": "e",
  "4": "a",
  "5": "s",
  "7": "t",
  "@": "a",
  $: "s",
  "!": "i",
};

function withoutDisguise(text: string): string {
  return text.replace(/[013457@$!]/g, (character) => disguises[character] ?? character);
}

/** `aaaaaaaa`, `abababab`, `12345678`, `87654321`, `abcdefgh`. */
function isRunOfCharacters(text: string): boolean {
  if (new Set(text).size <= 2) return true;
  const steps = new Set(
    [...text].slice(1).map((character, i) => character.charCodeAt(0) - text.charCodeAt(i)),
  );
  return steps.size === 1 && [1, -1].includes([...steps][0] ?? 0);
}
