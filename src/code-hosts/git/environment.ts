/**
 * What a `git` child sees. Nothing of our own environment reaches it, no configuration but the lines below is read
 * (a repository's own is overridden where it could start a program), and it can ask nobody for anything.
 */

export interface GitSurroundings {
  /** Ours, holds nothing but `gitconfig`; stands in for the home folder (no .netrc, no ~/.config/git). */
  home: string;
  /** The repository; null for a command that needs none. */
  gitDir: string | null;
  /** Where objects are read from when not in `gitDir`. */
  objectDirectory?: string;
  /** The only transport allowed, `https`; null = none at all. */
  scheme: string | null;
  /** Further configuration, by environment so that secrets never stand in a command line. */
  config: readonly (readonly [name: string, value: string])[];
}

/** Written as the private global configuration: another user's `file://` repository may be opened. */
export const globalConfiguration = "[safe]\n\tdirectory = *\n";

/** The empty tree, which every git knows whether it is stored or not. */
export const emptyTree = {
  sha1: "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
  sha256: "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321",
} as const;

const ourConfiguration: GitSurroundings["config"] = [
  ["core.hooksPath", "/dev/null"],
  ["core.fsmonitor", "false"],
  ["core.attributesFile", "/dev/null"],
  // A pull request must not hide a file from review by `* -diff` in its .gitattributes.
  ["attr.tree", emptyTree.sha1],
  // Larger files count as binary, and are not read into memory.
  ["core.bigFileThreshold", "64m"],
  ["pack.threads", "4"],
  ["core.packedGitWindowSize", "64m"],
  ["core.packedGitLimit", "1g"],
  ["credential.helper", ""],
  ["fetch.recurseSubmodules", "false"],
  ["fetch.writeCommitGraph", "false"],
  // Every fetch stays one pack: complete or not there at all, and easy to bound.
  ["fetch.unpackLimit", "1"],
  ["gc.auto", "0"],
  ["maintenance.auto", "false"],
  ["http.followRedirects", "false"],
  ["protocol.version", "2"],
];

/** Never asks, never waits for ever, lends nothing to the server, and leaves no connection behind. */
const sshOptions = [
  "BatchMode=yes",
  "ConnectTimeout=15",
  "ServerAliveInterval=15",
  "ServerAliveCountMax=2",
  "ForwardAgent=no",
  "ForwardX11=no",
  "ClearAllForwardings=yes",
  "PermitLocalCommand=no",
  "ControlMaster=no",
  "ControlPath=none",
];

export function environmentOf(surroundings: GitSurroundings, searchPath: string): Record<string, string> {
  const { home, gitDir, objectDirectory, scheme } = surroundings;
  const config = [...ourConfiguration, ...surroundings.config];
  return {
    PATH: searchPath,
    HOME: home,
    // Messages are told apart by their English words (failures.ts).
    LC_ALL: "C",
    ...(gitDir === null ? { GIT_CEILING_DIRECTORIES: home } : { GIT_DIR: gitDir }),
    ...(objectDirectory === undefined ? {} : { GIT_OBJECT_DIRECTORY: objectDirectory }),
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: `${home}/gitconfig`,
    GIT_ATTR_NOSYSTEM: "1",
    GIT_ALLOW_PROTOCOL: scheme ?? "none",
    GIT_NO_LAZY_FETCH: "1",
    GIT_NO_REPLACE_OBJECTS: "1",
    GIT_OPTIONAL_LOCKS: "0",
    GIT_TERMINAL_PROMPT: "0",
    GIT_ASKPASS: "",
    GIT_SSH_COMMAND: ["ssh", ...sshOptions.map((option) => `-o ${option}`)].join(" "),
    GIT_CONFIG_COUNT: String(config.length),
    ...Object.fromEntries(
      config.flatMap(([name, value], index) => [
        [`GIT_CONFIG_KEY_${index}`, name],
        [`GIT_CONFIG_VALUE_${index}`, value],
      ]),
    ),
  };
}
