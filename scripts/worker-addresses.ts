/**
 * A worker is a file `*.worker.ts` under src/, started by `new Worker(new URL("./name.worker.ts", import.meta.url))`.
 * In the executable all modules are one file, so `import.meta.url` no longer says which folder is meant: there the
 * address becomes the worker's place under src/, where the bundler puts the entry point of that name.
 */
import { dirname, join, relative } from "node:path";
import type { BunPlugin } from "bun";

const workerAddress = /new URL\(\s*"(\.[^"]*\.worker\.ts)",\s*import\.meta\.url,?\s*\)/g;

export function findWorkers(sourceFolder: string): string[] {
  const found = new Bun.Glob("**/*.worker.ts").scanSync(sourceFolder);
  return [...found].sort().map((path) => join(sourceFolder, path));
}

export function workerAddresses(sourceFolder: string): BunPlugin {
  return {
    name: "worker-addresses",
    setup(build) {
      build.onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, async ({ path }) => {
        const source = await Bun.file(path).text();
        const contents = source.replace(workerAddress, (_, worker: string) =>
          JSON.stringify(`./${relative(sourceFolder, join(dirname(path), worker)).replaceAll("\\", "/")}`),
        );
        return { contents, loader: "ts" };
      });
    },
  };
}
