/** Every bound of the code host `git`, with its unit. What is left out because of one is said, never dropped in silence. */
export interface GitLimits {
  /** Listing a server's references, milliseconds. */
  listMs: number;
  /** Fetching a pull request; the first fetch of a repository brings its whole history. Milliseconds. */
  fetchMs: number;
  /** A server that sends not even a byte a second for this long is cut, seconds (http and https). */
  stallSeconds: number;
  /** Work on the cached repository (merge base, diff, reading a file), milliseconds. */
  localMs: number;
  /** Looking for words in all files of a commit, milliseconds. */
  searchMs: number;
  /** The lines found by one search together, bytes. */
  searchBytes: number;
  /** Address space of one git process, bytes. */
  memoryBytes: number;
  /** The same while references are listed, which git holds in memory all together. */
  listMemoryBytes: number;
  /** What one fetch may bring, bytes. */
  fetchBytes: number;
  /** Every fetch leaves a pack; when a repository has more than this many, the small ones are joined. */
  packs: number;
  /** The references a server may list, bytes. */
  referenceBytes: number;
  /** Changed files in a pull request; more is `diff_too_large`. */
  files: number;
  /** The patch of one file, bytes; a longer one is left out of the diff. */
  filePatchBytes: number;
  /** Lines added and removed in one file; a file with more is left out of the diff. */
  fileChangedLines: number;
  /** The patches of a pull request together, bytes; the files after it are left out of the diff. */
  patchBytes: number;
  /** The lines of all hunks together; the files after it are left out of the diff. */
  hunkLines: number;
  /** A larger file is not read, bytes. */
  fileBytes: number;
}

export const defaultGitLimits: Readonly<GitLimits> = {
  listMs: 30_000,
  fetchMs: 600_000,
  stallSeconds: 60,
  localMs: 120_000,
  searchMs: 20_000,
  searchBytes: 8 * 1024 ** 2,
  memoryBytes: 8 * 1024 ** 3,
  listMemoryBytes: 1024 ** 3,
  fetchBytes: 4 * 1024 ** 3,
  packs: 40,
  referenceBytes: 64 * 1024 ** 2,
  files: 30_000,
  filePatchBytes: 1024 ** 2,
  fileChangedLines: 20_000,
  patchBytes: 64 * 1024 ** 2,
  hunkLines: 500_000,
  fileBytes: 8 * 1024 ** 2,
};

/** For people: `1.5 MB`, `12 KB`. */
export function size(bytes: number): string {
  const kilobytes = bytes / 1024;
  return kilobytes < 1024 ? `${rounded(kilobytes)} KB` : `${rounded(kilobytes / 1024)} MB`;
}

/** For people: `30 s`. */
export function seconds(milliseconds: number): string {
  return `${rounded(milliseconds / 1000)} s`;
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10;
}
