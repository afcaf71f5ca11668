/** Finds files in a commit by walking its trees, so that names need no quoting and links are never followed. */
import { displayName } from "./names.ts";
import type { ObjectReader } from "./objects.ts";

interface TreeEntry {
  mode: string;
  id: string;
}

type Tree = ReadonlyMap<string, TreeEntry>;

export interface FileReader {
  /** `root` is a commit or a tree. Null when absent, no regular file, or larger than `fileBytesMax`. */
  read(root: string, path: string, signal: AbortSignal): Promise<Uint8Array | null>;
  /** Paths of the regular files right in `folder`, sorted; empty when there is no such folder. */
  list(root: string, folder: string, signal: AbortSignal): Promise<string[]>;
}

/** Directories remembered, so that reading the files of a folder does not read the folder each time. */
const treesRemembered = 256;
/** Some 500,000 entries in one folder, bytes. */
const treeBytesMax = 32 * 1024 ** 2;

export function createFileReader(objects: ObjectReader, fileBytesMax: number): FileReader {
  const trees = new Map<string, Tree>();

  const treeOf = async (id: string, signal: AbortSignal): Promise<Tree | null> => {
    const known = trees.get(id);
    if (known !== undefined) return known;
    const object = await objects.read(id, treeBytesMax, signal);
    if (object === null || object === "too_large") return null;
    if (object.type === "commit") return treeOf(treeOfCommit(object.bytes), signal);
    if (object.type !== "tree") return null;
    const tree = parseTree(object.bytes, id.length / 2);
    const oldest = trees.keys().next();
    if (trees.size >= treesRemembered && oldest.done !== true) trees.delete(oldest.value);
    trees.set(id, tree);
    return tree;
  };

  const folderIn = async (root: string, names: readonly string[], signal: AbortSignal) => {
    let tree = await treeOf(root, signal);
    for (const name of names) {
      const entry = tree?.get(name);
      tree = entry?.mode === "40000" ? await treeOf(entry.id, signal) : null;
    }
    return tree;
  };

  return {
    async read(root, path, signal) {
      const names = path.split("/");
      const fileName = names.pop() ?? "";
      const entry = (await folderIn(root, names, signal))?.get(fileName);
      if (entry === undefined || !isRegularFile(entry)) return null;
      const object = await objects.read(entry.id, fileBytesMax, signal);
      return object === null || object === "too_large" ? null : object.bytes;
    },
    async list(root, folder, signal) {
      const tree = await folderIn(root, folder.split("/"), signal);
      const names = [...(tree ?? [])].filter(([, entry]) => isRegularFile(entry)).map(([name]) => name);
      return names.map((name) => `${folder}/${name}`).sort();
    },
  };
}

function isRegularFile(entry: TreeEntry): boolean {
  return entry.mode.startsWith("100");
}

/** A commit starts with `tree <id>`. */
function treeOfCommit(commit: Buffer): string {
  return commit.toString("latin1", "tree ".length, commit.indexOf("\n"));
}

/** Entries are `<mode> <name>\0<id>`, the id in binary. */
function parseTree(bytes: Buffer, idBytes: number): Tree {
  const tree = new Map<string, TreeEntry>();
  for (let at = 0; at < bytes.length; ) {
    const space = bytes.indexOf(" ", at);
    const end = bytes.indexOf(0, space);
    const name = displayName(bytes.subarray(space + 1, end));
    const mode = bytes.toString("latin1", at, space);
    const id = bytes.toString("hex", end + 1, end + 1 + idBytes);
    if (!tree.has(name)) tree.set(name, { mode, id });
    at = end + 1 + idBytes;
  }
  return tree;
}
