/** Embeds WebAssembly compressed: a third of the size, opened again by src/engines/rules/parser/grammars.ts. */
import type { BunPlugin } from "bun";

const zstandardLevel = 19;

export const compressWasm: BunPlugin = {
  name: "compress-wasm",
  setup(build) {
    build.onLoad({ filter: /\.wasm$/ }, async ({ path }) => {
      const contents = await Bun.zstdCompress(await Bun.file(path).bytes(), { level: zstandardLevel });
      return { contents, loader: "file" };
    });
  },
};
