import type { ReadFile } from "../domain/review-engine.ts";

/**
 * Asks the code host once for each file, whoever reads it and however many at a time: selection, engines and
 * verification want the same ones. Beyond `maxBytes` it forgets the oldest.
 */
export function rememberReads(readFile: ReadFile, maxBytes: number): ReadFile {
  const reads = new Map<string, Promise<Uint8Array | null>>();
  const sizes = new Map<string, number>();
  let bytes = 0;

  function makeRoom(): void {
    for (const [key, size] of sizes) {
      if (bytes <= maxBytes) return;
      bytes -= size;
      sizes.delete(key);
      reads.delete(key);
    }
  }

  async function readOnce(key: string, path: string, side: "base" | "head"): Promise<Uint8Array | null> {
    try {
      const content = await readFile(path, side);
      sizes.set(key, content?.byteLength ?? 0);
      bytes += content?.byteLength ?? 0;
      makeRoom();
      return content;
    } catch (error) {
      reads.delete(key);
      throw error;
    }
  }

  return (path, side) => {
    const key = `${side}:${path}`;
    const known = reads.get(key);
    if (known !== undefined) return known;
    const read = readOnce(key, path, side);
    reads.set(key, read);
    return read;
  };
}
