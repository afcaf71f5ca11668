/** The compiled executable under test: the one that scripts/check.ts built, or one built now. */
import { buildExecutable } from "../../scripts/build.ts";

let built: Promise<string> | null = null;

export function theExecutable(): Promise<string> {
  const given = process.env.TEST_EXECUTABLE;
  built ??= given === undefined ? buildExecutable({ target: null }) : Promise.resolve(given);
  return built;
}
