/** The diff between two sets of files, as a code host would give it. */
export { diffOfFiles, type Files } from "../../src/code-hosts/diff-of-files.ts";
